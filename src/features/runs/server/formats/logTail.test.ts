import { expect, it } from 'vitest';
import { LogTail } from './logTail.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const LOG =
  ' 12%|█▏ | 12/100 [00:01<00:09]\r 13%|█▎ | 13/100\nümläut\r\n\n\u001B[32mgreen\u001B[0m  \n  indented\nlast';
const LINES = [' 12%|█▏ | 12/100 [00:01<00:09]', ' 13%|█▎ | 13/100', 'ümläut', 'green', '  indented'];

it('gives the same lines however the bytes are cut', () => {
  const whole = bytes(LOG);
  for (let size = 1; size <= whole.length; size += 1) {
    const tail = new LogTail();
    const lines: string[] = [];
    for (let at = 0; at < whole.length; at += size) lines.push(...tail.take(whole.subarray(at, at + size), at === 0));
    expect([...lines, tail.openLine]).toEqual([...LINES, 'last']);
  }
});

it('forgets the open line when the log begins anew', () => {
  const tail = new LogTail();
  tail.take(bytes('half a li'), true);
  expect(tail.take(bytes('first\n'), true)).toEqual(['first']);
});

it('reads UTF-16 as PowerShell writes it, and a log in UTF-8 after it', () => {
  const tail = new LogTail();
  const wide = Buffer.from("\uFEFF{'loss': 1.5}\r\n", 'utf16le');
  expect([...tail.take(wide.subarray(0, 9), true), ...tail.take(wide.subarray(9), false)]).toEqual(["{'loss': 1.5}"]);
  expect(tail.take(bytes('plain\n'), true)).toEqual(['plain']);
});

it('cuts endless lines', () => {
  const tail = new LogTail();
  for (let i = 0; i < 40; i += 1) tail.take(bytes('x'.repeat(10_000)), i === 0);
  expect(tail.openLine).toHaveLength(65_536);
  expect(tail.take(bytes('\nnext\n'), false).map((line) => line.length)).toEqual([65_536, 4]);
});
