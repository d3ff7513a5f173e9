// Compiles requests in worker threads, so that one which takes too long can be ended and the service's loop stays free.
import { Worker } from 'node:worker_threads';
import { throwIfAborted, toAbortError } from './abort.ts';
import type { TemplateSource } from './chatTemplate.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import type { CompileOrder, CompileReply } from './compileMessages.ts';
import { EngineError } from './engine.ts';

export interface Compiler {
  /** Starts the workers, so that the first request need not wait for them. */
  warm(): void;
  /**
   * A request's prompt and grammar. Rejects with EngineError 400 for what can't be compiled or takes longer than the
   * limit, and with AbortError at once when `signal` is aborted.
   */
  prepare(request: CompileRequest, template: TemplateSource, signal: AbortSignal): Promise<Compiled>;
  close(): Promise<void>;
}

export interface CompilerOptions {
  /** Time for one request, from the moment that a worker takes it up. */
  readonly limitMs?: number;
  /** One works; while it is replaced, another does. */
  readonly workers?: number;
}

/** Templates that a worker keeps. */
const PLACES = 16;
const MAX_WORKER_MB = 256;
/** Of a request's time, what its grammar may take. */
const GRAMMAR_SHARE = 0.8;

interface Job {
  readonly request: CompileRequest;
  readonly template: TemplateSource;
  readonly resolve: (compiled: Compiled) => void;
  readonly reject: (error: Error) => void;
}

function firstPart({ response_format, tools }: CompileRequest): string {
  if (response_format !== undefined) return 'response_format';
  return tools === undefined ? 'messages' : 'tools';
}

/** What is said of a request that was ended; `param`: the field that was being compiled. */
function toTooMuch(param: string, what: string): EngineError {
  if (param === 'messages') {
    const message = `The model's chat template takes ${what} for these messages. Send fewer or shorter messages.`;
    return new EngineError(message, 400, 'template_error', param);
  }
  const message = `Compiling ${param} takes ${what}. Make its schema smaller or simpler.`;
  return new EngineError(message, 400, 'unsupported_schema', param);
}

function toClosed(): EngineError {
  return new EngineError('The studio is shutting down. Send the request again when it is back.', 503, 'engine_closed');
}

/** One worker with at most one job. It is replaced when it ends. */
class Seat {
  #worker: Worker | null = null;
  #isReady = false;
  #job: Job | null = null;
  #part = 'messages';
  #timer: NodeJS.Timeout | undefined;
  #templates: (TemplateSource | undefined)[] = [];
  #nextPlace = 0;

  constructor(
    readonly limitMs: number,
    readonly onFree: () => void,
  ) {}

  get isFree(): boolean {
    return this.#isReady && this.#job === null;
  }

  /** Starts the worker unless it is there. */
  open(): void {
    if (this.#worker !== null) return;
    const worker = new Worker(new URL('./compileWorkerStart.mjs', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MB },
    });
    this.#worker = worker;
    this.#templates = [];
    worker.on('message', (reply: CompileReply) => this.#take(reply));
    worker.on('error', (error) => this.#fall(worker, error));
    worker.on('exit', () => this.#fall(worker, new Error('The compile worker ended.')));
  }

  run(job: Job): void {
    this.#job = job;
    this.#part = firstPart(job.request);
    this.#worker?.ref();
    const onLimit = (): void => this.#end(toTooMuch(this.#part, `longer than ${this.limitMs} ms`));
    this.#timer = setTimeout(onLimit, this.limitMs);
    let place = this.#templates.indexOf(job.template);
    const source = place === -1 ? job.template : null;
    if (place === -1) {
      place = this.#nextPlace;
      this.#nextPlace = (place + 1) % PLACES;
      this.#templates[place] = job.template;
    }
    const order: CompileOrder = { request: job.request, place, source, grammarMs: this.limitMs * GRAMMAR_SHARE };
    this.#worker?.postMessage(order);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#finish()?.reject(toClosed());
    await worker?.terminate();
  }

  #take(reply: CompileReply): void {
    switch (reply.type) {
      case 'ready':
        this.#isReady = true;
        this.#worker?.unref();
        break;
      case 'part':
        this.#part = reply.param;
        return;
      case 'done':
        this.#finish()?.resolve(reply.compiled);
        break;
      case 'refused':
        this.#finish()?.reject(new EngineError(reply.message, 400, reply.code, reply.param));
        break;
      case 'failed':
        this.#finish()?.reject(new Error(reply.reason));
        break;
      default: {
        const missing: never = reply;
        return missing;
      }
    }
    this.onFree();
  }

  /** Ends the worker in the middle of its job and starts another. */
  #end(error: Error): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#finish()?.reject(error);
    void worker?.terminate();
    this.open();
    this.onFree();
  }

  /** The worker ended by itself. One that could not even start is not tried again before the next request. */
  #fall(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    const wasReady = this.#isReady;
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const reason = error instanceof Error ? error : new Error(String(error));
    if (wasReady) {
      this.#end(isMemory ? toTooMuch(this.#part, `more than ${MAX_WORKER_MB} MB`) : reason);
      return;
    }
    this.#worker = null;
    this.onFree();
  }

  #finish(): Job | null {
    const job = this.#job;
    this.#job = null;
    clearTimeout(this.#timer);
    this.#worker?.unref();
    return job;
  }

  get isOpen(): boolean {
    return this.#worker !== null;
  }
}

/** Starts no worker yet. */
export function openCompiler({ limitMs = 1_000, workers = 2 }: CompilerOptions = {}): Compiler {
  const waiting = new Set<Job>();
  let isClosed = false;
  const seats = Array.from({ length: workers }, () => new Seat(limitMs, onFree));
  const warm = (): void => {
    if (!isClosed) for (const seat of seats) seat.open();
  };
  function onFree(): void {
    const [job] = waiting;
    const seat = seats.find(({ isFree }) => isFree);
    if (job === undefined) return;
    if (seat !== undefined) {
      waiting.delete(job);
      seat.run(job);
      return;
    }
    if (seats.some(({ isOpen }) => isOpen)) return;
    const message = 'The studio could not start a worker to compile the request. Free some memory and send it again.';
    for (const job of waiting) job.reject(new EngineError(message, 503, 'engine_unavailable'));
    waiting.clear();
  }

  return {
    warm,
    async prepare(request, template, signal) {
      throwIfAborted(signal);
      if (isClosed) throw toClosed();
      const { messages, tools, tool_choice, response_format } = request;
      return await new Promise<Compiled>((resolve, reject) => {
        const leave = (): void => signal.removeEventListener('abort', onAbort);
        const job: Job = {
          request: { messages, tools, tool_choice, response_format },
          template,
          resolve: (compiled) => {
            leave();
            resolve(compiled);
          },
          reject: (error) => {
            leave();
            reject(error);
          },
        };
        // A job that has begun goes on to its end or its limit: its worker keeps what it has learned.
        const onAbort = (): void => {
          waiting.delete(job);
          reject(toAbortError(signal));
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(job);
        warm();
        onFree();
      });
    },
    async close() {
      isClosed = true;
      for (const job of waiting) job.reject(toClosed());
      waiting.clear();
      await Promise.all(seats.map((seat) => seat.close()));
    },
  };
}
