// Compiles requests in threads: the service's loop stays free, and a request that takes too long can be ended.
import { throwIfAborted, toAbortError } from './abort.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import { CompilerThread, openCompileThread, type CompilerThreadOptions } from './compilerThread.ts';
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

export interface CompilerOptions extends Partial<Omit<CompilerThreadOptions, 'onFree' | 'onEnd'>> {
  /** How many requests are compiled at a time. */
  readonly threads?: number;
}

function readProcessCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A request that waits for a thread. */
interface Job {
  readonly request: CompileRequest;
  readonly template: TemplateSource;
  readonly resolve: (compiled: Promise<Compiled>) => void;
  readonly reject: (error: Error) => void;
}

const toUnavailable = (): EngineError =>
  new EngineError(
    'The studio could not start a thread to compile the request. Free some memory and send it again.',
    503,
    'engine_unavailable',
  );

/** Starts no thread yet. */
export function openCompiler({
  limitMs = 1_000,
  threads: count = 2,
  report = (line) => void process.stderr.write(`${line}\n`),
  open = openCompileThread,
  readCpuMs = readProcessCpuMs,
}: CompilerOptions = {}): Compiler {
  const waiting = new Set<Job>();
  const threads = new Set<CompilerThread>();
  let isClosed = false;

  function warm(): void {
    if (isClosed) return;
    while (threads.size < count)
      threads.add(new CompilerThread({ limitMs, readCpuMs, report, open, onFree: next, onEnd: drop }));
  }

  function drop(thread: CompilerThread, hadStarted: boolean): void {
    threads.delete(thread);
    // If it could not even start, only the next request starts it again.
    if (hadStarted) warm();
    next();
  }

  function next(): void {
    for (const job of waiting) {
      const thread = [...threads].find(({ isFree }) => isFree);
      if (thread === undefined && threads.size > 0) return;
      waiting.delete(job);
      if (thread) job.resolve(thread.compile(job.request, job.template));
      else job.reject(toUnavailable());
    }
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
      await Promise.all([...threads].map((thread) => thread.end(toClosed())));
    },
  };
}
