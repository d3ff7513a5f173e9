// The one way to run code beside the service that can be ended at any time: in a thread, or in a process where code that
// is not ours may crash, hang or keep the processor.
import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { OUT_OF_TIME, type IsolatedData, type IsolatedMessage } from './isolatedSide.ts';
import { forOwnProcess } from './childEnvironment.ts';

interface IsolatedOptions<From> {
  /** What runs: `new URL('./<name>Entry.ts', import.meta.url)`, literally, so that it is found where the service is bundled. */
  readonly entry: URL;
  readonly onMessage: (message: From) => void;
  /** Most MiB of JavaScript's objects. */
  readonly memoryMb?: number;
}

export interface ThreadOptions<From> extends IsolatedOptions<From> {
  /** What it begins with (`readData`). */
  readonly data?: unknown;
}

export interface ProcessOptions<From> extends IsolatedOptions<From> {
  /** Milliseconds of processor time that each task may take (`withinLimit`). */
  readonly limitMs?: number;
  /** Variables beside the service's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * How it ended. `done`: by itself and well. `asked`: by `end`. `memory`, `time`: it needed more than it may have. `crashed`:
 * in native code.
 */
export interface IsolatedEnd {
  readonly cause: 'done' | 'asked' | 'memory' | 'time' | 'crashed' | 'failed';
  /** For the log; its message alone may be shown to people. */
  readonly error: Error | null;
  /** That ended a process. */
  readonly signal: NodeJS.Signals | null;
  /** The last lines that a process wrote to stderr. */
  readonly lastLines: readonly string[];
}

export interface Isolated<To> {
  /** Of a process. */
  readonly pid: number | null;
  /** Does nothing once it has ended. `memory` moves to a thread, and is copied to a process. */
  post(message: To, memory?: readonly ArrayBuffer[]): void;
  readonly ended: Promise<IsolatedEnd>;
  /**
   * Ends it. `patienceMs`: it may finish the messages that it has. A thread that compresses needs that: to terminate it may
   * hit the moment in which it makes a compressor, and then Node ends the whole process ("close before init").
   */
  end(patienceMs?: number): Promise<void>;
  /** Whether it keeps the service's process running; at first it does. Each `true` counts until its `false`. */
  hold(isHeld: boolean): void;
}

/** Characters of stderr that are kept. */
const MAX_LAST = 4_096;
/** Time for the last of them after the process has ended. */
const LAST_MS = 500;
/** A process that waits for a disk in a call of the system can't be killed before that answers. It is left behind. */
const KILL_MS = 2_000;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Node gives a thread 16 MiB beyond its limit to end in. V8 moves the young objects that it kept at once, by default up to
 * 48 MiB: then there is no room, and V8 ends the whole process.
 */
const YOUNG = { maxYoungGenerationSizeMb: 16 };

/** TypeScript needs a start of its own; what is bundled runs as it is. */
const toStart = (entry: URL): URL =>
  entry.pathname.endsWith('.ts') ? new URL('./isolatedStart.mjs', import.meta.url) : entry;

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Counts who holds it. */
function toHold(set: (isHeld: boolean) => void): (isHeld: boolean) => void {
  let count = 1;
  return (isHeld) => {
    count += isHeld ? 1 : -1;
    set(count > 0);
  };
}

/** `stop`: asks it to end by itself. */
async function endWithin(patienceMs: number, ended: Promise<unknown>, stop: () => void, kill: () => void) {
  if (patienceMs === 0) kill();
  else stop();
  const timer = setTimeout(kill, patienceMs);
  await ended;
  clearTimeout(timer);
}

export function openThread<To, From>(options: ThreadOptions<From>): Isolated<To> {
  const { entry, data, memoryMb, onMessage } = options;
  const given: IsolatedData<unknown> = { entry: entry.href, data };
  const worker = new Worker(toStart(entry), {
    execArgv: [],
    workerData: given,
    ...(memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...YOUNG } }),
  });
  let isAsked = false;
  let error: Error | null = null;
  worker.on('message', onMessage);
  worker.on('error', (thrown) => {
    error = toError(thrown);
  });
  const ended = new Promise<IsolatedEnd>((resolve) => {
    worker.on('exit', (code) => {
      const isMemory = error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const cause = isAsked ? 'asked' : isMemory ? 'memory' : error === null && code === 0 ? 'done' : 'failed';
      if (cause === 'failed') error ??= new Error(`It ended with the exit code ${code}.`);
      resolve({ cause, error: isAsked ? null : error, signal: null, lastLines: [] });
    });
  });
  const post = (message: IsolatedMessage<To>, moved: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, [...moved]);
  return {
    pid: null,
    post: (value, moved) => post({ value }, moved),
    ended,
    async end(patienceMs = 0) {
      isAsked = true;
      worker.ref();
      const kill = (): void => void worker.terminate();
      await endWithin(patienceMs, ended, () => post({ stop: true }), kill);
    },
    hold: toHold((isHeld) => (isHeld ? worker.ref() : worker.unref())),
  };
}

/** Signals that the system sends to code which can't go on. Windows has numbers of 32 bits in their place. */
const CRASHES: ReadonlySet<string | null> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);
const MAX_EXIT_CODE = 255;
const OUT_OF_MEMORY = /out of memory|bad_alloc/i;

/** What a process that was not asked to end has died of. */
function toCause(
  code: number | null,
  signal: NodeJS.Signals | null,
  lastLines: readonly string[],
): IsolatedEnd['cause'] {
  if (code === 0) return 'done';
  if (lastLines.includes(OUT_OF_TIME)) return 'time';
  if (lastLines.some((line) => OUT_OF_MEMORY.test(line))) return 'memory';
  return CRASHES.has(signal) || (code ?? 0) > MAX_EXIT_CODE ? 'crashed' : 'failed';
}

/** Keeps the end of what a process writes to stderr. */
function keepLastLines(child: ChildProcess): () => readonly string[] {
  let text = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (more: string) => {
    text = (text + more).slice(-MAX_LAST);
  });
  return () => text.split('\n').filter((line) => line.trim() !== '');
}

/** Also what it has started, which may outlive it. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(IS_WINDOWS ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The process gets no secret of the studio, and ends when the service does. */
export function openProcess<To, From>(options: ProcessOptions<From>): Isolated<To> {
  const { entry, memoryMb, limitMs, env = {}, onMessage } = options;
  const child = fork(fileURLToPath(toStart(entry)), [entry.href, String(limitMs)], {
    env: { ...forOwnProcess(), ...env },
    execArgv: memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    // Of a group of its own: what it has started ends with it.
    detached: !IS_WINDOWS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const readLast = keepLastLines(child);
  let isAsked = false;
  let leave = (): void => undefined;
  child.on('message', (message) => onMessage(message as From));
  const ended = new Promise<IsolatedEnd>((resolve) => {
    leave = () => resolve({ cause: 'asked', error: null, signal: null, lastLines: readLast() });
    let failure: Error | null = null;
    const settle = (code: number | null, signal: NodeJS.Signals | null): void => {
      const lastLines = readLast();
      const cause = isAsked ? 'asked' : failure ? 'failed' : toCause(code, signal, lastLines);
      const how = signal === null ? `with the exit code ${String(code)}` : `by the signal ${signal}`;
      const error = cause === 'failed' || cause === 'crashed' ? (failure ?? new Error(`It ended ${how}.`)) : null;
      resolve({ cause, error, signal, lastLines });
    };
    child.on('error', (error) => {
      failure = error;
      // It could not be started; otherwise its end is still to come.
      if (child.pid === undefined) settle(null, null);
    });
    child.on('exit', (code, signal) => {
      killGroup(child);
      const timer = setTimeout(() => settle(code, signal), LAST_MS);
      child.on('close', () => {
        clearTimeout(timer);
        settle(code, signal);
      });
    });
  });
  const post = (message: IsolatedMessage<To>): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  const hold = toHold((isHeld) => {
    const pipe = child.stderr as Socket | null;
    for (const handle of [child, child.channel, pipe]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  });
  return {
    pid: child.pid ?? null,
    post: (value) => post({ value }),
    ended,
    async end(patienceMs = 0) {
      isAsked = true;
      hold(true);
      const kill = (): void => {
        killGroup(child);
        setTimeout(leave, KILL_MS).unref();
      };
      await endWithin(patienceMs, ended, () => post({ stop: true }), kill);
      hold(false);
    },
    hold,
  };
}
