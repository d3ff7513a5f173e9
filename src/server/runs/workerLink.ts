// Questions to the worker that reads roots. If it ends by itself, that is said, and it is started again.
import { Worker } from 'node:worker_threads';
import { stackOf } from './errorText.ts';
import { RunsUnavailable } from './runs.ts';
import type { RunsCore, RunsMethod, RunsReply } from './runsMessages.ts';

/** What is needed of a worker thread. */
export interface RunsThread {
  on(event: 'message', listener: (reply: RunsReply) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(question: unknown): void;
  terminate(): Promise<unknown>;
  unref(): void;
}

export interface LinkOptions {
  readonly startThread?: () => RunsThread;
  /** Called for each new thread, before any other question. */
  readonly onStart: (link: WorkerLink) => void;
  readonly report: (line: string) => void;
  readonly later?: (act: () => void, ms: number) => void;
}

const MAX_WORKER_MB = 4096;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A thread that lived so long did not fail at its start. */
const STEADY_MS = 60_000;

const startWorker = (): RunsThread =>
  new Worker(new URL('./runsWorkerStart.mjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MB },
  });

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerLink {
  #thread: RunsThread | null = null;
  #startedAt = 0;
  #wait = FIRST_WAIT_MS;
  #isClosed = false;
  #isWaiting = false;
  #number = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(readonly options: LinkOptions) {}

  /** Rejects with RunsUnavailable while the worker is away, and with Error for a defect. */
  ask<Method extends RunsMethod>(
    method: Method,
    ...given: Parameters<RunsCore[Method]>
  ): Promise<Awaited<ReturnType<RunsCore[Method]>>> {
    if (this.#isClosed || this.#isWaiting) return Promise.reject(this.#toUnavailable());
    if (this.#thread === null) this.#start();
    const number = (this.#number += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: resolve as Waiting['resolve'], reject });
      this.#thread?.postMessage({ number, method, arguments: given });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#thread = null;
    this.#rejectAll();
    // Nothing is written, so nothing can be cut off.
    await thread?.terminate();
  }

  #start(): void {
    const thread = (this.options.startThread ?? startWorker)();
    this.#thread = thread;
    this.#startedAt = performance.now();
    thread.unref();
    thread.on('message', (reply) => this.#onReply(reply));
    thread.on('error', (error) => this.#onEnd(thread, error));
    thread.on('exit', () => this.#onEnd(thread, new Error('It ended.')));
    this.options.onStart(this);
  }

  #onReply(reply: RunsReply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (reply.type === 'answer') waiting?.resolve(reply.value);
    else waiting?.reject(new Error(`The worker that reads runs failed: ${reply.stack}`));
  }

  #onEnd(thread: RunsThread, error: unknown): void {
    if (this.#thread !== thread || this.#isClosed) return;
    this.#thread = null;
    this.#isWaiting = true;
    if (performance.now() - this.#startedAt > STEADY_MS) this.#wait = FIRST_WAIT_MS;
    const wait = this.#wait;
    this.#wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    this.options.report(`The worker that reads the folders of runs has failed and is started again: ${stackOf(error)}`);
    this.#rejectAll();
    const later = this.options.later ?? ((act: () => void, ms: number) => void setTimeout(act, ms).unref());
    later(() => {
      this.#isWaiting = false;
      if (!this.#isClosed) this.#start();
    }, wait);
  }

  #rejectAll(): void {
    for (const { reject } of this.#waiting.values()) reject(this.#toUnavailable());
    this.#waiting.clear();
  }

  #toUnavailable(): RunsUnavailable {
    return new RunsUnavailable(
      this.#isClosed
        ? 'The studio is shutting down. Ask again when it is back.'
        : 'The part of the studio that reads the folders of runs is being started again. Ask again in some seconds.',
    );
  }
}
