// With a real thread: what a file does to it reaches the person as a sentence.
import { describe, expect, it } from 'vitest';
import { Unreadable } from '#features/runs/server/reader.ts';
import { toCompletionsFile } from './completions.fixture.ts';
import { findCompletions, openCompletionsReader } from './readCompletions.ts';

const QUESTION = { step: null, search: '', offset: 0, sort: null };
const FILE = toCompletionsFile(3, [{ prompt: 'p', completion: 'c', rewards: { r: 1 }, advantage: 0 }]);

describe('a thread of its own', () => {
  it('answers with a page', async () => {
    await expect(openCompletionsReader()(FILE.slice(), 'a.parquet', QUESTION)).resolves.toMatchObject({
      total: 1,
      rows: [{ prompt: 'p', completion: 'c', values: [1, 0] }],
    });
  });

  it('says what is wrong with a file', async () => {
    await expect(openCompletionsReader()(FILE.slice(0, 50), 'a.parquet', QUESTION)).rejects.toThrow(
      "a.parquet can't be read as Parquet: its end is missing",
    );
  });

  it('is ended when it takes too long', async () => {
    await expect(openCompletionsReader(1)(FILE.slice(), 'a.parquet', QUESTION)).rejects.toThrow(
      'it takes longer than 0.001 s',
    );
  });
});

const FILES = [
  { path: 'a/completions_00001.parquet', step: 1 },
  { path: 'a/completions_00002.parquet', step: 2 },
  { path: 'b/completions_00002.parquet', step: 2 },
  { path: 'b/completions_00003.parquet', step: 3 },
];
const root = {
  async read(path: string): Promise<Uint8Array> {
    if (path.includes('00003')) throw new Unreadable(`${path} has 300 MB; at most 256 MB are read.`);
    if (path.includes('00001')) throw new Error('a defect');
    return new Uint8Array();
  },
};
const ask = (step: number | null, files = FILES) =>
  findCompletions(files, root, {
    question: { step, search: '', offset: 0, sort: null },
    readCompletions: async () => ({ measures: [], left_out: [], total: 0, found: 0, offset: 0, rows: [] }),
  });

describe('the file of a step', () => {
  it('is the one that the resumed run wrote', async () => {
    expect(await ask(2)).toMatchObject({ kind: 'list', list: { step: 2, file: 'b/completions_00002.parquet' } });
  });

  it('is the newest if no step is asked for, and says why it is not read', async () => {
    expect(await ask(null)).toEqual({
      kind: 'unreadable',
      reason: 'b/completions_00003.parquet has 300 MB; at most 256 MB are read.',
    });
  });

  it('is missing for other steps, and for runs without any', async () => {
    expect(await ask(4)).toEqual({ kind: 'no-step' });
    expect(await ask(null, [])).toEqual({ kind: 'no-step' });
  });

  it('hides no defect', async () => {
    await expect(ask(1)).rejects.toThrow('a defect');
  });
});
