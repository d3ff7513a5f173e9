// The hashes of a dataset's rows as numbers: 9 bytes a row, read in slices so that the service goes on answering, and kept,
// because rows never change and people move the split to and fro.
import { setImmediate as rest } from 'node:timers/promises';
import type { SplitHashes } from '#features/datasets/shared/split.ts';
import type { Database } from '#service/database/database.ts';
import { readBlockHashes } from '#features/datasets/server/rows/rowBlocks.ts';
import { readNextBlocks } from '#features/datasets/server/rows/rowStore.ts';

/** Blocks of a slice: some ms. */
const BLOCKS = 4;
/** Datasets that are kept. */
const MAX_KEPT = 2;

const toEmpty = (count: number): SplitHashes => ({
  places: new Uint32Array(count),
  rests: new Uint32Array(count),
  chosen: new Uint8Array(count),
});

async function readHashes(database: Database, id: string, known: SplitHashes, end: number): Promise<SplitHashes> {
  const all = toEmpty(end);
  all.places.set(known.places);
  all.rests.set(known.rests);
  all.chosen.set(known.chosen);
  for (let at = known.places.length; at < end;) {
    const blocks = await readNextBlocks(database, id, at, BLOCKS);
    const last = blocks.at(-1);
    if (!last) throw new Error(`The dataset ${id} has fewer rows than its record says.`);
    for (const { first, text } of blocks) at = readBlockHashes(text, first, all);
    await rest();
  }
  return all;
}

/** Asks for the first `end` rows of a dataset. What it gives must not be changed. */
export type HashesOf = (datasetId: string, end: number) => Promise<SplitHashes>;

export function openRowHashes(database: Database): HashesOf {
  const known = new Map<string, Promise<SplitHashes>>();
  return async (id, end) => {
    const last = known.get(id);
    const read = (async () => {
      const old = await last?.catch(() => null);
      return old && old.places.length >= end ? old : readHashes(database, id, old ?? toEmpty(0), end);
    })();
    known.delete(id);
    known.set(id, read);
    read.catch(() => known.delete(id));
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
    const { places, rests, chosen } = await read;
    return { places: places.subarray(0, end), rests: rests.subarray(0, end), chosen: chosen.subarray(0, end) };
  };
}
