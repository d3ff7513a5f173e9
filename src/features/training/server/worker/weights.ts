// What a worker keeps on its machine between runs: the weights that runs start from. They stay for a week, or until the disk
// has no room for others.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lease } from '#features/training/shared/worker.ts';
import type { StudioClient } from './studioClient.ts';

const DAY_MS = 24 * 3600 * 1000;
const WEEK_MS = 7 * DAY_MS;
/** Stays free beside weights: a run writes checkpoints, and its model. */
const LEFT_FREE = 256 * 1024 * 1024;

type Weights = Lease['weights'][number];

/** The same tag is the same file. */
const toName = ({ name, tag }: Weights): string =>
  `${createHash('sha256').update(`${name} ${tag}`).digest('hex').slice(0, 32)}.gguf`;

const readFree = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

interface Found {
  readonly path: string;
  readonly usedAt: number;
}

/** The oldest first. */
async function list(folder: string, pattern: RegExp): Promise<Found[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name));
  const found = await Promise.all(
    names.map(async (name): Promise<Found[]> => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => null);
      return stats ? [{ path, usedAt: stats.mtimeMs }] : [];
    }),
  );
  return found.flat().toSorted((one, other) => one.usedAt - other.usedAt);
}

const WHOLE = /^[0-9a-f]{32}\.gguf$/;
const PART = /^[0-9a-f]{32}\.gguf\.[0-9a-f-]{36}\.part$/;

/** When anything in the folder of a run was last written. Its worker touches it each hour. */
async function findLastWrite(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const times = await Promise.all(
    [folder, ...names.map((name) => join(folder, name))].map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

/**
 * Removes weights that no run has used for a week, and what a killed worker has left and nobody has touched for a day: halves
 * of files, and folders of runs. Another worker may share the folder.
 */
export async function removeLeft(dataDir: string, now: number): Promise<void> {
  const weights = join(dataDir, 'weights');
  const old = [
    ...(await list(weights, WHOLE)).filter(({ usedAt }) => now - usedAt > WEEK_MS),
    ...(await list(weights, PART)).filter(({ usedAt }) => now - usedAt > DAY_MS),
  ];
  for (const { path } of old) await rm(path, { force: true });
  const runs = join(dataDir, 'worker');
  for (const name of await readdir(runs).catch(() => []))
    if (now - (await findLastWrite(join(runs, name))) > DAY_MS)
      await rm(join(runs, name), { recursive: true, force: true });
}

/** Removes weights that the run does not need, those that were used longest ago first, until there is room for so many bytes. */
async function makeRoom(
  folder: string,
  bytes: number,
  { needed, readFreeOf }: { readonly needed: ReadonlySet<string>; readonly readFreeOf: typeof readFree },
): Promise<void> {
  for (const { path } of await list(folder, WHOLE)) {
    if ((await readFreeOf(folder)) >= bytes + LEFT_FREE) return;
    if (!needed.has(path)) await rm(path, { force: true });
  }
}

/** Brings the weights of a lease here, if they aren't. Resolves to their paths by their names. */
export async function bringWeights(
  client: Pick<StudioClient, 'downloadInput'>,
  { lease_id: leaseId, weights }: Pick<Lease, 'lease_id' | 'weights'>,
  dataDir: string,
  readFreeOf = readFree,
): Promise<ReadonlyMap<string, string>> {
  const folder = join(dataDir, 'weights');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const paths = new Map(weights.map((each) => [each.name as string, join(folder, toName(each))]));
  const needed = new Set(paths.values());
  for (const each of weights) {
    const path = join(folder, toName(each));
    const now = new Date();
    const isHere = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (isHere) continue;
    // Another worker of this folder may bring the same file now.
    const part = `${path}.${randomUUID()}.part`;
    try {
      await client.downloadInput(leaseId, each.name, part, (bytes) => makeRoom(folder, bytes, { needed, readFreeOf }));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
  return paths;
}
