import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeOf, messageOf } from './errorText.ts';

it('gives the code of a system error, and the message of any other', () => {
  const read = (): unknown => {
    try {
      return readFileSync('/no/such/file');
    } catch (error) {
      return error;
    }
  };
  expect(codeOf(read())).toBe('ENOENT');
  expect(codeOf(new Error('it broke'))).toBe('it broke');
  expect(codeOf(Object.assign(new Error('it broke'), { code: 7 }))).toBe('it broke');
});

it('takes whatever was thrown', () => {
  expect([codeOf('text'), messageOf(null)]).toEqual(['text', 'null']);
});
