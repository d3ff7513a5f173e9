import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bringWeights, removeLeft } from './weights.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = keepFolder();
});

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const put = (name: string, hours: number): void => {
  const path = join(dataDir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'x');
  const at = new Date(NOW - hours * HOUR_MS);
  utimesSync(path, at, at);
};
const list = (): string[] => readdirSync(join(dataDir, 'weights')).toSorted();
const nameOf = (letter: string): string => `${letter.repeat(32)}.gguf`;

/** A studio whose files have a size. */
function openStudio(bytes: number) {
  const asked: string[] = [];
  const client = {
    async downloadInput(_lease: string, name: string, path: string, onSize?: (bytes: number) => Promise<void>) {
      asked.push(name);
      await onSize?.(bytes);
      writeFileSync(path, name);
      if (name === 'adapter.gguf') throw new Error('The connection broke.');
    },
  };
  return { client, asked };
}
const LEASE = '00000000-0000-4000-8000-000000000000';
const GIB = 1024 ** 3;

it('weights are brought once, and stay for a week after their last use', async () => {
  const { client, asked } = openStudio(10);
  const lease = { lease_id: LEASE, weights: [{ name: 'base.gguf' as const, tag: '1' }] };
  const paths = await bringWeights(client, lease, dataDir);
  expect(existsSync(paths.get('base.gguf') ?? '')).toBe(true);
  const old = new Date(NOW - 200 * HOUR_MS);
  utimesSync(paths.get('base.gguf') ?? '', old, old);
  expect(await bringWeights(client, lease, dataDir)).toEqual(paths);
  expect(asked).toEqual(['base.gguf']);
  await removeLeft(dataDir, NOW + 100 * HOUR_MS);
  expect(list()).toHaveLength(1);
  await removeLeft(dataDir, NOW + 170 * HOUR_MS);
  expect(list()).toEqual([]);
});

it('two workers that bring the same weights at once write a file each', async () => {
  const { client } = openStudio(10);
  const written: string[] = [];
  const noting: typeof client = {
    async downloadInput(lease, name, path, onSize) {
      written.push(path);
      await client.downloadInput(lease, name, path, onSize);
    },
  };
  const lease = { lease_id: LEASE, weights: [{ name: 'base.gguf' as const, tag: '1' }] };
  await Promise.all([bringWeights(noting, lease, dataDir), bringWeights(noting, lease, dataDir)]);
  expect(new Set(written).size).toBe(2);
  expect(list()).toHaveLength(1);
});

it('a download that breaks leaves nothing', async () => {
  const { client } = openStudio(10);
  const lease = { lease_id: LEASE, weights: [{ name: 'adapter.gguf' as const, tag: '1' }] };
  await expect(bringWeights(client, lease, dataDir)).rejects.toThrow('broke');
  expect(list()).toEqual([]);
});

it('on a disk without room those go first that were used longest ago, and none that the run needs', async () => {
  const { client } = openStudio(2 * GIB);
  const base = { name: 'base.gguf' as const, tag: '1' };
  const room = async (): Promise<number> => 8 * GIB;
  await bringWeights(client, { lease_id: LEASE, weights: [base] }, dataDir, room);
  const [needed = ''] = list();
  for (const [letter, hours] of [
    ['a', 20],
    ['b', 30],
    ['c', 10],
  ] as const)
    put(`weights/${nameOf(letter)}`, hours);
  // Each file that goes gives back a gibibyte.
  const free = async (): Promise<number> => (5 - list().length) * GIB;
  const next = { lease_id: LEASE, weights: [base, { name: 'base.gguf' as const, tag: '2' }] };
  await bringWeights(client, next, dataDir, free);
  expect(list()).toHaveLength(3);
  expect(list()).toEqual(expect.arrayContaining([needed, nameOf('c')]));
});

it('what a killed worker left goes, and what another one may just be writing stays', async () => {
  put(`weights/${nameOf('a')}.${LEASE}.part`, 25);
  put(`weights/${nameOf('b')}.${LEASE}.part`, 1);
  put('worker/old/output/step-1.bin', 25);
  put('worker/recent/job.json', 200);
  put('worker/recent/output/step-1.bin', 20);
  for (const name of ['worker/old', 'worker/old/output', 'worker/recent', 'worker/recent/output']) {
    const at = new Date(NOW - 200 * HOUR_MS);
    utimesSync(join(dataDir, name), at, at);
  }
  await removeLeft(dataDir, NOW);
  expect(list()).toEqual([`${nameOf('b')}.${LEASE}.part`]);
  expect(readdirSync(join(dataDir, 'worker'))).toEqual(['recent']);
});
