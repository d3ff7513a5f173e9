// With a real thread: what a file does to it reaches the person as a sentence.
import { describe, expect, it } from 'vitest';
import { toCompletionsFile } from './completions.fixture.ts';
import { openCompletionsReader } from './readCompletions.ts';

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
