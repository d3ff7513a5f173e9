// The process that renders rows, seen from the studio: orders one at a time, shown rows before counted ones. It is started
// by the first order, ended when there are none for a while, and started again when it was ended for taking too long.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ViewOrder, ViewReply } from './viewMessages.ts';

/** The rows took more time or memory than they may: the message is for people. */
export class ViewTooMuch extends Error {
  override readonly name = 'ViewTooMuch';
}

export interface ViewChild {
  /** Throws ViewTooMuch, or the error of a process that can't be started. */
  ask(order: ViewOrder): Promise<ViewReply>;
  close(): Promise<void>;
}

export interface ViewChildOptions {
  /** Milliseconds of processor time that an order may take. */
  readonly limitMs?: number;
  readonly idleMs?: number;
}

const LIMIT_MS = 5_000;
const IDLE_MS = 60_000;
const MEMORY_MB = 512;
/** What rendering has no need of. */
const SECRETS: ReadonlySet<string> = new Set(['STUDIO_TOKEN', 'STUDIO_API_KEY', 'STUDIO_ENGINE_KEY', 'DATABASE_URL']);

interface Job {
  readonly order: ViewOrder;
  readonly resolve: (reply: ViewReply) => void;
  readonly reject: (error: Error) => void;
}

function start(limitMs: number): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRETS.has(name)));
  return fork(fileURLToPath(new URL('./viewProcessStart.mjs', import.meta.url)), [String(limitMs)], {
    env,
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

export function openViewChild({ limitMs = LIMIT_MS, idleMs = IDLE_MS }: ViewChildOptions = {}): ViewChild {
  const waiting: Job[] = [];
  let child: ChildProcess | null = null;
  let job: Job | null = null;
  let isReady = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  function take(): Job | undefined {
    const at = Math.max(
      0,
      waiting.findIndex(({ order }) => order.kind === 'view'),
    );
    return waiting.splice(at, 1)[0];
  }

  function next(): void {
    if (job !== null || isClosed) return;
    if (waiting.length === 0) {
      idle = setTimeout(() => child?.kill('SIGKILL'), idleMs);
      idle.unref();
      return;
    }
    clearTimeout(idle);
    child ??= openChild();
    if (!isReady) return;
    job = take() ?? null;
    if (job) child.send(job.order);
  }

  function onEnd(ended: ChildProcess, error: Error | null): void {
    if (child !== ended) return;
    const failed = job ?? (isReady ? null : (take() ?? null));
    child = null;
    job = null;
    isReady = false;
    failed?.reject(
      isClosed
        ? new Error('The studio is closing.')
        : (error ??
            new ViewTooMuch(
              `The chat template takes longer than ${limitMs / 1000} s, or more than ${MEMORY_MB} MB. Correct the template of ` +
                'the model, or shorten the row.',
            )),
    );
    next();
  }

  function openChild(): ChildProcess {
    const opened = start(limitMs);
    opened.on('message', (reply: ViewReply) => {
      if (child !== opened) return;
      if (reply.kind === 'ready') isReady = true;
      else {
        job?.resolve(reply);
        job = null;
      }
      next();
    });
    opened.on('error', (error) => onEnd(opened, error));
    opened.on('exit', () =>
      onEnd(opened, isReady || isClosed ? null : new Error('The process that renders rows could not be started.')),
    );
    return opened;
  }

  return {
    ask(order) {
      if (isClosed) return Promise.reject(new Error('The studio is closing.'));
      return new Promise((resolve, reject) => {
        waiting.push({ order, resolve, reject });
        next();
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      for (const { reject } of waiting.splice(0)) reject(new Error('The studio is closing.'));
      const last = child;
      if (!last || last.exitCode !== null || last.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => {
        last.once('exit', () => resolve());
      });
      last.kill('SIGKILL');
      await ended;
    },
  };
}
