import { expect, it } from 'vitest';
import { toBoundedJson } from './boundedJson.ts';

it('keeps an answer that fits as it is', () => {
  expect(toBoundedJson({ a: [1, 'x'] }, 100)).toBe('{"a":[1,"x"]}');
});

it('leaves out the ends of long lists and texts, and says how much', () => {
  const value = { rows: Array.from({ length: 5000 }, (_, at) => ({ at })), text: 'x'.repeat(30_000) };
  const text = toBoundedJson(value, 10_000);
  expect(text.length).toBeLessThanOrEqual(10_000);
  const short = JSON.parse(text) as { rows: unknown[]; text: string };
  expect(short.rows.at(-1)).toBe('… 4800 more entries');
  expect(short.text).toMatch(/^x{5000}… \(25000 more characters\)$/);
});

it('says so where nothing would be left', () => {
  const value = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name ${at}`, at]));
  expect(toBoundedJson(value, 1000)).toMatch(/too many to be read/);
});
