// A thread that compiles requests, one at a time. One that takes too long, or too much memory, ends it.
import { openThread, type Isolated, type IsolatedEnd } from '#service/threads/isolated.ts';
import { openAsks, type Asks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import { toBusy } from './busyMachine.ts';
import type { CompileThread, Part } from './compileEntry.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import { EngineError } from './engine.ts';

interface CompileLimit {
  /** Time for one request, from when a thread begins it. */
  readonly limitMs: number;
  /** Milliseconds of processor time that this process has used, all threads together. */
  readonly readCpuMs: () => number;
}

export interface CompilerThreadOptions extends CompileLimit {
  readonly open: (onMessage: (message: Reply | Part) => void) => Isolated<Question>;
  /** Writes a line to the operator's log. The caller must not see it. */
  readonly report: (line: string) => void;
  /** It can take a request. */
  readonly onFree: () => void;
  /** It takes no more requests. `hadStarted`: it could have taken one. */
  readonly onEnd: (thread: CompilerThread, hadStarted: boolean) => void;
}

const MAX_MEMORY_MB = 256;
/** The grammar's share of a request's time. */
const GRAMMAR_SHARE = 0.8;
/** On a busy machine a thread waits for a processor, so it is ended only after this many times the limit. */
const MAX_WAIT_FACTOR = 5;

export const openCompileThread: CompilerThreadOptions['open'] = (onMessage) =>
  openThread<Question, Reply | Part>({
    entry: new URL('./compileEntry.ts', import.meta.url),
    memoryMb: MAX_MEMORY_MB,
    onMessage,
  });

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

/** A defect of ours. The log has its stack trace, which is not for the caller. */
function toDefect(): EngineError {
  const message =
    'The studio failed while it compiled this request. Send it again; if it fails again, look at its log for the ' +
    'details.';
  return new EngineError(message, 500, 'compile_failed');
}

/** Calls `onOver` once a request takes longer than it may, in work or in waiting. Returns what stops that. */
function startLimit({ limitMs, readCpuMs }: CompileLimit, onOver: (why: 'work' | 'waiting') => void): () => void {
  const beganAt = performance.now();
  const cpuBefore = readCpuMs();
  let isOver = false;
  const check = (): void => {
    if (isOver) return;
    // The processor time of the whole process is at least the thread's. Until it reaches the limit, the request may
    // still be small enough.
    const remainingMs = limitMs - (readCpuMs() - cpuBefore);
    if (remainingMs <= 0) onOver('work');
    else if (performance.now() - beganAt >= limitMs * MAX_WAIT_FACTOR) onOver('waiting');
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

export class CompilerThread {
  readonly #options: CompilerThreadOptions;
  readonly #asks: Asks<CompileThread>;
  #state: 'starting' | 'free' | 'busy' | 'ended' = 'starting';
  /** The field that is being compiled. */
  #part = 'messages';
  /** Why it was ended. */
  #reason: EngineError | null = null;

  constructor(options: CompilerThreadOptions) {
    this.#options = options;
    this.#asks = openAsks<CompileThread>(
      (onReply) =>
        options.open((message) => {
          if ('part' in message) this.#part = message.part;
          else onReply(message);
        }),
      { toError: ({ cause }) => this.#toError(cause), refusal: EngineError, onEnd: (end) => this.#onEnd(end) },
    );
    void this.#start();
  }

  get isFree(): boolean {
    return this.#state === 'free';
  }

  /** Only for one that is free. Rejects with EngineError. */
  async compile(request: CompileRequest, template: TemplateSource): Promise<Compiled> {
    const { limitMs, report } = this.#options;
    this.#state = 'busy';
    this.#part = toFirstPart(request);
    const stopLimit = startLimit(this.#options, (why) => {
      const isWork = why === 'work';
      void this.end(isWork ? toTooMuchWork(this.#part, `longer than ${limitMs} ms`) : toBusy(this.#part));
    });
    try {
      return await this.#asks.ask('compile', request, template, limitMs * GRAMMAR_SHARE);
    } catch (error) {
      if (error instanceof EngineError) throw error;
      report(`A request could not be compiled: ${(error as Error).message}`);
      throw toDefect();
    } finally {
      stopLimit();
      this.#free();
    }
  }

  /** `reason`: what its request is rejected with. */
  async end(reason: EngineError): Promise<void> {
    this.#reason = reason;
    this.#leave();
    await this.#asks.isolated.end();
  }

  async #start(): Promise<void> {
    await this.#asks.ask('isReady').catch(() => undefined);
    this.#free();
  }

  #free(): void {
    if (this.#state !== 'ended') this.#state = 'free';
    this.#options.onFree();
  }

  #leave(): void {
    if (this.#state === 'ended') return;
    const hadStarted = this.#state !== 'starting';
    this.#state = 'ended';
    this.#options.onEnd(this, hadStarted);
  }

  #toError(cause: IsolatedEnd['cause']): EngineError {
    if (this.#reason !== null) return this.#reason;
    return cause === 'memory' ? toTooMuchWork(this.#part, `more than ${MAX_MEMORY_MB} MB`) : toDefect();
  }

  #onEnd({ cause, error }: IsolatedEnd): void {
    if (cause !== 'asked' && cause !== 'memory')
      this.#options.report(`The thread that compiles requests has failed: ${error?.stack ?? 'It ended.'}`);
    this.#leave();
  }
}
