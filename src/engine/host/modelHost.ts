// A process with llama.cpp, seen from the service.
import { openProcess, type Isolated, type IsolatedEnd } from '#service/threads/isolated.ts';
import { openAsks } from '#service/threads/threadRequests.ts';
import { throwIfAborted, withAbort } from '#engine/abort.ts';
import type { ContextPlan } from '#engine/contextPlan.ts';
import type { EngineError, EngineEvent, Gpu } from '#engine/engine.ts';
import { toEngineError } from '#engine/errorData.ts';
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import type {
  Answered,
  AnswerOrder,
  FileLook,
  FromHost,
  HostCore,
  HostFile,
  OpenedModel,
  ToHost,
  Weights,
} from './hostMessages.ts';

/** An answer that a process generates. */
export interface HostAnswer {
  /** Leaving the iteration, or aborting, ends the answer. */
  readonly events: AsyncGenerator<EngineEvent, void>;
  /** Resolves when the process works on it no more. */
  readonly ended: Promise<void>;
}

/** All reject with EngineError, or with AbortError when their signal is aborted. */
export interface ModelHost {
  readonly pid: number | null;
  readonly started: Promise<{ readonly gpu: Gpu | null; readonly cores: number }>;
  look(file: HostFile, signal: AbortSignal): Promise<FileLook>;
  loadWeights(file: HostFile, signal: AbortSignal): Promise<Weights>;
  openModel(file: HostFile, weights: number, plan: ContextPlan, signal: AbortSignal): Promise<OpenedModel>;
  answer(order: AnswerOrder, signal: AbortSignal): HostAnswer;
  closeModel(model: number): Promise<void>;
  freeWeights(weights: number): Promise<void>;
  setThreads(count: number): void;
  /** Resolves when the process has ended, also when it was asked to. */
  readonly ended: Promise<IsolatedEnd>;
  end(): Promise<void>;
}

export interface HostOptions {
  readonly gpu: GpuChoice;
  /** What whoever waits is told when the process ends. Called once, before they are. */
  readonly toEndError: (end: IsolatedEnd) => EngineError;
  /** How long an answer that was left may take to end. A process that takes longer hangs, and is ended. */
  readonly leaveMs?: number;
}

/** A step of a large model takes seconds. */
const LEAVE_MS = 60_000;
/** Events that are read before the process hears of it. */
const REPORT_EVERY = 64;

/** An answer on its way: what has come and was not read yet. */
class Stream {
  readonly #post: (message: ToHost) => void;
  #events: EngineEvent[] = [];
  #error: Error | null = null;
  #isOver = false;
  #wake: () => void = () => undefined;
  readonly ended: Promise<void>;
  #finish: () => void = () => undefined;

  constructor(
    readonly number: number,
    post: (message: ToHost) => void,
  ) {
    this.#post = post;
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  take(events: readonly EngineEvent[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  finish(error: Error | null): void {
    this.#error = error;
    this.#isOver = true;
    this.#finish();
    this.#wake();
  }

  async *read(signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    let unreported = 0;
    const onAbort = (): void => this.#wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        const events = this.#events;
        this.#events = [];
        for (const event of events) {
          throwIfAborted(signal);
          yield event;
          unreported += 1;
          if (unreported < REPORT_EVERY) continue;
          this.#post({ read: this.number, events: unreported });
          unreported = 0;
        }
        if (this.#events.length > 0) continue;
        throwIfAborted(signal);
        if (this.#error !== null) throw this.#error;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (!this.#isOver) this.#post({ leave: this.number });
    }
  }
}

export function openModelHost({ gpu, toEndError, leaveMs = LEAVE_MS }: HostOptions): ModelHost {
  const streams = new Map<number, Stream>();
  let endError: EngineError | null = null;
  let lastNumber = 0;
  let isolated!: Isolated<ToHost>;
  const asks = openAsks<HostCore>(
    (onReply) => {
      isolated = openProcess<ToHost, FromHost>({
        entry: new URL('./hostEntry.ts', import.meta.url),
        // Otherwise llama.cpp starts a debugger at its end, which may hang.
        env: { GGML_NO_BACKTRACE: '1' },
        onMessage(message) {
          if ('events' in message) for (const [number, events] of message.events) streams.get(number)?.take(events);
          else if ('ended' in message) {
            const { ended: number, error } = message;
            streams.get(number)?.finish(error === null ? null : toEngineError(error));
            streams.delete(number);
          } else onReply(message);
        },
      });
      return isolated;
    },
    {
      toError: (end) => endError ?? toEndError(end),
      onEnd(end) {
        endError = toEndError(end);
        for (const stream of streams.values()) stream.finish(endError);
        streams.clear();
      },
    },
  );

  async function toValue<Value>(asked: Promise<Answered<Value>>): Promise<Value> {
    if (endError !== null) throw endError;
    const answer = await asked;
    if ('refused' in answer) throw toEngineError(answer.refused);
    return answer.value;
  }

  /** A question that `signal` stops. The caller is free at once. */
  async function load<Value>(ask: (number: number) => Promise<Answered<Value>>, signal: AbortSignal): Promise<Value> {
    throwIfAborted(signal);
    lastNumber += 1;
    const number = lastNumber;
    const loaded = toValue(ask(number));
    const onAbort = (): void => void asks.ask('stopLoad', number).catch(() => undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await withAbort(loaded, signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  const started = toValue(asks.ask('start', gpu));
  started.catch(() => undefined);
  return {
    pid: isolated.pid,
    started,
    look: (file, signal) => withAbort(toValue(asks.ask('look', file)), signal),
    loadWeights: (file, signal) => load((number) => asks.ask('loadWeights', file, number), signal),
    openModel: (file, weights, plan, signal) =>
      load((number) => asks.ask('openModel', file, weights, plan, number), signal),
    answer(order, signal) {
      lastNumber += 1;
      const stream = new Stream(lastNumber, isolated.post);
      if (endError !== null) stream.finish(endError);
      else {
        streams.set(stream.number, stream);
        isolated.hold(true);
        void stream.ended.then(() => isolated.hold(false));
        isolated.post({ begin: stream.number, order });
      }
      async function* events(): AsyncGenerator<EngineEvent, void> {
        try {
          yield* stream.read(signal);
        } finally {
          const timer = setTimeout(() => void isolated.end(), leaveMs);
          timer.unref();
          void stream.ended.then(() => clearTimeout(timer));
        }
      }
      return { events: events(), ended: stream.ended };
    },
    closeModel: (model) => asks.ask('closeModel', model).catch(() => undefined),
    freeWeights: (weights) => asks.ask('freeWeights', weights).catch(() => undefined),
    setThreads: (count) => void asks.ask('setThreads', count).catch(() => undefined),
    ended: isolated.ended,
    end: () => isolated.end(),
  };
}
