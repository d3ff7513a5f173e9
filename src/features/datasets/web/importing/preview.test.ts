import { describe, expect, it } from 'vitest';
import { toRefusalText } from '#core/rows/fileEncoding.ts';
import { readFirstLines } from './firstLines.ts';
import { recogniseLines, toDatasetName, toFormText, toPreview, toShareText } from './preview.ts';

const toFile = (text: string) => new Blob([text]);
const chat = (answer: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: answer },
    ],
  });

describe('the first lines of a file', () => {
  it('are chat rows, with the lines between them that are none', async () => {
    const first = await readFirstLines(toFile(`${chat('a')}\n{"messages": [\n\n${chat('b')}\n7\n`));
    expect(first).toMatchObject({ refusal: null, isWhole: true });
    const guess = recogniseLines(first);
    expect(guess).toMatchObject({ form: 'chat', matching: 2, objects: 2 });
    const preview = toPreview(first, guess.form);
    expect(preview.rows.map(({ line, row }) => [line, row.messages.at(-1)?.content])).toEqual([
      [1, 'a'],
      [4, 'b'],
    ]);
    expect(preview.problems.map(({ line }) => line)).toEqual([2, 5]);
    expect(preview).toMatchObject({ looked: 4, read: 2 });
    expect(toFormText(guess, preview)).toBe('Chat rows (messages) in 2 of 4 lines');
    expect(toShareText(preview.problems.length, preview)).toBe('2 of 4 lines');
  });

  it('of an unknown form need a mapping, and name what a row has no place for', async () => {
    const line = JSON.stringify({ question: 'Where?', answer: 'There.', id: 7 });
    const first = await readFirstLines(toFile(`${line}\n${line}`));
    const guess = recogniseLines(first);
    expect(guess.form).toBeNull();
    expect(toPreview(first, null).rows).toEqual([]);
    const preview = toPreview(first, guess.mapping);
    expect(preview.rows[0]?.row.messages).toEqual([
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: 'There.' },
    ]);
    expect(preview.leftOut).toEqual(['id']);
  });

  it('may have answers that are JSON', async () => {
    const first = await readFirstLines(toFile('{"note":"2 kg flour","label":{"item": "flour", "qty": 2}}'));
    const preview = toPreview(first, { kind: 'pair', question: ['note'], answer: 'label' });
    expect(preview).toMatchObject({ problems: [], leftOut: [], read: 1 });
    expect(preview.rows[0]?.row.messages[1]).toEqual({ role: 'assistant', content: '{"item":"flour","qty":2}' });
  });

  it('may be elements of a JSON array, on many lines or on one', async () => {
    const rows = [JSON.parse(chat('a')), { messages: 'none' }, JSON.parse(chat('b'))] as unknown[];
    for (const indent of [0, 2]) {
      const first = await readFirstLines(toFile(JSON.stringify(rows, null, indent)));
      expect(first).toMatchObject({ refusal: null, isArray: true, isWhole: true });
      const preview = toPreview(first, recogniseLines(first).form);
      expect(preview.rows.map(({ row }) => row.messages.at(-1)?.content)).toEqual(['a', 'b']);
      expect(preview.rows[0]).toMatchObject(indent === 0 ? { line: 1, column: 2 } : { line: 2, column: 3 });
      expect(preview.problems).toMatchObject([{ message: 'The row has no list "messages".' }]);
    }
  });

  it('agree on what they count, whatever the lines lack', async () => {
    const bad = ['{"messages": [', '7', '{"messages": "none"}', '{"other": 1}'];
    const first = await readFirstLines(toFile([...bad, ...Array.from({ length: 300 }, () => chat('a'))].join('\n')));
    const guess = recogniseLines(first);
    const preview = toPreview({ ...first, isWhole: false }, guess.form);
    expect(toFormText(guess, preview)).toBe('Chat rows (messages) in 300 of the first 304 lines');
    expect(toShareText(preview.problems.length, preview)).toBe('4 of the first 304 lines');
  });

  it('of no objects say so', async () => {
    const first = await readFirstLines(toFile('[1,\n2]'));
    const guess = recogniseLines(first);
    expect(toFormText(guess, toPreview(first, 'chat'))).toBe('no element that is a JSON object');
  });

  it('are enough: a large file is not read to its end, and its cut line is not shown', async () => {
    const text = `${chat('x'.repeat(1000))}\n`.repeat(5000);
    const first = await readFirstLines(toFile(text));
    expect(first.isWhole).toBe(false);
    expect(first.lines.length).toBeGreaterThan(100);
    expect(first.lines.length).toBeLessThan(2000);
    expect(toPreview(first, 'chat')).toMatchObject({ problems: [] });
    expect(toPreview(first, 'chat').rows).toHaveLength(5);
  });

  it('may be one line of megabytes', async () => {
    const first = await readFirstLines(toFile(`${chat('x'.repeat(3_000_000))}\n`));
    expect(first.lines).toHaveLength(1);
  });

  it.each([
    ['', 'empty'],
    ['\n \n\n', 'no line with text'],
    ['[ ]\n', 'array of the file is empty'],
    ['\u001f\u008b', 'gunzip'],
    ['\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 'a picture (PNG), so it is no text'],
    ['\u0093NUMPY\n\u0001\n', 'so it is no text'],
    ['question,answer\n1,2\n', 'csv.DictReader'],
  ])('of the file %j are refused: %s', async (text, words) => {
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const { refusal } = await readFirstLines(new Blob([bytes]));
    expect(refusal && toRefusalText(refusal, null)).toContain(words);
  });
});

it.each([
  ['tickets.jsonl', 'tickets'],
  ['tickets.2025.NDJSON', 'tickets.2025'],
  ['C:\\data\\tickets.json', 'tickets'],
  ['.jsonl', 'Dataset'],
  [`${'x'.repeat(300)}.txt`, 'x'.repeat(80)],
  [`${'x'.repeat(80)}.txt`, 'x'.repeat(80)],
  [`${'x'.repeat(70)} exported by night.jsonl`, `${'x'.repeat(70)} exported`],
  [`${'x'.repeat(80)} more.jsonl`, 'x'.repeat(80)],
  [`a ${'x'.repeat(300)}.txt`, `a ${'x'.repeat(78)}`],
])('the file %s makes the dataset %s', (file, name) => expect(toDatasetName(file)).toBe(name));
