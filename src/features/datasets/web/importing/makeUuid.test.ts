import { expect, it } from 'vitest';
import { isUuid } from '#core/contract/uuid.ts';
import { makeUuid } from './makeUuid.ts';

it('is a UUID of version 4, another one each time', () => {
  expect(makeUuid(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(isUuid(makeUuid())).toBe(true);
  expect(makeUuid()).not.toBe(makeUuid());
});
