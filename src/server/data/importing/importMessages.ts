// What the thread of an import and its starter say to each other.
import type { RowBlock } from '#server/studio/rows/rowBlocks.ts';
import type { Stop } from './endThread.ts';
import type { FileResult } from './fileRows.ts';

export type ToImporter =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  | Stop;

export type FromImporter =
  /** A chunk was read. `blocks`: those that are full now; `rows`: so far. */
  | {
      readonly kind: 'read';
      readonly blocks: readonly RowBlock[];
      readonly rows: number;
      readonly isRefused: boolean;
      /** The memory of the chunk, for a next one. */
      readonly memory: ArrayBuffer;
    }
  | { readonly kind: 'end'; readonly blocks: readonly RowBlock[]; readonly result: FileResult };
