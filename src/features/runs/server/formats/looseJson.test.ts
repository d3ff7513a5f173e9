import { expect, it } from 'vitest';
import { parseLooseJson, parseLooseJsonBytes } from './looseJson.ts';

it('reads what Python writes for numbers that JSON does not have', () => {
  const text = '{"loss": NaN, "worst": Infinity, "best": -Infinity, "rows": [NaN, 1.5], "none": null}';
  const value = parseLooseJson(text);
  expect(value).toEqual({ loss: NaN, worst: Infinity, best: -Infinity, rows: [NaN, 1.5], none: null });
});

it('leaves the same words alone inside of strings, behind escaped quotes too', () => {
  const value = { 'a NaN': 'Infinity', b: 'say \\"NaN\\", -Infinity', c: 'not-a-number', d: '\\' };
  expect(parseLooseJson(`{"x": NaN, "y": ${JSON.stringify(value)}}`)).toEqual({ x: NaN, y: value });
});

it('reads a bare word and bytes with a byte order mark', () => {
  expect(parseLooseJson('NaN')).toBeNaN();
  expect(parseLooseJsonBytes(new TextEncoder().encode('\uFEFF{"a": 1}'))).toEqual({ a: 1 });
});

it.each(['', '{"a": 1', '{"a": NaN', '{"a": NaNs}', '{"a": "NaN}', '--Infinity', '[1,]'])('refuses %s', (text) => {
  expect(() => parseLooseJson(text)).toThrow('not complete JSON');
});

it('reads a million open brackets and quotes without harm', () => {
  expect(() => parseLooseJson(`${'['.repeat(1e6)}NaN`)).toThrow('not complete JSON');
  expect(() => parseLooseJson(`${'"\\'.repeat(1e6)} NaN`)).toThrow('not complete JSON');
  const deep = 20_000;
  expect(JSON.stringify(parseLooseJson(`[${'[0,'.repeat(500)}NaN${']'.repeat(500)}]`))).toContain('null');
  expect(parseLooseJson(`${'['.repeat(deep)}NaN${']'.repeat(deep)}`)).toHaveLength(1);
});
