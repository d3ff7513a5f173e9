// Files for the service: near ones are asked here, far ones in a process of their own, which is started when it is needed.
import { openProcess, type Isolated } from '#service/threads/isolated.ts';
import { openAsks, type Asks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import { toFiles, type Files } from './files.ts';
import { inTime } from './timeout.ts';
import { PLACE_ENV, Silence } from './mountCalls.ts';

export interface FilesOptions {
  /** The studio's own folders. */
  readonly near: readonly string[];
  readonly open?: (onReply: (reply: Reply) => void) => Isolated<Question>;
  /** Milliseconds after which an answer is given up, from whatever it waits for. */
  readonly longest?: number;
}

export interface OpenFiles extends Files {
  close(): Promise<void>;
}

const LONGEST_MS = 5_000;

const openFilesProcess: NonNullable<FilesOptions['open']> = (onMessage) =>
  openProcess({ entry: new URL('./filesEntry.ts', import.meta.url), env: PLACE_ENV, onMessage });

/** A refusal of the process, with the class that it had there. */
const toOwn = (error: unknown): unknown =>
  error instanceof Error && 'since' in error && typeof error.since === 'number' ? new Silence(error.since) : error;

export function openFiles({ near, open = openFilesProcess, longest = LONGEST_MS }: FilesOptions): OpenFiles {
  let asks: Asks<Files> | null = null;
  let isClosed = false;

  function start(): Asks<Files> {
    const opened = openAsks<Files>(open, {
      toError: () => new Error('The process that reads files has ended. Try again.'),
      refusal: Error,
      onEnd() {
        if (asks === opened) asks = null;
      },
    });
    return opened;
  }

  async function ask<Method extends keyof Files>(
    method: Method,
    ...given: Parameters<Files[Method]>
  ): Promise<Awaited<ReturnType<Files[Method]>>> {
    if (isClosed) throw new Error('The studio is shutting down.');
    const begun = Date.now();
    try {
      return await inTime((asks ??= start()).ask(method, ...given), longest, () => new Silence(begun));
    } catch (error) {
      throw toOwn(error);
    }
  }

  return {
    ...toFiles(near, {
      find: (path) => ask('find', path),
      read: (path, at, length) => ask('read', path, at, length),
    }),
    async close() {
      isClosed = true;
      await asks?.isolated.end();
    },
  };
}
