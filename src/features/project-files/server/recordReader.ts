// A project's file that is read in a thread of its own, with bounded memory: a piece waits until those before are stored.
import { openThread } from '#service/threads/isolated.ts';
import { moving, openAsks } from '#service/threads/threadRequests.ts';
import { openStoreQueue } from '#features/datasets/server/importing/storeQueue.ts';
import type { FileItem, FileRecords } from './fileRecords.ts';
import { TransferProblem } from './transferProblem.ts';

export interface RecordReader {
  /** Resolves when the next chunk may come. Rejects with what went wrong before. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when all records are stored. */
  end(): Promise<void>;
  /** Ends the thread after the pieces that it has. */
  stop(): Promise<void>;
}

/** A piece may inflate a thousand times: small pieces bound what the thread holds. */
const PIECE = 64 * 1024;
/** Pieces that the thread may have before it. */
const AHEAD = 4;

/** `store`: called with records in their order, one call at a time. */
export function openRecordReader(store: (items: readonly FileItem[]) => Promise<void>): RecordReader {
  const { isolated, ask } = openAsks<FileRecords>(
    (onMessage) => openThread({ entry: new URL('./transferEntry.ts', import.meta.url), onMessage }),
    { refusal: TransferProblem },
  );
  const queue = openStoreQueue(isolated, AHEAD, store);
  return {
    async write(chunk) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        // A chunk is a part of a larger buffer, which can't move to the thread.
        const bytes = Uint8Array.from(chunk.subarray(at, at + PIECE));
        await queue.add(ask('push', moving(bytes, [bytes.buffer])));
      }
    },
    async end() {
      await queue.add(ask('end'));
      await queue.end();
    },
    stop: () => queue.stop(),
  };
}
