// Compiles requests in threads: the service's loop stays free, and a request that takes too long can be ended.
import { openThread, type Isolated, type IsolatedEnd } from '#service/threads/isolated.ts';
import { openAsks, type Asks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import { throwIfAborted, toAbortError } from './abort.ts';
import { toBusy } from './busyMachine.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import type { CompileThread, Part } from './compileEntry.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import { EngineError, toClosed } from './engine.ts';

export interface Compiler {
  /** Starts the threads, so that the first request does not wait for them. */
  warm(): void;
  /**
   * A request's prompt and grammar. Rejects with EngineError 400 if the request can't be compiled or takes longer than
   * the limit, with 503 if the machine was too busy, and with AbortError when `signal` is aborted: at once if no thread
   * has begun the request, otherwise when the thread is free again.
   */
  prepare(request: CompileRequest, template: TemplateSource, signal: AbortSignal): Promise<Compiled>;
  close(): Promise<void>;
}

type OpenThread = (onMessage: (message: Reply | Part) => void) => Isolated<Question>;

export interface CompilerOptions {
  /** Time for one request, from when a thread begins it. */
  readonly limitMs?: number;
  /** How many requests are compiled at a time. */
  readonly threads?: number;
  /** Writes a line to the operator's log. The caller must not see it. */
  readonly report?: (line: string) => void;
  readonly open?: OpenThread;
  /** Milliseconds of processor time that this process has used, all threads together. */
  readonly readCpuMs?: () => number;
}

const MAX_MEMORY_MB = 256;
/** The grammar's share of a request's time. */
const GRAMMAR_SHARE = 0.8;
/** On a busy machine a thread waits for a processor, so it is ended only after this many times the limit. */
const MAX_WAIT_FACTOR = 5;

const openCompileThread: OpenThread = (onMessage) =>
  openThread<Question, Reply | Part>({
    entry: new URL('./compileEntry.ts', import.meta.url),
    memoryMb: MAX_MEMORY_MB,
    onMessage,
  });

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

/** A thread with at most one request. */
interface Running {
  readonly asks: Asks<CompileThread>;
  isReady: boolean;
  isFree: boolean;
  /** The field that is being compiled. */
  part: string;
  /** Why its request was ended. */
  reason: EngineError | null;
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

const toUnavailable = (): EngineError =>
  new EngineError(
    'The studio could not start a thread to compile the request. Free some memory and send it again.',
    503,
    'engine_unavailable',
  );

/** A defect of ours. The log has its stack trace, which is not for the caller. */
function toDefect(): EngineError {
  const message =
    'The studio failed while it compiled this request. Send it again; if it fails again, look at its log for the ' +
    'details.';
  return new EngineError(message, 500, 'compile_failed');
}

/** Starts no thread yet. */
export function openCompiler({
  limitMs = 1_000,
  threads: count = 2,
  report = (line) => void process.stderr.write(`${line}\n`),
  open = openCompileThread,
  readCpuMs = readProcessCpuMs,
}: CompilerOptions = {}): Compiler {
  const waiting = new Set<Job>();
  const threads = new Set<Running>();
  let isClosed = false;

  function toError({ part, reason }: Running, { cause }: IsolatedEnd): EngineError {
    if (reason !== null) return reason;
    if (isClosed) return toClosed();
    return cause === 'memory' ? toTooMuchWork(part, `more than ${MAX_MEMORY_MB} MB`) : toDefect();
  }

  function openOne(): void {
    const asks = openAsks<CompileThread>(
      (onReply) =>
        open((message) => {
          if ('part' in message) thread.part = message.part;
          else onReply(message);
        }),
      { toError: (end) => toError(thread, end), refusal: EngineError, onEnd: (end) => onEnd(thread, end) },
    );
    const thread: Running = { asks, isReady: false, isFree: false, part: 'messages', reason: null };
    threads.add(thread);
    void begin(thread);
  }

  async function begin(thread: Running): Promise<void> {
    // If it could not even start, only the next request starts it again.
    thread.isReady = await thread.asks.ask('isReady').catch(() => false);
    free(thread);
  }

  function onEnd(thread: Running, { cause, error }: IsolatedEnd): void {
    threads.delete(thread);
    if (cause !== 'asked' && cause !== 'memory')
      report(`The thread that compiles requests has failed: ${error?.stack ?? 'It ended.'}`);
    if (thread.isReady) warm();
    next();
  }

  function warm(): void {
    if (isClosed) return;
    while (threads.size < count) openOne();
  }

  function free(thread: Running): void {
    thread.isFree = threads.has(thread);
    next();
  }

  function next(): void {
    for (const job of waiting) {
      const thread = [...threads].find(({ isFree }) => isFree);
      if (thread === undefined && threads.size > 0) return;
      waiting.delete(job);
      if (thread) void run(thread, job);
      else job.reject(toUnavailable());
    }
  }

  async function run(thread: Running, { request, template, resolve, reject }: Job): Promise<void> {
    thread.isFree = false;
    thread.part = toFirstPart(request);
    const stopLimit = startLimit(thread);
    try {
      resolve(await thread.asks.ask('compile', request, template, limitMs * GRAMMAR_SHARE));
    } catch (error) {
      if (!(error instanceof EngineError)) report(`A request could not be compiled: ${(error as Error).message}`);
      reject(error instanceof EngineError ? error : toDefect());
    } finally {
      stopLimit();
    }
    free(thread);
  }

  /** Ends the thread if its request takes too long. Returns what stops that. */
  function startLimit(thread: Running): () => void {
    const beganAt = performance.now();
    const cpuBefore = readCpuMs();
    let isOver = false;
    const endWith = (reason: EngineError): void => {
      thread.reason = reason;
      threads.delete(thread);
      void thread.asks.isolated.end();
      warm();
    };
    const check = (): void => {
      if (isOver) return;
      // The processor time of the whole process is at least the thread's. Until it reaches the limit, the request may
      // still be small enough.
      const remainingMs = limitMs - (readCpuMs() - cpuBefore);
      if (remainingMs <= 0) endWith(toTooMuchWork(thread.part, `longer than ${limitMs} ms`));
      else if (performance.now() - beganAt >= limitMs * MAX_WAIT_FACTOR) endWith(toBusy(thread.part));
      else timer = setTimeout(checkSoon, Math.max(remainingMs, 10));
    };
    // Timers run before messages are read. After a long step of the loop, the reply may have arrived already.
    const checkSoon = (): void => void setImmediate(check);
    let timer = setTimeout(checkSoon, limitMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  return {
    warm,
    async prepare({ messages, tools, tool_choice, response_format }, template, signal) {
      throwIfAborted(signal);
      if (isClosed) throw toClosed();
      const request = { messages, tools, tool_choice, response_format };
      let onAbort = (): void => undefined;
      try {
        return await new Promise<Compiled>((resolve, reject) => {
          const job: Job = { request, template, resolve, reject };
          // A job that has begun runs to its end or its limit, because its thread keeps templates and grammars.
          onAbort = () => {
            if (waiting.delete(job)) reject(toAbortError(signal));
          };
          signal.addEventListener('abort', onAbort, { once: true });
          waiting.add(job);
          warm();
          next();
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
        throwIfAborted(signal);
      }
    },
    async close() {
      isClosed = true;
      for (const job of waiting) job.reject(toClosed());
      waiting.clear();
      await Promise.all([...threads].map(({ asks }) => asks.isolated.end()));
    },
  };
}
