// Compiles requests in worker threads: the service's loop stays free, and a request that takes too long can be ended.
import { Worker } from 'node:worker_threads';
import { throwIfAborted, toAbortError } from './abort.ts';
import { toBusy } from './busyMachine.ts';
import type { TemplateSource } from '#shared/data/view/templateText.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import type { CompileOrder, CompileReply } from './compileMessages.ts';
import { EngineError } from './engine.ts';

export interface Compiler {
  /** Starts the workers, so that the first request does not wait for them. */
  warm(): void;
  /**
   * A request's prompt and grammar. Rejects with EngineError 400 if the request can't be compiled or takes longer than
   * the limit, with 503 if the machine was too busy, and with AbortError when `signal` is aborted: at once if no worker
   * has begun the request, otherwise when the worker is free again.
   */
  prepare(request: CompileRequest, template: TemplateSource, signal: AbortSignal): Promise<Compiled>;
  close(): Promise<void>;
}

/** What the compiler needs from a worker thread. */
interface CompileWorker {
  on(event: 'message', listener: (reply: CompileReply) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(order: CompileOrder): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

export interface CompilerOptions {
  /** Time for one request, from when a worker begins it. */
  readonly limitMs?: number;
  /** How many requests are compiled at a time. */
  readonly workers?: number;
  /** Writes a line to the operator's log. The caller must not see it. */
  readonly report?: (line: string) => void;
  readonly startWorker?: () => CompileWorker;
  /** Milliseconds of processor time that this process has used, all threads together. */
  readonly readCpuMs?: () => number;
}

/** Templates that a worker keeps. */
const MAX_TEMPLATES = 16;
const MAX_WORKER_MB = 256;
/** The grammar's share of a request's time. */
const GRAMMAR_SHARE = 0.8;
/** On a busy machine a worker waits for a processor, so it is ended only after this many times the limit. */
const MAX_WAIT_FACTOR = 5;

function startThread(): CompileWorker {
  return new Worker(new URL('./compileWorkerStart.mjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKER_MB },
  });
}

function readProcessCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface Job {
  readonly request: CompileRequest;
  readonly template: TemplateSource;
  readonly resolve: (compiled: Compiled) => void;
  readonly reject: (error: Error) => void;
}

function toFirstPart({ response_format, tools }: CompileRequest): string {
  if (response_format !== undefined) return 'response_format';
  return tools === undefined ? 'messages' : 'tools';
}

/** The error for a request that was ended. `param`: the field that was being compiled. */
function toTooMuchWork(param: string, what: string): EngineError {
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

/** A defect of ours. The log has its stack trace, which is not for the caller. */
function toDefect(): EngineError {
  const message =
    'The studio failed while it compiled this request. Send it again; if it fails again, look at its log for the ' +
    'details.';
  return new EngineError(message, 500, 'compile_failed');
}

/** One worker with at most one job. The worker is replaced when it ends. */
class WorkerSlot {
  #worker: CompileWorker | null = null;
  #isReady = false;
  #job: Job | null = null;
  #part = 'messages';
  #timer: NodeJS.Timeout | undefined;
  #templates: (TemplateSource | undefined)[] = [];
  #nextTemplateIndex = 0;

  constructor(
    readonly options: Required<CompilerOptions>,
    readonly onFree: () => void,
  ) {}

  get isFree(): boolean {
    return this.#isReady && this.#job === null;
  }

  /** Starts the worker unless it is running. */
  open(): void {
    if (this.#worker !== null) return;
    const worker = this.options.startWorker();
    this.#worker = worker;
    this.#templates = [];
    worker.on('message', (reply) => {
      // A worker that was ended may still have sent a message.
      if (this.#worker === worker) this.#onReply(reply);
    });
    worker.on('error', (error) => this.#onWorkerEnd(worker, error));
    worker.on('exit', () => this.#onWorkerEnd(worker, new Error('The compile worker ended.')));
  }

  run(job: Job): void {
    this.#job = job;
    this.#part = toFirstPart(job.request);
    this.#worker?.ref();
    this.#startTimer(job);
    let templateIndex = this.#templates.indexOf(job.template);
    const source = templateIndex === -1 ? job.template : null;
    if (templateIndex === -1) {
      templateIndex = this.#nextTemplateIndex;
      this.#nextTemplateIndex = (templateIndex + 1) % MAX_TEMPLATES;
      this.#templates[templateIndex] = job.template;
    }
    const order: CompileOrder = {
      request: job.request,
      templateIndex,
      source,
      grammarMs: this.options.limitMs * GRAMMAR_SHARE,
    };
    this.#worker?.postMessage(order);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#finish()?.reject(toClosed());
    await worker?.terminate();
  }

  /** Ends the worker if `job` takes too long. */
  #startTimer(job: Job): void {
    const { limitMs, readCpuMs } = this.options;
    const beganAt = performance.now();
    const cpuBefore = readCpuMs();
    const check = (): void => {
      if (this.#job !== job) return;
      // The processor time of the whole process is at least the worker's. Until it reaches the limit, the request may
      // still be small enough.
      const remainingMs = limitMs - (readCpuMs() - cpuBefore);
      if (remainingMs <= 0) this.#replaceWorker(toTooMuchWork(this.#part, `longer than ${limitMs} ms`));
      else if (performance.now() - beganAt >= limitMs * MAX_WAIT_FACTOR) this.#replaceWorker(toBusy(this.#part));
      else this.#timer = setTimeout(checkSoon, Math.max(remainingMs, 10));
    };
    // Timers run before messages are read. After a long step of the loop, the reply may have arrived already.
    const checkSoon = (): void => void setImmediate(check);
    this.#timer = setTimeout(checkSoon, limitMs);
  }

  #onReply(reply: CompileReply): void {
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
        this.#finish()?.reject(new EngineError(reply.message, reply.status, reply.code, reply.param, reply.retryAfter));
        break;
      case 'failed':
        this.options.report(`A request could not be compiled: ${reply.stack}`);
        this.#finish()?.reject(toDefect());
        break;
      default: {
        const missing: never = reply;
        return missing;
      }
    }
    this.onFree();
  }

  /** Ends the worker in the middle of its job and starts another. */
  #replaceWorker(error: Error): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#finish()?.reject(error);
    void worker?.terminate();
    this.open();
    this.onFree();
  }

  /** The worker ended by itself. If it could not even start, only the next request starts it again. */
  #onWorkerEnd(worker: CompileWorker, error: unknown): void {
    if (this.#worker !== worker) return;
    const wasReady = this.#isReady;
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!isMemory) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.options.report(`The worker that compiles requests has failed: ${stack}`);
    }
    if (wasReady) {
      this.#replaceWorker(isMemory ? toTooMuchWork(this.#part, `more than ${MAX_WORKER_MB} MB`) : toDefect());
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
export function openCompiler({
  limitMs = 1_000,
  workers = 2,
  report = (line) => void process.stderr.write(`${line}\n`),
  startWorker = startThread,
  readCpuMs = readProcessCpuMs,
}: CompilerOptions = {}): Compiler {
  const waiting = new Set<Job>();
  let isClosed = false;
  const slots = Array.from(
    { length: workers },
    () => new WorkerSlot({ limitMs, workers, report, startWorker, readCpuMs }, onFree),
  );
  const warm = (): void => {
    if (!isClosed) for (const slot of slots) slot.open();
  };
  function onFree(): void {
    const [job] = waiting;
    const slot = slots.find(({ isFree }) => isFree);
    if (job === undefined) return;
    if (slot !== undefined) {
      waiting.delete(job);
      slot.run(job);
      return;
    }
    if (slots.some(({ isOpen }) => isOpen)) return;
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
            if (signal.aborted) reject(toAbortError(signal));
            else resolve(compiled);
          },
          reject: (error) => {
            leave();
            reject(signal.aborted ? toAbortError(signal) : error);
          },
        };
        // A job that has begun runs to its end or its limit, because its worker keeps templates and grammars.
        const onAbort = (): void => {
          if (waiting.delete(job)) reject(toAbortError(signal));
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
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}
