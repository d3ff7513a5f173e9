import { describe, expect, it } from 'vitest';
import { MAX_LINE } from '#trainer/protocol/trainerProtocol.ts';
import { openLineCutter } from './lineCutter.ts';

function cut(parts: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const cutter = openLineCutter((line) => void lines.push(line));
  for (const part of parts) cutter.push(part);
  cutter.end();
  return lines;
}
const bytes = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe('lines', () => {
  it.each([
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb', ['a', 'b']],
    ['\n\n', ['', '']],
    ['', []],
    ['ü€😀\n', ['ü€😀']],
    ['10%\r50%\r100%\ndone\n', ['100%', 'done']],
    ['50%\r', ['50%']],
  ])('%j, whole and byte by byte', (text, lines) => {
    expect(cut([Buffer.from(text)])).toEqual(lines);
    expect(cut(bytes(text))).toEqual(lines);
  });

  it('keep no more than the longest line that is read', () => {
    const lines = cut([Buffer.from('x'.repeat(MAX_LINE * 3)), Buffer.from(`${'y'.repeat(10)}\nnext\n`)]);
    expect(lines.map((line) => line.length)).toEqual([MAX_LINE, 4]);
  });

  it('of a progress bar that never ends take no memory', () => {
    const parts = Array.from({ length: 5_000 }, (_, at) => Buffer.from(`${at} ${'#'.repeat(60)}\r`));
    expect(cut([...parts, Buffer.from('end\n')])).toEqual(['end']);
  });

  it('are read from bytes that are no text', () => {
    expect(cut([Buffer.from([0xff, 10, 0xc3])])).toEqual(['\ufffd', '\ufffd']);
  });
});
