import { describe, expect, it } from 'vitest';
import { shareReads } from './sharedRead.ts';

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A read whose results a test gives by hand. */
function openReads() {
  const reads: { readonly resolve: (value: string) => void; readonly reject: (error: Error) => void }[] = [];
  const read = shareReads(() => new Promise<string>((resolve, reject) => void reads.push({ resolve, reject })));
  return { reads, read };
}

describe('shareReads', () => {
  it('reads twice for any number of callers, and gives nobody what was read before they asked', async () => {
    const { reads, read } = openReads();
    const first = read();
    const others = Array.from({ length: 50 }, () => read());
    expect(reads).toHaveLength(1);
    reads[0]?.resolve('old');
    expect(await first).toBe('old');
    await settle();
    expect(reads).toHaveLength(2);
    // The second read has begun: who comes now has to wait for a third.
    const late = read();
    reads[1]?.resolve('new');
    expect(new Set(await Promise.all(others))).toEqual(new Set(['new']));
    await settle();
    reads[2]?.resolve('newest');
    expect([await late, reads.length]).toEqual(['newest', 3]);
  });

  it('a failure is told to those who shared it, and the next ones read anew', async () => {
    const { reads, read } = openReads();
    const first = read();
    const second = read();
    reads[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await settle();
    reads[1]?.resolve('back');
    expect(await second).toBe('back');
    const third = read();
    reads[2]?.resolve('again');
    expect(await third).toBe('again');
  });
});
