import { expect, it } from 'vitest';
import { parsePairs, toPassages } from './teacherPairs.ts';

it('passages are whole paragraphs as long as they fit, and lose nothing of a long one', () => {
  expect(toPassages(['One.\n\nTwo.', '', 'Three.'])).toEqual(['One.\n\nTwo.', 'Three.']);
  const long = Array.from({ length: 1_000 }, (_, at) => `word${at}`).join(' ');
  const passages = toPassages([`Short.\n\n${long}`]);
  expect(passages.length).toBeGreaterThan(2);
  expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(3_000);
  expect(passages.join('').replaceAll(/\s/g, '')).toBe(`Short.${long}`.replaceAll(/\s/g, ''));
});

it('the lines of JSONL and the sections of Markdown may be parted', () => {
  const lines = Array.from({ length: 400 }, (_, at) => JSON.stringify({ at, text: 'x'.repeat(20) }));
  const passages = toPassages([lines.join('\n')]);
  expect(passages.length).toBeGreaterThan(3);
  expect(passages.flatMap((passage) => passage.split(/\n+/))).toEqual(lines);
});

it.each([
  ['{"pairs":[{"question":" a ","answer":"b"}]}', [{ question: 'a', answer: 'b' }]],
  ['Text {"pairs":[{"question":"a","answer":"b"},{"question":"c"}]} more', [{ question: 'a', answer: 'b' }]],
  ['{"pairs":{"question":"a"}}', []],
  ['{"pairs":[1,null]}', []],
  ['no JSON', []],
  ['{broken}', []],
])('of the reply %s the pairs are taken', (reply, pairs) => expect(parsePairs(reply)).toEqual(pairs));
