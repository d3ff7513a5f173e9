// Orders for the process that renders rows: one at a time, what is shown before rows that are counted. It is started by the first
// order, ended when there are none for a while, and started again when it was ended for taking too long.
import { openProcess, type IsolatedEnd } from '#service/threads/isolated.ts';
import { openAsks, type Asks } from '#service/threads/threadRequests.ts';
import { inTime } from '#service/files/timeout.ts';
import type { ViewFile, ViewProcess } from './viewEntry.ts';

/** The template took more time or memory than it may: the message says how much that is. */
export class ViewTooMuch extends Error {
  override readonly name = 'ViewTooMuch';
}

/** llama.cpp crashed on a file, which is not opened again until it changes. */
class ViewCrash extends Error {}

export interface ViewQueue {
  /** Throws ViewTooMuch, or an error with the reason why the file can't be read. */
  readonly ask: Asks<ViewProcess>['ask'];
  close(): Promise<void>;
}

export interface ViewQueueOptions {
  /** Milliseconds of processor time that an order may take. */
  readonly limitMs?: number;
  /** Milliseconds that it may take in all: its file may be on a mount that hangs. */
  readonly longestMs?: number;
  readonly idleMs?: number;
}

const LIMIT_MS = 5_000;
const IDLE_MS = 60_000;
const LONGEST_MS = 60_000;
const MEMORY_MB = 512;

interface Job {
  readonly isShown: boolean;
  readonly file: ViewFile;
  /** Resolves and rejects what was asked. */
  readonly run: (asks: Asks<ViewProcess>) => Promise<void>;
  readonly reject: (error: unknown) => void;
}

const toClosing = (): Error => new Error('The studio is closing.');

function toError({ cause, signal, error }: IsolatedEnd, limitMs: number): Error {
  if (cause === 'asked') return toClosing();
  if (cause === 'crashed')
    return new ViewCrash(`llama.cpp crashed on its file (${signal ?? error?.message}), which is not opened again`);
  // A system that has no memory left kills.
  if (cause === 'failed' && signal !== 'SIGKILL')
    return new Error(`the process that reads it has failed (${error?.message})`);
  return new ViewTooMuch(`longer than ${limitMs / 1000} s, or more than ${MEMORY_MB} MB`);
}

export function openViewQueue(options: ViewQueueOptions = {}): ViewQueue {
  const { limitMs = LIMIT_MS, longestMs = LONGEST_MS, idleMs = IDLE_MS } = options;
  const waiting: Job[] = [];
  /** By the path and version of a file. */
  const crashes = new Map<string, ViewCrash>();
  let asks: Asks<ViewProcess> | null = null;
  let isBusy = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  function open(): Asks<ViewProcess> {
    const opened = openAsks<ViewProcess>(
      (onMessage) =>
        openProcess({
          entry: new URL('./viewEntry.ts', import.meta.url),
          memoryMb: MEMORY_MB,
          limitMs,
          // Otherwise llama.cpp starts a debugger at its end, which may hang.
          env: { GGML_NO_BACKTRACE: '1' },
          onMessage,
        }),
      {
        toError: (end) => toError(end, limitMs),
        refusal: Error,
        onEnd() {
          if (asks === opened) asks = null;
        },
      },
    );
    return opened;
  }

  async function end(): Promise<void> {
    const last = asks;
    asks = null;
    await last?.isolated.end();
  }

  function take(): Job | undefined {
    const shown = waiting.findIndex(({ isShown }) => isShown);
    return waiting.splice(Math.max(0, shown), 1)[0];
  }

  async function carryOut({ file: { path, version }, run, reject }: Job): Promise<void> {
    const key = `${path} ${version}`;
    const crash = crashes.get(key);
    if (crash) return reject(crash);
    try {
      await inTime(run((asks ??= open())), longestMs, () => {
        void end();
        return new Error('its disk or network mount does not answer');
      });
    } catch (error) {
      if (error instanceof ViewCrash) crashes.set(key, error);
      reject(error);
    }
  }

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(idle);
    for (let job = take(); job; job = take()) await carryOut(job);
    isBusy = false;
    idle = setTimeout(() => void end(), idleMs);
    idle.unref();
  }

  return {
    ask(method, ...given) {
      if (isClosed) return Promise.reject(toClosing());
      return new Promise((resolve, reject) => {
        const run = async (opened: Asks<ViewProcess>): Promise<void> => resolve(await opened.ask(method, ...given));
        waiting.push({ isShown: method !== 'count', file: given[0], run, reject });
        void work();
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(toClosing());
      await end();
    },
  };
}
