// Sends one request of a grid and classifies the outcome. Callers pass the stream and the clock.
import { ApiFailure } from '#ui/client/failure.ts';
import { RESTART_CODES } from '#core/contract/errors.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { AnswerEvent } from '#core/stream/events.ts';
import { EMPTY_MESSAGE, reduceMessages, type AssistantMessage } from '#core/stream/message.ts';
import type { AskResult } from './gridRun.ts';

export interface AskDeps {
  /**
   * The answer's events. Calls `onQueue(true)` while the request waits for a connection, and `onQueue(false)` after
   * that.
   */
  readonly open: (
    request: ChatRequest,
    options: { readonly signal: AbortSignal; readonly onQueue: (isQueued: boolean) => void },
  ) => AsyncIterable<readonly AnswerEvent[]>;
  /** A clock for durations, in milliseconds. */
  readonly now: () => number;
  /** The time of day, in Unix milliseconds. */
  readonly date: () => number;
}

/** Statuses of a gateway whose service is unreachable or still starting. */
const UNREACHABLE: ReadonlySet<number | null> = new Set([502, 503, 504]);
/** The same as codes of errors within a stream: a service sends its headers before the model is loaded. */
const UNREACHABLE_CODES: ReadonlySet<string | null> = new Set([
  '502',
  '503',
  '504',
  'starting',
  'shutting_down',
  'engine_closed',
  'engine_busy',
  'engine_slow',
  'engine_unavailable',
  'engine_unreachable',
  'upstream_not_ready',
  ...RESTART_CODES,
]);

function toAskResult(
  { text, toolCalls, finish_reason, usage, state, problem }: AssistantMessage,
  asked_at: number,
  ms: number,
): AskResult {
  if (state !== 'complete') {
    const { message = 'The answer was cut off before it was complete.', code = null } = problem ?? {};
    if (UNREACHABLE_CODES.has(code)) return { kind: 'postponed', cause: 'away', message, waitMs: null };
    return state === 'failed' ? { kind: 'failed', message, text } : { kind: 'faulty', message, text, waitMs: null };
  }
  const calls = toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }));
  const tokens = { prompt_tokens: usage?.prompt_tokens ?? null, completion_tokens: usage?.completion_tokens ?? null };
  return { kind: 'answered', answer: { text, toolCalls: calls, finish_reason, ...tokens, asked_at, ms } };
}

function toFailed(error: unknown, hasBegun: boolean, text: string): AskResult {
  if (!(error instanceof ApiFailure)) {
    return {
      kind: 'failed',
      message: `The answer could not be read: ${error instanceof Error ? error.message : String(error)}`,
      text,
    };
  }
  const { message, hint, status, askedWaitMs: waitMs } = error;
  if (status === 401) return { kind: 'halted', message: `${message} ${hint}` };
  // An answer breaks off when the service restarts: another try finds it away, or gets the answer.
  if (hasBegun) return { kind: 'faulty', message, text, waitMs: null };
  if (status === 429) return { kind: 'postponed', cause: 'busy', message, waitMs };
  if (error.kind === 'network' || UNREACHABLE.has(status))
    return { kind: 'postponed', cause: 'away', message: `${message} ${hint}`, waitMs };
  return status !== null && status >= 500
    ? { kind: 'faulty', message, text, waitMs }
    : { kind: 'failed', message, text };
}

export function openAsk({
  open,
  now,
  date,
}: AskDeps): (request: ChatRequest, signal: AbortSignal) => Promise<AskResult> {
  return async (request, signal) => {
    let [startedAt, askedAt] = [now(), date()];
    let message = EMPTY_MESSAGE;
    let hasBegun = false;
    try {
      for await (const batch of open(request, {
        signal,
        onQueue: () => void ([startedAt, askedAt] = [now(), date()]),
      })) {
        hasBegun = true;
        message = reduceMessages(message, batch);
      }
      return toAskResult(message, askedAt, now() - startedAt);
    } catch (error) {
      return toFailed(error, hasBegun, message.text);
    }
  };
}
