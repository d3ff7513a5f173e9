import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { toReason } from './database.ts';

it.each([
  ['an error', new Error('it\n  failed'), 'it failed'],
  ['an error without words', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['a query', new DrizzleQueryError('select secret', ['value'], new Error('no such table')), 'no such table'],
  // As the embedded database throws them: no Error, no message.
  ['a full disk', { name: 'ErrnoError', errno: 51 }, 'no space is left on the disk'],
  ['a read-only disk', { name: 'ErrnoError', errno: 69 }, 'the file system is read-only'],
  ['a number that is not known', { name: 'ErrnoError', errno: 7 }, 'ErrnoError 7'],
  ['an object with words', { message: 'out of\nmemory' }, 'out of memory'],
  ['an empty object', {}, 'an unknown failure'],
  ['a text', 'gone', 'gone'],
  ['nothing', undefined, 'undefined'],
])('%s is told in one line of words', (_, thrown, words) => {
  expect(toReason(thrown)).toBe(words);
});
