import { expect, it } from 'vitest';
import { readBlock, type StoredRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { openFileRows, type FileResult, type ImportOrder } from './fileRows.ts';

const row = (content: string) => ({
  messages: [
    { role: 'user', content },
    { role: 'assistant', content: '"yes"' },
  ],
});
const toLine = (content: string): string => JSON.stringify(row(content));

/** Reads a text in chunks of some bytes, each from the same memory, as the thread of an import does. */
function read(
  text: string,
  bytes: number,
  order: Partial<ImportOrder> = {},
): { rows: StoredRow[]; result: FileResult } {
  const file = openFileRows({ form: null, fileName: 'rows.jsonl', stopsAtBadLine: false, bucket: null, ...order });
  const source = Buffer.from(text);
  const memory = Buffer.alloc(bytes);
  const blocks = [];
  for (let at = 0; at < source.length; at += bytes) {
    const length = source.copy(memory, 0, at);
    blocks.push(...file.push(memory.subarray(0, length)));
    memory.fill(0xff);
  }
  const { blocks: last, result } = file.end();
  const rows = [...blocks, ...last].flatMap(({ body }) => readBlock(body, 0));
  return { rows: rows.map(({ text, original, hash, bucket }) => ({ text, original, hash, bucket })), result };
}

/** More than the form is decided by, and more than two blocks. */
const CONTENTS = Array.from({ length: 700 }, (_, at) => (at % 50 === 7 ? `é ${at}` : `question ${at}\n"quoted"`));

it('stores the same of lines that are rows letter by letter as of others that say the same', () => {
  const plain = read(`${CONTENTS.map(toLine).join('\n')}\n`, 64 * 1024);
  expect(plain.rows.map(({ text }) => text)).toEqual(CONTENTS.map(toLine));
  expect(plain.result).toMatchObject({ refusal: null, form: 'chat', rows: 700, badCount: 0 });
  const spaced = read(`${CONTENTS.map((content) => ` ${toLine(content)}`).join('\r\n')}\r\n`, 64 * 1024);
  expect(spaced.rows).toEqual(plain.rows);
  for (const bytes of [1000, 1024 * 1024]) expect(read(`${CONTENTS.map(toLine).join('\n')}\n`, bytes)).toEqual(plain);
});

it('says of a line that is a row what another form misses in it', () => {
  const { rows, result } = read(`${CONTENTS.map(toLine).join('\n')}\n`, 64 * 1024, { form: 'sharegpt' });
  expect(rows).toEqual([]);
  expect(result).toMatchObject({ rows: 0, badCount: 700 });
  expect(result.badLines[1]).toMatchObject({ line: 2, start: toLine(CONTENTS[1]!) });
});

it('says it of a row among others, too, from whose form that of the file was found out', () => {
  const other = CONTENTS.slice(0, 250).map((value) => JSON.stringify({ conversations: [{ from: 'human', value }] }));
  const { rows, result } = read(`${[...other, ...CONTENTS.map(toLine)].join('\n')}\n`, 64 * 1024);
  expect(rows).toHaveLength(250);
  expect(result).toMatchObject({ form: 'sharegpt', rows: 250, badCount: 700 });
  expect(result.badLines[1]).toMatchObject({ line: 252, start: toLine(CONTENTS[1]!) });
});

it('keeps no row after a bad line, if it is to stop there', () => {
  const lines = [...CONTENTS.slice(0, 300).map(toLine), 'no JSON', ...CONTENTS.slice(300).map(toLine)];
  const { rows, result } = read(`${lines.join('\n')}\n`, 64 * 1024, { stopsAtBadLine: true });
  expect(rows).toHaveLength(300);
  expect(result).toMatchObject({ rows: 700, badCount: 1 });
  expect(result.badLines).toMatchObject([{ line: 301 }]);
});

it('reads each row in its own form where forms are mixed, and keeps its line', () => {
  const alpaca = JSON.stringify({ instruction: 'Hi', input: '', output: 'Hello' });
  const text = [toLine('Hi'), alpaca, '{"x":1}'].join('\n');
  const mixed = read(text, 64, { form: 'mixed' });
  expect(mixed.rows.map(({ original }) => original)).toEqual([null, alpaca]);
  expect(mixed.result).toMatchObject({ form: 'mixed', rows: 2, badCount: 1, badLines: [{ line: 3 }] });
  const alone = read(text, 64);
  expect(alone.result).toMatchObject({ form: 'chat', rows: 1, badCount: 2 });
  expect(alone.result.badLines[0]?.message).toContain('Convert it too (form "mixed")');
});
