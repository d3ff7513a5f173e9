// A file that is read in a thread of its own, with bounded memory: chunks wait until the thread has read those before.
import { Worker } from 'node:worker_threads';
import type { RowBlock } from '#server/studio/rows/rowBlocks.ts';
import { endThread } from './endThread.ts';
import type { FileResult, ImportOrder } from './fileRows.ts';
import type { FromImporter, ToImporter } from './importMessages.ts';

export interface FileReader {
  /** Resolves when the next chunk may come. The bytes must not be used afterwards. Rejects when the thread has failed. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when all blocks are stored. */
  end(): Promise<FileResult>;
  /** Ends the thread after the pieces that it has. */
  stop(): Promise<void>;
  readonly rows: number;
}

/** Chunks of the network are sent in pieces of so many bytes, because each piece with rows is a transaction... */
const PIECE = 512 * 1024;
/** ...or after this time, so that the rows of a slow upload are seen. */
const PIECE_MS = 200;
/** Pieces that the thread may have before it: enough to be busy while blocks are stored. */
const AHEAD = 3;

/** `store`: called with blocks in their order, one call at a time. */
export function openFileReader(order: ImportOrder, store: (blocks: readonly RowBlock[]) => Promise<void>): FileReader {
  const worker = new Worker(new URL('./importWorkerStart.mjs', import.meta.url), { execArgv: [], workerData: order });
  let rows = 0;
  let waiting = 0;
  let storing = Promise.resolve();
  let failure: unknown = null;
  let wake: () => void = () => undefined;
  let finish: (result: FileResult) => void = () => undefined;
  let isRefused = false;
  let fail: (reason: unknown) => void = () => undefined;
  const ended = new Promise<FileResult>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  // Whoever writes is told first.
  ended.catch(() => undefined);

  function onFailure(error: unknown): void {
    failure ??= error;
    fail(failure);
    wake();
  }

  /** Pieces that the thread gave back. New ones all the time would make V8 collect garbage all the time. */
  const spare: Uint8Array<ArrayBuffer>[] = [];
  let hasRead = false;
  worker.on('message', (message: FromImporter) => {
    hasRead ||= message.kind === 'end';
    if (message.kind === 'read') spare.push(new Uint8Array(message.memory));
    storing = storing.then(() => store(message.blocks));
    storing.then(() => {
      if (message.kind === 'end') return finish(message.result);
      waiting -= 1;
      rows = message.rows;
      isRefused = message.isRefused;
      return wake();
    }, onFailure);
  });
  worker.on('error', onFailure);
  // After its last message the thread ends while the last blocks are still being stored.
  worker.on('exit', () => {
    if (!hasRead) onFailure(new Error('The thread that reads the file has ended.'));
  });

  const send = (message: ToImporter, memory: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, [...memory]);

  let piece: Uint8Array<ArrayBuffer> | null = null;
  let held = 0;
  let sentAt = 0;
  function sendPiece(): void {
    if (!piece || held === 0) return;
    send({ kind: 'chunk', bytes: piece.subarray(0, held) }, [piece.buffer]);
    piece = null;
    held = 0;
    sentAt = performance.now();
    waiting += 1;
  }
  const isFull = (): boolean => waiting >= AHEAD && failure === null;

  async function untilRoom(): Promise<void> {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (isFull()) await untilRoom();
  }

  return {
    async write(chunk) {
      if (failure !== null) throw failure;
      // The rest of a file that can't be kept is taken, so that its sender gets the answer, and dropped.
      if (isRefused) return;
      // A chunk is a part of a larger buffer, which can't move to the thread.
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + PIECE - held);
        piece ??= spare.pop() ?? new Uint8Array(PIECE);
        piece.set(part, held);
        held += part.length;
        at += part.length;
        if (held === PIECE || performance.now() - sentAt >= PIECE_MS) sendPiece();
        if (isFull()) await untilRoom();
        if (failure !== null) throw failure;
      }
    },
    end() {
      sendPiece();
      send({ kind: 'end' });
      return ended;
    },
    async stop() {
      await endThread(worker);
      await storing.catch(() => undefined);
    },
    get rows() {
      return rows;
    },
  };
}
