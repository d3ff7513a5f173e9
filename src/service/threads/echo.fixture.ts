// What tests run apart: it answers, crashes, fills its memory or keeps its processor when asked to.
import { spawn } from 'node:child_process';
import { openSide, readData } from './isolatedSide.ts';
import { answerAsks, moving, type Question, type Reply } from './threadRequests.ts';

const side = openSide<Question, Reply>();

export interface Echo {
  echo(value: unknown): Promise<unknown>;
  readData(): Promise<unknown>;
  readPid(): Promise<number>;
  readEnv(name: string): Promise<string | undefined>;
  /** The memory moves. */
  giveBack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  /** Starts a process that holds the stderr of this one open, and gives its number. */
  startChild(): Promise<number>;
  throwError(): Promise<never>;
  refuse(): Promise<never>;
  /** Throws where nobody catches it. */
  crash(): Promise<void>;
  fillMemory(): Promise<void>;
  /** Never gives the thread back. */
  spin(): Promise<void>;
  abort(): Promise<void>;
}

const kept: unknown[] = [];

const echo: Echo = {
  echo: async (value) => value,
  giveBack: async (bytes) => moving(bytes, [bytes.buffer]),
  readData: async () => readData(),
  readPid: async () => process.pid,
  readEnv: async (name) => process.env[name],
  startChild: async () =>
    spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: ['ignore', 'ignore', 'inherit'] })
      .pid ?? 0,
  throwError: async () => {
    throw new Error('a defect');
  },
  refuse: async () => {
    throw Object.assign(new RangeError('too large'), { most: 3 });
  },
  crash: async () => void setTimeout(() => kept.push((null as unknown as { length: number }).length), 1),
  fillMemory: async () => {
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })));
  },
  spin: () =>
    side.withinLimit(async () => {
      for (;;);
    }),
  abort: async () => {
    process.stderr.write('ASSERT(a == b) failed\n');
    process.abort();
  },
};

answerAsks(side, echo, RangeError);
