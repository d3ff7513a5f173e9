// Two snapshots compared: their blocks are read page by page and handed to a thread, which ends when nobody waits any more.
import { openThread } from '#service/threads/isolated.ts';
import { openAsks, type Asks } from '#service/threads/threadRequests.ts';
import { openSpares } from '#service/threads/idleThreads.ts';
import type { SnapshotComparison } from '#features/datasets/shared/contract/datasets.ts';
import type { Database } from '#service/database/database.ts';
import { readBlockPlaces, readPackedBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { readFrozenRecord, type FrozenRecord } from '#features/datasets/server/rows/snapshotFrame.ts';
import { notThere } from '#features/datasets/server/dataProblem.ts';
import { checkSnapshot } from '#features/datasets/server/snapshots.ts';
import type { CompareThread, Which } from './compareEntry.ts';

/** Blocks that are read together: some 2,000 rows. */
const BLOCKS = 8;

/** A dataset whose rows are in one of the snapshots, or in both. */
interface Source {
  readonly datasetId: string;
  readonly which: readonly Which[];
  /** The positions of the first rows of its blocks. */
  readonly firsts: Uint32Array;
}

/** Throws DataProblem 404. */
async function readRecord({ orm, guard }: Database, id: string, param: string): Promise<FrozenRecord> {
  const record = await guard(async () => {
    await checkSnapshot(orm, id, param);
    return readFrozenRecord(orm, id);
  });
  if (!record) throw notThere('snapshot', id, param);
  return record;
}

async function readFirsts(database: Database, { dataset_id, rows_end }: FrozenRecord): Promise<Uint32Array> {
  const places = await database.guard(() => readBlockPlaces(database, dataset_id));
  return Uint32Array.from(places.flatMap(({ first }) => (first < rows_end ? [first] : [])));
}

/** Hands over the blocks that are wanted, page after page. */
async function feed(
  database: Database,
  { datasetId, firsts }: Source,
  isWanted: (at: number) => boolean,
  take: (blocks: Awaited<ReturnType<typeof readPackedBlocks>>) => Promise<void>,
): Promise<void> {
  const wanted = firsts.filter((_, at) => isWanted(at));
  for (let at = 0; at < wanted.length; at += BLOCKS)
    await take(
      await database.guard(() => readPackedBlocks(database, datasetId, [...wanted.subarray(at, at + BLOCKS)])),
    );
}

async function compare(
  database: Database,
  { ask }: Pick<Asks<CompareThread>, 'ask'>,
  { before, after }: { readonly [Each in Which]: FrozenRecord },
): Promise<SnapshotComparison> {
  await ask('open', before, after);
  const longer = before.rows_end > after.rows_end ? before : after;
  const isOne = before.dataset_id === after.dataset_id;
  const sources: readonly Source[] = isOne
    ? [{ datasetId: longer.dataset_id, which: ['before', 'after'], firsts: await readFirsts(database, longer) }]
    : [
        { datasetId: before.dataset_id, which: ['before'], firsts: await readFirsts(database, before) },
        { datasetId: after.dataset_id, which: ['after'], firsts: await readFirsts(database, after) },
      ];
  for (const source of sources)
    await feed(
      database,
      source,
      () => true,
      (blocks) => ask('addHashes', source.which, blocks),
    );
  const firstsOf = (which: Which): Uint32Array =>
    sources.find((source) => source.which.includes(which))?.firsts ?? new Uint32Array();
  const left = await ask('pairHashes', { before: firstsOf('before'), after: firstsOf('after') });
  // Where one has no rows left, no question of the other has a partner.
  const hasPairs = [left.before, left.after].every((blocks) => blocks.includes(1));
  for (const source of hasPairs ? sources : [])
    await feed(
      database,
      source,
      (at) => source.which.some((each) => left[each][at] === 1),
      (blocks) => ask('addTexts', source.which, blocks),
    );
  return ask('finish');
}

/**
 * What snapshot `id` has that `other` has not, and the other way round. Throws DataProblem 404; rejects when `signal` is
 * aborted.
 */
export type CompareSnapshots = (id: string, other: string, signal: AbortSignal) => Promise<SnapshotComparison>;

export function openComparisons(database: Database): { compare: CompareSnapshots; close(): Promise<void> } {
  const spares = openSpares(() =>
    openAsks<CompareThread>(
      (onMessage) => openThread({ entry: new URL('./compareEntry.ts', import.meta.url), onMessage }),
      { toError: ({ error }) => error ?? new Error('The comparison was ended.') },
    ),
  );
  return {
    async compare(id, other, signal) {
      const after = await readRecord(database, id, 'snapshotId');
      const before = await readRecord(database, other, 'with');
      signal.throwIfAborted();
      const asks = spares.take();
      const end = (): void => void asks.isolated.end();
      signal.addEventListener('abort', end, { once: true });
      try {
        const found = await compare(database, asks, { before, after });
        spares.giveBack(asks);
        return found;
      } catch (error) {
        await asks.isolated.end();
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
    close: () => spares.close(),
  };
}
