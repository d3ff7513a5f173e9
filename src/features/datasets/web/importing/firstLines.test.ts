import { expect, it } from 'vitest';
import { readFirstLines } from './firstLines.ts';

const FILE = new Blob(['PAR1 and the rest']);
const texts = (count: number) => Array.from({ length: count }, (_, at) => JSON.stringify({ id: at }));

it('the first rows of a Parquet file are its first lines', async () => {
  const first = await readFirstLines(FILE, async ({ most }) => ({ texts: texts(Math.min(most, 300)) }));
  expect(first).toMatchObject({ refusal: null, isArray: false, isWhole: false });
  expect([first.lines.length, first.lines[1]]).toMatchObject([200, { number: 2, text: '{"id":1}' }]);
  expect(await readFirstLines(FILE, async () => ({ texts: texts(3) }))).toMatchObject({ isWhole: true });
});

it('what can not be read of a Parquet file is said, with a command', async () => {
  const { refusal } = await readFirstLines(FILE, async () => ({ problem: 'Its end is missing.' }));
  expect(refusal?.reason).toBe('Its end is missing. Convert it.');
  expect(refusal?.toCommand?.('a.parquet')).toContain(
    'data_files=sys.argv[1])["train"].to_json(sys.argv[2])\' a.parquet a.jsonl',
  );
  expect((await readFirstLines(FILE, async () => ({ texts: [] }))).refusal?.reason).toContain(
    'The table of the file is empty.',
  );
});

it.each([
  ['a stream', new Blob([new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0])])],
  ['a file', new Blob(['ARROW1 and the rest'])],
])('the first rows of %s of Arrow are its first lines, and what can not be read of it is said', async (_name, file) => {
  const kinds: string[] = [];
  const first = await readFirstLines(file, async ({ kind }) => {
    kinds.push(kind);
    return { texts: texts(3) };
  });
  expect([kinds, first.lines.length, first.isWhole]).toEqual([['Arrow'], 3, true]);
  const { refusal } = await readFirstLines(file, async () => ({ problem: 'Its end is missing.' }));
  expect(refusal?.toCommand?.('a.arrow')).toContain('d.Dataset.from_file(sys.argv[1])');
});

it('lines of JSON are read as ever', async () => {
  expect((await readFirstLines(new Blob(['{"id":1}\n']))).lines).toMatchObject([{ number: 1, text: '{"id":1}' }]);
});
