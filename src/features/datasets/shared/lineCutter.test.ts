import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutParts, type CutFile } from './cutParts.fixture.ts';
import { openLineCutter, openPlainCutter } from './lineCutter.ts';

const utf8 = new TextEncoder();
const letter = fc.constantFrom('a', '{', '"', 'é', '\uFEFF', '\uFFFD', '語', '😀', ' ', '\t', '\u2028', '\u0085');

const readParts = (parts: readonly Uint8Array[], limit?: number): CutFile => cutParts(openLineCutter(limit), parts);

const read = (text: string | Uint8Array, limit?: number): CutFile =>
  readParts([typeof text === 'string' ? utf8.encode(text) : text], limit);

/** All of the bytes in two parts, for each place of the cut, and byte by byte. */
function readAllWays(bytes: Uint8Array, limit?: number): CutFile[] {
  const ways = Array.from({ length: bytes.length + 1 }, (_, at) =>
    readParts([bytes.subarray(0, at), bytes.subarray(at)], limit),
  );
  return [
    ...ways,
    readParts(
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
      limit,
    ),
  ];
}

describe('openLineCutter', () => {
  it('gives number, place and text of each line', () => {
    expect(read('{"a":1}\n\n  \r\n{"é":"😀"}\r\nend').lines).toEqual([
      { number: 1, offset: 0, bytes: 7, text: '{"a":1}' },
      { number: 4, offset: 13, bytes: 13, text: '{"é":"😀"}' },
      { number: 5, offset: 28, bytes: 3, text: 'end' },
    ]);
  });

  it('takes off the byte order mark, also of a file that was appended', () => {
    const { lines } = read('\uFEFF{"a":1}\n\uFEFF{"a":2}\n\uFEFF\n');
    expect(lines.map(({ text, offset }) => [text, offset])).toEqual([
      ['{"a":1}', 0],
      ['{"a":2}', 11],
    ]);
  });

  it('reads an empty file, and one of blank lines, as no lines', () => {
    expect(read('')).toEqual({ lines: [], problems: [], refusal: null });
    expect(read('\n\r\n \t\n')).toEqual({ lines: [], problems: [], refusal: null });
  });

  it('reads the same however the bytes are cut', () => {
    const bytes = Uint8Array.from([
      ...utf8.encode('\uFEFF{"a":"é😀"}\r\n\nNUL\u0000here\n'),
      0x61,
      0xff,
      0x62,
      10,
      ...utf8.encode('a line that is too long for the limit of this test\r\nlast'),
      0xf0,
      0x9f,
    ]);
    const whole = read(bytes, 20);
    expect(whole.lines.map(({ text }) => text)).toEqual(['{"a":"é😀"}']);
    expect(whole.problems.map(({ line, column }) => [line, column])).toEqual([
      [3, 4],
      [4, 2],
      [5, 1],
      [6, 5],
    ]);
    for (const way of readAllWays(bytes, 20)) expect(way).toEqual(whole);
  });

  it('reads random bytes the same however they are cut', () => {
    const piece = fc.oneof(
      fc.string({ unit: letter }).map((text) => Array.from(utf8.encode(text))),
      fc.constantFrom([10], [13, 10], [13], [0], [0xef, 0xbb, 0xbf], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90]),
      fc.uint8Array({ maxLength: 5 }).map((bytes) => Array.from(bytes)),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(30)), fc.nat(40), (pieces, cuts, limit) => {
        const bytes = Uint8Array.from(pieces.flat());
        const parts: Uint8Array[] = [];
        let from = 0;
        for (const length of cuts) {
          parts.push(bytes.subarray(from, from + length));
          from += length;
        }
        parts.push(bytes.subarray(from));
        expect(readParts(parts, limit)).toEqual(read(bytes, limit));
      }),
      { numRuns: 200 },
    );
  });

  it('loses no line and no character of text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: letter })), fc.boolean(), (texts, isWindows) => {
        const clean = texts.map((text) => `x${text.replaceAll(/[\r\n]/g, '_').replaceAll('\0', '_')}`);
        const { lines, problems } = read(clean.join(isWindows ? '\r\n' : '\n'));
        expect(problems).toEqual([]);
        expect(lines.map(({ text }) => text)).toEqual(clean);
      }),
    );
  });

  it('reports a byte that is not UTF-8 with its column, and goes on', () => {
    const bytes = Uint8Array.from([...utf8.encode('{"a":"é'), 0xe9, ...utf8.encode('"}\n{"b":1}\n')]);
    const { lines, problems } = read(bytes);
    expect(lines.map(({ text }) => text)).toEqual(['{"b":1}']);
    expect(problems).toMatchObject([{ line: 1, column: 8, start: '{"a":"é\uFFFD"}' }]);
    expect(problems[0]?.message).toContain('UTF-8');
  });

  it('accepts U+FFFD that is in the file', () => {
    expect(read('{"a":"\uFFFD"}').lines).toHaveLength(1);
  });

  it('reports a NUL with its column', () => {
    expect(read('ok\nab\u0000c\n').problems).toMatchObject([{ line: 2, column: 3 }]);
  });

  it.each(['utf-16le', 'utf-16be'])('refuses %s, with a mark and without', (encoding) => {
    const isLittle = encoding === 'utf-16le';
    const encode = (text: string): Uint8Array =>
      Uint8Array.from(
        [...text].flatMap((mark) =>
          isLittle
            ? [mark.charCodeAt(0) & 255, mark.charCodeAt(0) >> 8]
            : [mark.charCodeAt(0) >> 8, mark.charCodeAt(0) & 255],
        ),
      );
    for (const text of ['\uFEFF{"a":1}\n', '{"a":1}\n{"a":2}\n']) {
      const bytes = encode(text);
      for (const way of readAllWays(bytes)) {
        expect(way).toMatchObject({ lines: [], problems: [] });
        expect(way.refusal?.reason).toMatch(/UTF-16.*Save the file as UTF-8/);
      }
    }
  });

  it.each([
    ['gzip', [0x1f, 0x8b, 8, 0]],
    ['ZIP', [0x50, 0x4b, 3, 4]],
    ['Parquet', [0x50, 0x41, 0x52, 0x31]],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
    ['a picture (PNG), so it is no text', [0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10]],
    ['a picture (JPEG), so it is no text', [0xff, 0xd8, 0xff, 0xe0]],
    ['a picture (GIF), so it is no text', [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
    ['a PDF document, so it is no text', [0x25, 0x50, 0x44, 0x46, 0x2d]],
    ['an old Office document', [0xd0, 0xcf, 0x11, 0xe0]],
  ])('refuses %s and says what to do', (name, head) => {
    expect(read(Uint8Array.from([...head, 10, 10])).refusal?.reason).toContain(name);
  });

  it('skips a line that is too long and keeps no more than its start', () => {
    const part = new Uint8Array(1024 * 1024).fill(0x61);
    const cutter = openLineCutter(3_000_000);
    cutter.push(utf8.encode('{"first":1}\n'));
    for (let count = 0; count < 100; count += 1) {
      expect(cutter.push(part)).toEqual({ lines: [], problems: [], refusal: null });
    }
    const { lines, problems } = cutter.push(utf8.encode('\r\n{"next":1}\n'));
    expect(lines).toEqual([{ number: 3, offset: 12 + 100 * part.length + 2, bytes: 10, text: '{"next":1}' }]);
    expect(problems).toMatchObject([{ line: 2, column: 1, start: 'a'.repeat(200) }]);
    expect(problems[0]?.message).toContain('104,857,600 bytes');
    expect(problems[0]?.message).toContain('3,000,000');
  });

  it('takes a line of exactly the limit, whatever its end', () => {
    for (const end of ['\n', '\r\n', '']) {
      for (const way of readAllWays(utf8.encode(`1234567890${end}`), 10)) expect(way.lines).toHaveLength(1);
      for (const way of readAllWays(utf8.encode(`12345678901${end}`), 10)) {
        expect(way.lines).toEqual([]);
        expect(way.problems).toHaveLength(1);
        expect(way.problems[0]?.message).toContain('11 bytes');
      }
    }
  });

  it('does not cut a pair of surrogates in the start of a line', () => {
    const { problems } = read(`${'a'.repeat(199)}😀\u0000`);
    expect(problems[0]?.start).toBe('a'.repeat(199));
  });
});

describe('openPlainCutter', () => {
  const row = (content: string): string => JSON.stringify({ messages: [{ role: 'user', content }] });

  it('gives plain lines as bytes, and again after others', () => {
    const others = Array.from({ length: 20 }, () => row('é'));
    const mixed = Array.from({ length: 10 }, () => [row('a'), row('é')]).flat();
    const whole = utf8.encode(['{"first":1}', ...mixed, row('b'), ...others, row('c'), ''].join('\n'));
    const cutter = openPlainCutter();
    const toKinds = (part: Uint8Array): boolean[] => cutter.push(part).lines.map((line) => 'chunk' in line);
    // The first line is cut with what was before it. After many others the rest of the chunk is decoded.
    const kinds = [false, ...mixed.map((_, at) => at % 2 === 0), true, ...others.map(() => false), false];
    expect(toKinds(whole)).toEqual(kinds);
    expect(toKinds(whole)).toEqual(kinds);
  });

  it('reads the same as texts, however a file is cut', () => {
    const line = fc.oneof(
      fc.string({ unit: letter, maxLength: 8 }).map((text) => row(text)),
      fc.string({ maxLength: 8 }).map((text) => row(text)),
      fc.constantFrom(
        '',
        '{"a":1}',
        row('a\nb'),
        `${row('x')} `,
        row('x\0'),
        row('a line too long for the limit of it all'),
      ),
    );
    const file = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n')), { maxLength: 40 });
    fc.assert(
      fc.property(file, fc.array(fc.nat(400)), (lines, cuts) => {
        const bytes = utf8.encode(lines.flat().join(''));
        const places = [0, ...cuts.map((at) => Math.min(at, bytes.length)), bytes.length].toSorted((a, b) => a - b);
        const parts = places.slice(1).map((to, index) => bytes.subarray(places[index], to));
        expect(cutParts(openPlainCutter(70), parts)).toEqual(read(bytes, 70));
      }),
      { numRuns: 200 },
    );
  });
});
