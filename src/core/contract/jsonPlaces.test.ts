import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonPlace, toPrettyJson, type JsonPath } from './jsonPlaces.ts';
import { lineAt } from './jsonText.ts';

const TEXT = '[\n  {"type": "function", "a\\"b": [1, {"x": null}], "type": 2},\n  []\n]';
const at = (path: JsonPath, text = TEXT): string => {
  const { from, to } = findJsonPlace(text, path);
  return text.slice(from, to);
};

describe('the place of a value', () => {
  it.each<[JsonPath, string]>([
    [[], TEXT],
    [[0, 'a"b'], '[1, {"x": null}]'],
    [[0, 'a"b', 0], '1'],
    [[0, 'a"b', 1, 'x'], 'null'],
    [[0, 'type'], '2'],
    [[1], '[]'],
  ])('%j', (path, expected) => expect(at(path)).toBe(expected));

  it.each<[JsonPath, string]>([
    [[1, 0], '[]'],
    [[0, 'a"b', 1, 'y', 'z'], '{"x": null}'],
    [[0, 'a"b', 9], '[1, {"x": null}]'],
    [[0, 'type', 'x'], '2'],
    [[5], TEXT],
  ])('%j that is not there is the value around it', (path, expected) => expect(at(path)).toBe(expected));

  it('is found for every value of any JSON', () => {
    const visit = (value: unknown, path: JsonPath, text: string): void => {
      const found: unknown = JSON.parse(at(path, text));
      if (JSON.stringify(found) !== JSON.stringify(value)) expect(found).toEqual(value);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value))
        visit(inner, [...path, Array.isArray(value) ? Number(key) : key], text);
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(0, 2), (value, indent) =>
        visit(JSON.parse(JSON.stringify(value)), [], JSON.stringify(value, null, indent)),
      ),
      { numRuns: 60 },
    );
  });

  it('is found of equal names at the last, also inside one that was looked through before', () => {
    expect(at(['a', 'b'], '{"a":{"b":1},"x":{"b":3},"a":{"b":2}}')).toBe('2');
    expect(at(['a', 'b'], '{"a":{"b":1},"a":[2]}')).toBe('[2]');
    expect(at([1, 0], '[[1],[2]]')).toBe('2');
    expect(at(['0'], '["x"]')).toBe('["x"]');
  });

  it('is found 100,000 brackets deep, and after a million entries', () => {
    const deep = `${'['.repeat(100_000)}7${']'.repeat(100_000)}`;
    expect(
      findJsonPlace(
        deep,
        Array.from({ length: 100_000 }, () => 0),
      ),
    ).toEqual({ from: 100_000, to: 100_001 });
    expect(at([1_000_000, 'a'], `[${'0,'.repeat(1_000_000)}{"a":"last"}]`)).toBe('"last"');
  });

  it('has a line', () => expect([lineAt(TEXT, 0), lineAt(TEXT, 4), lineAt(TEXT, TEXT.length)]).toEqual([1, 2, 4]));
});

describe('JSON line by line', () => {
  it('keeps what is written: digits, escapes, equal keys', () => {
    const text = '{"id":12345678901234567890,"e":1E5,"t":"\\u00e9, {","t":[],"o":{}}';
    expect(toPrettyJson(text)).toBe(
      '{\n  "id": 12345678901234567890,\n  "e": 1E5,\n  "t": "\\u00e9, {",\n  "t": [],\n  "o": {}\n}',
    );
  });

  it('is not made of a text that nests too deeply', () => {
    expect(toPrettyJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeNull();
  });

  it('takes a text of any length', () => {
    const text = JSON.stringify({ a: 'x\n"'.repeat(3_000_000) });
    expect(toPrettyJson(text) === JSON.stringify(JSON.parse(text), null, 2)).toBe(true);
  });

  it.each(['', '{"a":', '{"a":1}}', 'text'])('is not made of %j', (text) => expect(toPrettyJson(text)).toBeNull());

  it('looks as usual', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        (value) => toPrettyJson(JSON.stringify(value)) === JSON.stringify(value, null, 2),
      ),
      { numRuns: 200 },
    );
  });
});
