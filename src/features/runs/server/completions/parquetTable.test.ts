import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { toCompletionsFile, type LoggedRow } from './completions.fixture.ts';
import { readCompletionTable } from './parquetTable.ts';

const row = (prompt: unknown, completion: unknown, accuracy: number | null = 1): LoggedRow => ({
  prompt,
  completion,
  rewards: { accuracy_reward: accuracy, format_reward: 0.5 },
  advantage: -0.25,
});

const ROWS = [row('2 + 2?', '4'), row('Grüße?', 'Hallo 👋', null), row('', '')];
const FILE = toCompletionsFile(10, ROWS);
const read = (bytes: Uint8Array) => readCompletionTable(bytes, 'completions_00010.parquet');
const reasonOf = (bytes: Uint8Array): Promise<string> =>
  read(bytes).then(
    () => 'it was read',
    (error: unknown) => (error instanceof Unreadable ? error.message : `a defect: ${String(error)}`),
  );

describe('a file of completions', () => {
  it('gives texts, and the rewards before the advantage', async () => {
    const table = await read(FILE);
    expect(table).toMatchObject({ rows: 3, leftOut: [] });
    expect(Array.from(table.prompts ?? [])).toEqual(['2 + 2?', 'Grüße?', '']);
    expect(Array.from(table.completions ?? [])).toEqual(['4', 'Hallo 👋', '']);
    expect(table.measures.map(({ name, values }) => [name, Array.from(values)])).toEqual([
      ['accuracy_reward', [1, null, 1]],
      ['format_reward', [0.5, 0.5, 0.5]],
      ['advantage', [-0.25, -0.25, -0.25]],
    ]);
  });

  it('gives lists of messages as they are', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const { prompts } = await read(toCompletionsFile(1, [row(messages, 'x')]));
    expect(prompts?.[0]).toEqual(messages);
  });

  it('names the columns that it leaves out, and takes columns of any number', async () => {
    const table = await read(
      toCompletionsFile(1, ROWS, [
        { name: 'answer', data: ['a', 'b', 'c'], type: 'STRING' },
        { name: 'length', data: [1n, 2n, 3n], type: 'INT64' },
        { name: 'when', data: [new Date(0), new Date(1), new Date(2)], type: 'TIMESTAMP' },
      ]),
    );
    expect(table.leftOut).toEqual(['answer', 'when']);
    expect(table.measures.map(({ name }) => name)).toEqual(['accuracy_reward', 'format_reward', 'length', 'advantage']);
  });

  it('may have no rows, or no rewards', async () => {
    const none = parquetWriteBuffer({ columnData: [{ name: 'completion', data: [], type: 'STRING' }] });
    expect(await read(new Uint8Array(none))).toEqual({
      rows: 0,
      prompts: null,
      completions: [],
      measures: [],
      leftOut: [],
    });
  });

  it('reads a thousand rows in pages', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => row(`prompt ${at}`, 'x'.repeat(at)));
    const { completions, rows } = await read(toCompletionsFile(1, many));
    expect(rows).toBe(3000);
    expect(completions?.[2999]).toBe('x'.repeat(2999));
  });
});

describe('a file that is no such file', () => {
  it.each([
    ['nothing', new Uint8Array(), 'its end is missing'],
    ['a text', new TextEncoder().encode('step,prompt,completion\n1,2,3\n'), 'its end is missing'],
    ['a file that is being written', FILE.subarray(0, FILE.length - 20), 'its end is missing'],
    ['metadata that is longer than the file', withLength(0x7fff_ffff), 'its metadata is damaged'],
    ['metadata of no bytes', withLength(0), 'damaged'],
  ])('is said of %s', async (_what, bytes, reason) => {
    expect(await reasonOf(bytes)).toContain(reason);
  });

  it('is said of other tables', async () => {
    const other = parquetWriteBuffer({ columnData: [{ name: 'price', data: [1], type: 'DOUBLE' }] });
    expect(await reasonOf(new Uint8Array(other))).toContain('has no column "prompt" or "completion"');
  });

  it('names the column whose pages are damaged', async () => {
    const bytes = FILE.slice();
    bytes.fill(0xff, 4, 120);
    expect(await reasonOf(bytes)).toMatch(/the column "\w+" is damaged/);
  });

  it('refuses too many rows before it reads them', async () => {
    const data = Array.from({ length: 200_001 }, () => '');
    const many = parquetWriteBuffer({ columnData: [{ name: 'completion', data, type: 'STRING' }] });
    expect(await reasonOf(new Uint8Array(many))).toBe(
      'completions_00010.parquet has 200,001 rows; at most 200,000 are read.',
    );
  });
});

/** The file with another length of its metadata. */
function withLength(length: number): Uint8Array {
  const bytes = FILE.slice();
  new DataView(bytes.buffer).setUint32(bytes.length - 8, length, true);
  return bytes;
}
