// For tests: what `toEqual` asserts, cheap where nothing differs, as in each run of a property.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** `toEqual` only says what differs: to find that nothing does takes it several times as long. */
export function expectSame(actual: unknown, expected: unknown, toMessage?: () => string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, toMessage?.()).toEqual(expected);
}
