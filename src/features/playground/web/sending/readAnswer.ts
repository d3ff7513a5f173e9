// Runs the request of one version of an answer to its end. It waits and retries when the service asks for that. The
// clock, the wait and the request function come in as arguments.
import { ApiFailure } from '#ui/client/failure.ts';
import { RESTART_CODES } from '#core/contract/errors.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { AnswerEvent } from '#core/stream/events.ts';
import { EMPTY_MESSAGE, reduceMessages, type AssistantMessage } from '#core/stream/message.ts';
import {
  EMPTY_TIMING,
  hasContent,
  type Answer,
  type AnswerFailure,
  type AnswerPhase,
  type AnswerTiming,
} from '#features/playground/web/desk/desk.ts';

/** Retries of a service that asks to wait: a 429 that says how long, or an engine that restarts. */
const MAX_WAITS = 5;
/** An engine that restarts takes this long, where it does not say. */
const RESTART_MS = 2_000;

interface OpenOptions {
  readonly signal: AbortSignal;
  /** True: the request waits for a free connection. False: it has one and is sent now. */
  readonly onQueue: (isQueued: boolean) => void;
}

export interface AnswerDeps {
  readonly open: (request: ChatRequest, options: OpenOptions) => AsyncIterable<readonly AnswerEvent[]>;
  /** A clock for durations, in milliseconds. */
  readonly now: () => number;
  /** Unix milliseconds. */
  readonly wallClock: () => number;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The page is closing, which explains a broken connection. */
  readonly isLeaving: () => boolean;
  /** The newest state of the answer; `isUrgent`: it must be shown and stored now, not with the next frame. */
  readonly onChange: (patch: Partial<Answer>, isUrgent: boolean) => void;
}

interface AnswerJob {
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
}

const ENDS: Readonly<Record<AssistantMessage['state'], AnswerPhase>> = {
  complete: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  open: 'interrupted',
};

function toFailure(error: unknown): AnswerFailure {
  if (error instanceof ApiFailure) {
    const { message, hint, status, code, param, requestId } = error;
    return { message, hint, status, code, param, requestId };
  }
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  return {
    message: `The answer could not be read: ${message}`,
    hint: 'Try again.',
    status: null,
    code: null,
    param: null,
    requestId: null,
  };
}

function toStreamFailure(message: AssistantMessage): AnswerFailure | null {
  if (message.state === 'complete') return null;
  const { problem } = message;
  const hint =
    message.state === 'failed'
      ? 'The text received so far is kept. Try again.'
      : 'The text received so far is kept. Retry asks for the whole answer again.';
  return {
    message: problem?.message ?? 'The answer was cut off before it was complete.',
    hint,
    status: null,
    code: problem?.code ?? null,
    param: problem?.param ?? null,
    requestId: null,
  };
}

function nextTiming(timing: AnswerTiming, message: AssistantMessage, elapsed: () => number): AnswerTiming {
  // Earlier text turned out to be reasoning.
  if (timing.textMs !== null && message.text === '') return { ...timing, textMs: null };
  if (timing.firstMs !== null && (timing.textMs !== null || message.text === '')) return timing;
  const now = elapsed();
  return {
    ...timing,
    firstMs: timing.firstMs ?? (hasContent(message) ? now : null),
    textMs: timing.textMs ?? (message.text === '' ? null : now),
  };
}

/** How long to wait before the same request is sent again; null: it is not sent by itself. */
function toWait({ status, code, retryAfterMs }: ApiFailure): number | null {
  if (RESTART_CODES.has(code)) return retryAfterMs ?? RESTART_MS;
  return status === 429 ? retryAfterMs : null;
}

type Outcome = { readonly isOver: true } | { readonly isOver: false; readonly waitMs: number };

/** Runs one request. The outcome says how long to wait if the service asked to retry later. */
async function readOnce({ request, signal }: AnswerJob, deps: AnswerDeps, mayWait: boolean): Promise<Outcome> {
  let startedAt = deps.now();
  const elapsed = (): number => deps.now() - startedAt;
  let message = EMPTY_MESSAGE;
  let timing = EMPTY_TIMING;
  // Until something arrives, the previous content stays.
  const shown = (): Partial<Answer> => (hasContent(message) ? { message, timing, model: request.model } : {});
  const onQueue = (isQueued: boolean): void => {
    // Times start with the request and exclude the wait for a connection.
    startedAt = deps.now();
    deps.onChange(isQueued ? { phase: 'queued' } : { phase: 'sending', sentAt: deps.wallClock() }, true);
  };
  try {
    for await (const batch of deps.open(request, { signal, onQueue })) {
      message = reduceMessages(message, batch);
      timing = nextTiming(timing, message, elapsed);
      if (hasContent(message)) deps.onChange({ ...shown(), phase: 'streaming', waitUntil: null }, false);
    }
    timing = { ...timing, endMs: elapsed() };
    // A complete answer replaces the previous content even if it is empty.
    const final = message.state === 'complete' ? { message, timing, model: request.model } : shown();
    if (message.state === 'failed' && mayWait && RESTART_CODES.has(message.problem?.code ?? null)) {
      const waitUntil = deps.wallClock() + RESTART_MS;
      deps.onChange({ ...shown(), phase: 'sending', failure: toStreamFailure(message), waitUntil }, true);
      return { isOver: false, waitMs: RESTART_MS };
    }
    const isPageClosing = message.state === 'interrupted' && deps.isLeaving();
    const failure = isPageClosing ? null : toStreamFailure(message);
    deps.onChange({ ...final, phase: ENDS[message.state], failure, waitUntil: null }, true);
    return { isOver: true };
  } catch (error) {
    timing = { ...timing, endMs: elapsed() };
    if (signal.aborted) {
      deps.onChange({ ...shown(), phase: 'stopped', failure: null, waitUntil: null }, true);
      return { isOver: true };
    }
    if (error instanceof ApiFailure && error.kind === 'network' && deps.isLeaving()) {
      deps.onChange({ ...shown(), phase: 'interrupted', failure: null, waitUntil: null }, true);
      return { isOver: true };
    }
    const waitMs = error instanceof ApiFailure ? toWait(error) : null;
    if (waitMs !== null && mayWait && !hasContent(message)) {
      deps.onChange({ phase: 'sending', failure: toFailure(error), waitUntil: deps.wallClock() + waitMs }, true);
      return { isOver: false, waitMs };
    }
    deps.onChange({ ...shown(), phase: 'failed', failure: toFailure(error), waitUntil: null }, true);
    return { isOver: true };
  }
}

/** Runs a request to its end. Never throws: it reports everything through `onChange`, at last with a settled phase. */
export async function readAnswer(job: AnswerJob, deps: AnswerDeps): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    const outcome = await readOnce(job, deps, waits < MAX_WAITS);
    if (outcome.isOver) return;
    await deps.wait(outcome.waitMs, job.signal);
    if (job.signal.aborted) {
      deps.onChange({ phase: 'stopped', failure: null, waitUntil: null }, true);
      return;
    }
    deps.onChange({ phase: 'sending', failure: null, waitUntil: null, sentAt: deps.wallClock() }, true);
  }
}
