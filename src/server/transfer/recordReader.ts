// A project's file that is read in a thread of its own, with bounded memory: a piece waits until those before are stored.
import { Worker } from 'node:worker_threads';
import { endThread } from '#server/data/importing/endThread.ts';
import type { FileItem } from './fileRecords.ts';
import type { FromTransfer, ToTransfer } from './transferMessages.ts';
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
  const worker = new Worker(new URL('./transferWorkerStart.mjs', import.meta.url), { execArgv: [] });
  let storing: Promise<void> = Promise.resolve();
  let waiting = 0;
  let failure: unknown = null;
  let wake: () => void = () => undefined;
  let isRead = false;

  function fail(error: unknown): void {
    failure ??= error;
    wake();
  }
  worker.on('message', (message: FromTransfer) => {
    isRead ||= message.kind !== 'read';
    if (message.kind === 'refused')
      return fail(new TransferProblem(400, message.code, message.message, { param: 'file' }));
    storing = storing
      .then(() => (failure === null ? store(message.items) : undefined))
      .then(() => {
        waiting -= 1;
        return wake();
      }, fail);
    return undefined;
  });
  worker.on('error', fail);
  worker.on('exit', () => {
    if (!isRead) fail(new Error('The thread that reads the file has ended.'));
  });

  async function untilBelow(count: number): Promise<void> {
    if (failure !== null) throw failure;
    if (waiting < count) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    await untilBelow(count);
  }

  function send(message: ToTransfer, memory: readonly ArrayBuffer[] = []): void {
    waiting += 1;
    worker.postMessage(message, [...memory]);
  }

  return {
    async write(chunk) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        await untilBelow(AHEAD);
        // A chunk is a part of a larger buffer, which can't move to the thread.
        const bytes = Uint8Array.from(chunk.subarray(at, at + PIECE));
        send({ kind: 'chunk', bytes }, [bytes.buffer]);
      }
      if (failure !== null) throw failure;
    },
    async end() {
      send({ kind: 'end' });
      await untilBelow(1);
    },
    async stop() {
      await endThread(worker);
      await storing.catch(() => undefined);
    },
  };
}
