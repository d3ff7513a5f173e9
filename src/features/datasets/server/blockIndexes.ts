// What is kept of the blocks of datasets for the table of rows: where they are, and which pieces of text each may hold.
import type { BlockPlace } from '#features/datasets/server/rows/rowStore.ts';

/** The blocks of a dataset, in order. */
export interface BlockIndex {
  readonly places: readonly BlockPlace[];
  /** The pieces of text of each block, one set after the other. Read once; read again if that failed. */
  readGrams(): Promise<Buffer>;
  /** Reads them ahead of a search. One dataset has its turn at a time: the call does nothing while another one has. */
  warm(): void;
}

interface BlockReaders {
  readPlaces(datasetId: string): Promise<readonly BlockPlace[]>;
  readGrams(datasetId: string, places: readonly BlockPlace[]): Promise<Buffer>;
}

/** Indexes that are kept: 8 MB for 250,000 rows each. */
const MAX_INDEXES = 2;

/** The newest index of each dataset, by how many rows it has: rows are only added. */
export function openBlockIndexes(readers: BlockReaders): (datasetId: string, end: number) => Promise<BlockIndex> {
  const known = new Map<string, { readonly end: number; readonly index: Promise<BlockIndex> }>();
  let isWarming = false;

  async function openIndex(id: string): Promise<BlockIndex> {
    const places = await readers.readPlaces(id);
    let grams: Promise<Buffer> | null = null;
    function readGrams(): Promise<Buffer> {
      if (grams) return grams;
      const reading = readers.readGrams(id, places);
      reading.catch(() => {
        grams = null;
      });
      grams = reading;
      return reading;
    }
    return {
      places,
      readGrams,
      warm() {
        if (isWarming || grams) return;
        isWarming = true;
        const release = (): void => {
          isWarming = false;
        };
        // A failure is no matter here: a search reads them again, and says what is wrong.
        readGrams().then(release, release);
      },
    };
  }

  return (id, end) => {
    const last = known.get(id);
    known.delete(id);
    const entry = last?.end === end ? last : { end, index: openIndex(id) };
    known.set(id, entry);
    entry.index.catch(() => known.delete(id));
    const [oldest] = known.keys();
    if (known.size > MAX_INDEXES && oldest !== undefined) known.delete(oldest);
    return entry.index;
  };
}
