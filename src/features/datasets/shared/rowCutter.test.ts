import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import { cutParts, type CutFile } from './cutParts.fixture.ts';
import { openRowCutter } from './rowCutter.ts';

const utf8 = new TextEncoder();

interface Read extends CutFile {
  readonly isArray: boolean;
}

function readParts(parts: readonly Uint8Array[], limit?: number): Read {
  const cutter = openRowCutter(limit);
  return { ...cutParts(cutter, parts), isArray: cutter.isArray };
}

const toBytes = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? utf8.encode(text) : text);
const read = (text: string | Uint8Array, limit?: number): Read => readParts([toBytes(text)], limit);
const textsOf = ({ lines }: Read): string[] => lines.map(({ text }) => text);
const problemsOf = ({ problems }: Read): unknown[] =>
  problems.map(({ line, column, message }) => [line, column, message]);

/** In two parts for each place of the cut, and byte by byte. All give the same, which is returned. */
function readAllWays(text: string | Uint8Array, limit?: number): Read {
  const bytes = toBytes(text);
  const whole = readParts([bytes], limit);
  const expectWhole = (parts: readonly Uint8Array[]): void => {
    expectSame(readParts(parts, limit), whole, () => `parts of ${parts.map(String).join(' | ')}`);
  };
  for (let at = 0; at <= bytes.length; at += 1) expectWhole([bytes.subarray(0, at), bytes.subarray(at)]);
  expectWhole(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  return whole;
}

describe('a JSON array', () => {
  it('gives its elements with their places, however the bytes are cut', () => {
    const text = '\uFEFF\n [\n  {"é": "😀\\"]}"},{"b": [1, {"c": "]"}]\n },\r\n\t{} , 7]\n\n';
    const all = readAllWays(text);
    expect(all).toMatchObject({ problems: [], refusal: null, isArray: true });
    expect(all.lines.map(({ number, column, text: element }) => [number, column, element])).toEqual([
      [3, 3, '{"é": "😀\\"]}"}'],
      [3, 19, '{"b": [1, {"c": "]"}]\n }'],
      [5, 2, '{}'],
      [5, 7, '7'],
    ]);
    const bytes = utf8.encode(text);
    for (const { offset, bytes: length, text: element } of all.lines)
      expect(new TextDecoder().decode(bytes.subarray(offset, offset + length))).toBe(element);
  });

  it('gives back what JSON.stringify wrote, on one line or many', () => {
    const value = fc.array(fc.jsonValue({ depthSize: 'small' }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 4, '\t'), fc.array(fc.nat(40)), (elements, indent, cuts) => {
        const bytes = utf8.encode(JSON.stringify(elements, null, indent));
        const parts: Uint8Array[] = [];
        let from = 0;
        for (const length of cuts) {
          parts.push(bytes.subarray(from, from + length));
          from += length;
        }
        parts.push(bytes.subarray(from));
        const all = readParts(parts);
        if (all.problems.length > 0 || !all.isArray) expect(all).toMatchObject({ problems: [], isArray: true });
        // JSON has no -0.
        const given = textsOf(all).map((text) => JSON.stringify(JSON.parse(text)));
        const expected = elements.map((element) => JSON.stringify(element));
        if (given.join() !== expected.join()) expect(given).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('of random pieces is read the same however it is cut', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', '\n', ' ', '1', 'é', '😀', '\u0000', '{"a":1}');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.nat(12), (pieces, limit) => {
        readAllWays(`[${pieces.join('')}`, limit);
      }),
      { numRuns: 150 },
    );
  });

  it('may be empty', () => {
    expect(readAllWays('[]')).toEqual({ lines: [], problems: [], refusal: null, isArray: true });
    expect(readAllWays(' [ \n ] ')).toEqual({ lines: [], problems: [], refusal: null, isArray: true });
  });

  it('is read with little memory, whatever it holds', () => {
    const cutter = openRowCutter();
    cutter.push(utf8.encode('['));
    const element = utf8.encode(`${JSON.stringify({ text: 'x'.repeat(1000) }, null, 2)},\n`);
    let count = 0;
    for (let at = 0; at < 20_000; at += 1) count += cutter.push(element).lines.length;
    expect(count).toBe(20_000);
  });
});

describe('a damaged array', () => {
  it.each([
    ['ends within an element', '[{"a":1},\n {"b":', ['{"a":1}'], [[2, 2, /ends within this element/]]],
    ['is not closed', '[{"a":1}\n', ['{"a":1}'], [[2, 1, /not closed.*cut off/]]],
    ['ends after a comma', '[{"a":1},', ['{"a":1}'], [[1, 10, /not closed/]]],
    ['has no comma', '[{"a":1}\n{"b":2},{"c":3}]', ['{"a":1}', '{"c":3}'], [[2, 1, /comma is missing/]]],
    ['has a comma at its end', '[{"a":1},\n]', ['{"a":1}'], [[2, 1, /no element after the last comma/]]],
    ['has two commas', '[{"a":1},,{"b":2}]', ['{"a":1}', '{"b":2}'], [[1, 10, /no element before this comma/]]],
    ['is followed by more', '[{"a":1}]\n [{"b":2}]', ['{"a":1}'], [[2, 2, /has ended before this/]]],
    ['has a bracket too many', '[{"a":1}},\n{"b":2}]', ['{"a":1}', '{"b":2}'], [[1, 9, /comma is missing/]]],
  ] as const)('that %s says where', (_what, text, texts, faults) => {
    const all = readAllWays(text);
    expect(textsOf(all)).toEqual(texts);
    expect(problemsOf(all)).toEqual(
      faults.map(([line, column, message]) => [line, column, expect.stringMatching(message)]),
    );
  });

  it('loses one element by a quote that is missing, if its lines end', () => {
    expect(textsOf(readAllWays('[{"a":"x},\n{"b":2},\n{"c":3}]'))).toEqual(['{"a":"x},\n', '{"b":2}', '{"c":3}']);
    const pretty = readAllWays('[\n {\n  "a": "x,\n  "b": {\n }\n },\n {\n  "b": 2\n }\n]');
    expect(pretty).toMatchObject({ problems: [], lines: [{ number: 2 }, { number: 7, column: 2 }] });
    // In JSON that is whole, lines may begin anywhere.
    expect(readAllWays('[ {"a":\n{\n"b":2}\n}]').lines).toHaveLength(1);
  });

  it('shows the start of what follows it, and no more', () => {
    const { problems } = read(`[] ${'x'.repeat(100_000)}`);
    expect(problems).toMatchObject([{ line: 1, column: 4, start: 'x'.repeat(200) }]);
  });

  it('has a byte that is not UTF-8, or a NUL: the place of the element, and theirs', () => {
    const bytes = Uint8Array.from([...utf8.encode('[{"a":1},\n {"é":\n"'), 0xe9, ...utf8.encode('"}, {"b":2}]')]);
    const all = readAllWays(bytes);
    expect(textsOf(all)).toEqual(['{"a":1}', '{"b":2}']);
    expect(problemsOf(all)).toEqual([[2, 2, expect.stringMatching(/not UTF-8.*at line 3, column 2\./)]]);
    expect(problemsOf(readAllWays('[{"a":"\u0000"}]'))).toEqual([
      [1, 2, expect.stringMatching(/NUL.*at line 1, column 8\./)],
    ]);
  });

  it('has an element that is too long', () => {
    const all = readAllWays('[{"a":"12345678901234"},{"b":1}]', 20);
    expect(textsOf(all)).toEqual(['{"b":1}']);
    expect(problemsOf(all)).toEqual([[1, 2, expect.stringContaining('element has 22 bytes')]]);
  });
});

describe('any other file', () => {
  it.each(['{"a":1}\n{"b":2}\n', '\n\n {"a":1}\r\n[1]\n', '', '  \n', 'x', '\uFEFF{"a":1}', '\uFEFF'])(
    '%j is read as lines',
    (text) => {
      const { isArray, lines, problems } = readAllWays(text);
      expect({ isArray, problems }).toEqual({ isArray: false, problems: [] });
      const texts = text.split(/\r?\n/).map((line) => line.replace('\uFEFF', ''));
      expect(lines.map((line) => line.text)).toEqual(texts.filter((line) => line.trim() !== ''));
    },
  );

  it('in UTF-16 is refused, though its first byte is a bracket', () => {
    const bytes = Uint8Array.from([...'[{"a":1}]'].flatMap((mark) => [mark.charCodeAt(0), 0]));
    expect(readAllWays(bytes)).toMatchObject({
      lines: [],
      isArray: false,
      refusal: { reason: expect.stringContaining('UTF-16') },
    });
  });
});
