import { describe, expect, it } from 'vitest';
import { toWandbFile } from '#features/runs/server/formats/wandb.fixture.ts';
import { WandbLog } from './wandbLog.ts';

const CHUNK = 65_536;

const PATTERN = Uint8Array.from({ length: 251 }, (_, index) => index);
const ofLength = (length: number): Buffer => Buffer.alloc(length, PATTERN);

/** The lengths of the records, read as the file grows, each time from the same memory. */
function readLengths(file: Uint8Array): number[] {
  const log = new WandbLog();
  const memory = new Uint8Array(CHUNK);
  const lengths: number[] = [];
  for (let at = 0; at < file.length; at += CHUNK) {
    const part = file.subarray(at, at + CHUNK);
    memory.set(part);
    const records = log.take(memory.subarray(0, part.length), at === 0);
    lengths.push(...records.map((record) => (ofLength(record.length).equals(record) ? record.length : NaN)));
  }
  return lengths;
}

describe('a record in many parts', () => {
  it('is whole, whatever became of the memory of its parts', () => {
    const lengths = [9, 300_000, 0, 290_000, 70_000];
    expect(readLengths(toWandbFile(lengths.map(ofLength)))).toEqual(lengths);
  });

  it('of 16 MB is read, and one byte more is passed over', () => {
    const limit = 16 * 1024 * 1024;
    expect(readLengths(toWandbFile([ofLength(limit), ofLength(limit + 1), ofLength(5)]))).toEqual([limit, 5]);
  });
});
