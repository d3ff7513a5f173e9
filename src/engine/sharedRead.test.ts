import { describe, expect, it } from 'vitest';
import { shareReads, shareRecent } from './sharedRead.ts';

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

  it('reads one at a time, also for who asks in the moment between two reads', async () => {
    const { reads, read } = openReads();
    const first = read();
    const between = first.then(() => read());
    const second = read();
    reads[0]?.resolve('old');
    await settle();
    expect(reads).toHaveLength(2);
    reads[1]?.resolve('new');
    expect(await Promise.all([second, between])).toEqual(['new', 'new']);
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

describe('shareRecent', () => {
  it('reads again only when the last read is too old, whether it failed or not', async () => {
    let time = 0;
    const results = [Promise.resolve('one'), Promise.reject(new Error('gone')), Promise.resolve('three')];
    for (const result of results) result.catch(() => undefined);
    const read = shareRecent(
      () => results.shift() ?? Promise.resolve('none'),
      1_000,
      () => time,
    );
    expect(await Promise.all([read(), read()])).toEqual(['one', 'one']);
    time = 999;
    expect(await read()).toBe('one');
    time = 1_000;
    await expect(read()).rejects.toThrow('gone');
    await expect(read()).rejects.toThrow('gone');
    time = 2_000;
    expect(await read()).toBe('three');
  });
});
