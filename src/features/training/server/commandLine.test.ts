import { expect, it } from 'vitest';
import { parseCommand } from './commandLine.ts';

it.each([
  ['train', ['train']],
  ['  python   train.py ', ['python', 'train.py']],
  [`a "b c" 'd "e"'`, ['a', 'b c', 'd "e"']],
  [`--x="y z"`, ['--x=y z']],
  [`a ''`, ['a', '']],
  [String.raw`a\ b "c\"d" 'e\f' "g\h"`, ['a b', 'c"d', String.raw`e\f`, String.raw`g\h`]],
  ['$HOME *; rm', ['$HOME', '*;', 'rm']],
])('%j', (text, words) => {
  expect(parseCommand(text, true)).toEqual(words);
});

it('leaves backslashes of Windows paths', () => {
  expect(parseCommand(String.raw`C:\py\python.exe "my file.py"`, false)).toEqual([
    String.raw`C:\py\python.exe`,
    'my file.py',
  ]);
});

it.each([
  ['', 'it is empty'],
  [' \t', 'it is empty'],
  [`"" a`, 'it is empty'],
  [`a "b`, 'the quote " is not closed'],
  ['a\0b', 'it holds a zero byte'],
])('%j is refused: %s', (text, reason) => {
  expect(() => parseCommand(text, true)).toThrow(reason);
});
