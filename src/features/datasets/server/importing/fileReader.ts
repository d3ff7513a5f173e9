// A file that is read in a thread of its own, with bounded memory: chunks wait until the thread has read those before.
import { openThread } from '#service/threads/isolated.ts';
import { moving, openAsks } from '#service/threads/threadRequests.ts';
import type { RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import type { FileResult, ImportOrder } from './fileRows.ts';
import type { ImportThread } from './importEntry.ts';
import { ImportRefused } from './importFailures.ts';
import { openStoreQueue } from './storeQueue.ts';

export interface FileReader {
  /** Resolves when the next chunk may come. The bytes must not be used afterwards. Rejects when the thread has failed. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when all blocks are stored. */
  end(): Promise<FileResult>;
  /** Ends the thread after the pieces that it has. */
  stop(): Promise<void>;
}

/** Chunks of the network are sent in pieces of so many bytes, because each piece with rows is a transaction... */
const PIECE = 512 * 1024;
/** ...or after this time, so that the rows of a slow upload are seen. */
const PIECE_MS = 200;
/** A piece of lines takes nearly nothing, the last of Parquet all of its time. */
const LONGEST_MS = 5 * 60_000;
const TOO_SLOW =
  'A part of the file took more than 5 minutes to read, so it was given up. It may be damaged: copy it again, or convert it to JSONL.';
/** Pieces that the thread may have before it: enough to be busy while blocks are stored. */
const AHEAD = 3;

/** `store`: called with blocks in their order, one call at a time. */
export function openFileReader(order: ImportOrder, store: (blocks: readonly RowBlock[]) => Promise<void>): FileReader {
  const { isolated, ask } = openAsks<ImportThread>((onMessage) =>
    openThread({ entry: new URL('./importEntry.ts', import.meta.url), data: order, onMessage }),
  );
  const queue = openStoreQueue(isolated, AHEAD, store);
  /** Pieces that the thread gave back. New ones all the time would make V8 collect garbage all the time. */
  const spare: Uint8Array<ArrayBuffer>[] = [];
  let isRefused = false;
  let piece = new Uint8Array(PIECE);
  let held = 0;
  let sentAt = 0;

  async function read(bytes: Uint8Array<ArrayBuffer>): Promise<readonly RowBlock[]> {
    const answer = await ask('push', moving(bytes, [bytes.buffer]));
    spare.push(new Uint8Array(answer.memory));
    ({ isRefused } = answer);
    return answer.blocks;
  }

  /** A damaged table may keep its reader busy for ever. */
  async function limited<T>(reading: Promise<T>): Promise<T> {
    let isTooSlow = false;
    const timer = setTimeout(() => {
      isTooSlow = true;
      void isolated.end();
    }, LONGEST_MS);
    try {
      return await reading;
    } catch (error) {
      throw isTooSlow ? new ImportRefused('too_slow', TOO_SLOW, null) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function sendPiece(): Promise<void> {
    const bytes = piece.subarray(0, held);
    held = 0;
    sentAt = performance.now();
    await limited(queue.add(read(bytes)));
    piece = spare.pop() ?? new Uint8Array(PIECE);
  }

  return {
    async write(chunk) {
      // The rest of a file that can't be kept is taken, so that its sender gets the answer, and dropped.
      if (isRefused) return;
      // A chunk is a part of a larger buffer, which can't move to the thread.
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + PIECE - held);
        piece.set(part, held);
        held += part.length;
        at += part.length;
        if (held === PIECE || performance.now() - sentAt >= PIECE_MS) await sendPiece();
      }
    },
    async end() {
      if (held > 0) await sendPiece();
      const last = ask('end');
      await limited(queue.add(last.then(({ blocks }) => blocks)).then(() => queue.end()));
      void queue.stop();
      return (await last).result;
    },
    stop: () => queue.stop(),
  };
}
