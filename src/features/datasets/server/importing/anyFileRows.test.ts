import { createHash } from 'node:crypto';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { arrowFile } from '#features/datasets/shared/arrow/arrowFiles.fixture.ts';
import { readBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { openAnyFileRows } from './anyFileRows.ts';
import type { FileResult } from './fileRows.ts';

async function read(file: Uint8Array, bytes: number): Promise<{ rows: string[]; result: FileResult }> {
  const rows = openAnyFileRows({ form: null, fileName: 'rows.parquet', stopsAtBadLine: false, bucket: null });
  const memory = Buffer.alloc(bytes);
  const blocks = [];
  for (let at = 0; at < file.length; at += bytes) {
    const part = file.subarray(at, at + bytes);
    memory.set(part);
    blocks.push(...rows.push(memory.subarray(0, part.length)));
    memory.fill(0xff);
  }
  const last = await rows.end();
  return {
    rows: [...blocks, ...last.blocks].flatMap(({ body }) => readBlock(body, 0)).map(({ text }) => text),
    result: last.result,
  };
}

const CONTENTS = Array.from({ length: 1500 }, (_, at) => `question ${at}`);
const toMessages = (content: string) => [
  { role: 'user', content },
  { role: 'assistant', content: 'Yes.' },
];
const LINES = CONTENTS.map((content) => JSON.stringify({ messages: toMessages(content) }));
const FILE = new Uint8Array(
  parquetWriteBuffer({ columnData: [{ name: 'messages', data: CONTENTS.map(toMessages), type: 'JSON' }] }),
);

it.each([3, 1000, 1_000_000])('a Parquet file gives its rows, however it is cut: %i bytes', async (bytes) => {
  const { rows, result } = await read(FILE, bytes);
  expect(result.refusal).toBeNull();
  expect(rows).toEqual(LINES);
  expect(result).toMatchObject({ refusal: null, form: 'chat', rows: 1500, badCount: 0 });
});

it.each([1, 3, 70])('lines of JSON are read as ever, however they are cut: %i bytes', async (bytes) => {
  const { rows, result } = await read(Buffer.from(LINES.slice(0, 9).join('\n')), bytes);
  expect(rows).toEqual(LINES.slice(0, 9));
  expect(result.digest).toMatch(/^[0-9a-f]{64}$/);
});

it('a file of less bytes than say what it is, is what it was', async () => {
  expect((await read(Buffer.from('PA'), 1)).result.refusal?.code).toBe('not_json');
  expect((await read(Buffer.alloc(0), 1)).result.refusal?.code).toBe('empty_file');
});

it('a damaged Parquet file is refused with the reason and a command', async () => {
  const { refusal } = (await read(FILE.slice(0, -20), 1000)).result;
  expect(refusal?.code).toBe('damaged_parquet');
  expect(refusal?.message).toContain('The end of the Parquet file is missing');
  expect(refusal?.message).toContain('d.load_dataset("parquet", data_files=sys.argv[1])["train"].to_json(sys.argv[2])');
  expect(refusal?.message).toContain('rows.parquet rows.jsonl');
});

it.each([3, 1000, 1_000_000])('an Arrow file gives its rows, however it is cut: %i bytes', async (bytes) => {
  const { rows, result } = await read(arrowFile('saved'), bytes);
  expect(result).toMatchObject({ refusal: null, form: 'chat', rows: 2, badCount: 0 });
  expect(result.digest).toBe(createHash('sha256').update(arrowFile('saved')).digest('hex'));
  expect(rows.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { messages: [{ content: 'Grüße' }, { tool_calls: [{ id: 'call_1' }] }, { role: 'tool' }, { content: 'Three.' }] },
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    },
  ]);
});

it.each([
  ['that is cut', arrowFile('saved').subarray(0, -30), 'The end of the Arrow file is missing'],
  ['with a column that is not read', arrowFile('union'), 'has a type that is not read'],
])('an Arrow file %s is refused with the reason and a command', async (_name, file, reason) => {
  const { refusal } = (await read(file, 100)).result;
  expect(refusal?.code).toBe('damaged_arrow');
  expect(refusal?.message).toContain(reason);
  expect(refusal?.message).toContain('d.Dataset.from_file(sys.argv[1]).to_json(sys.argv[2])');
});
