// Sends a chat request and returns the answer as stream events, streamed or not (SPEC 4.3, 6). It never retries by
// itself: the caller decides, and never after an event has arrived.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { isErrorBody } from '#core/contract/errors.ts';
import { isObject } from '#core/contract/readJson.ts';
import { deltaReader } from '#core/stream/deltas.ts';
import type { AnswerEvent, StreamEvent } from '#core/stream/events.ts';
import { loneThinkClose } from '#core/stream/loneThinkClose.ts';
import { readStream } from '#core/stream/readStream.ts';
import { thinkStep } from '#core/stream/thinkTags.ts';
import { toAborted, toNetworkFailure, toShapeFailure } from './failure.ts';
import { readJson, requestStream, SAME_ORIGIN, type Connection, type WireTap } from './request.ts';

/** A service that sends its headers with the first token may load a large model before that. */
const HEAD_TIMEOUT_MS = 600_000;

export interface ChatOptions {
  readonly signal: AbortSignal;
  /** Unix time in milliseconds, for a `Retry-After` that is a date. */
  readonly clock?: () => number;
  readonly connection?: Connection;
  /** Records what was really sent and received. */
  readonly tap?: WireTap | undefined;
}

async function readWhole(response: Response, tap: WireTap | undefined): Promise<readonly StreamEvent[]> {
  const text = await response.text();
  tap?.onText(text);
  const body = readJson({ status: response.status, headers: response.headers, text });
  const isAnswer = isErrorBody(body) || (isObject(body) && Array.isArray(body['choices']));
  if (!isAnswer) throw toShapeFailure(response.status, response.headers, 'it holds no answer of a model');
  return deltaReader().pushCompletion(body);
}

/** Cancels a body that is not read; its beginning goes into the record. */
async function cancelBody(response: Response, tap: WireTap | undefined): Promise<void> {
  const reader = response.body?.getReader();
  const start = tap && (await reader?.read().catch(() => undefined))?.value;
  if (start) tap.onText(new TextDecoder().decode(start));
  void reader?.cancel().catch(() => undefined);
}

async function* readBatches(
  response: Response,
  signal: AbortSignal,
  tap: WireTap | undefined,
): AsyncGenerator<readonly StreamEvent[], void, undefined> {
  const type = response.headers.get('content-type') ?? '';
  if (/\bjson\b/i.test(type)) {
    yield await readWhole(response, tap);
    return;
  }
  if (/\bhtml\b/i.test(type)) {
    await cancelBody(response, tap);
    throw toShapeFailure(response.status, response.headers, 'it is a web page, not an answer of a model');
  }
  if (!response.body) throw toShapeFailure(response.status, response.headers, 'the answer is empty');
  yield* readStream(response.body, { signal, onText: tap?.onText });
}

/**
 * Opens an answer. Yields batches of events, one per network read; the last batch ends with the last event. Throws
 * ApiFailure before the first event, and of kind `aborted` at any time once `signal` is aborted.
 */
export async function* openChat(
  request: ChatRequest,
  { signal, clock, connection = SAME_ORIGIN, tap }: ChatOptions,
): AsyncGenerator<readonly AnswerEvent[], void, undefined> {
  const think = thinkStep();
  const loneClose = loneThinkClose();
  const timed = clock ? { ...connection, now: clock } : connection;
  const response = await requestStream('/api/v1/chat/completions', {
    method: 'POST',
    body: request,
    headers: { accept: 'text/event-stream, application/json' },
    timeoutMs: HEAD_TIMEOUT_MS,
    signal,
    connection: timed,
    tap,
  });
  try {
    for await (const batch of readBatches(response, signal, tap)) {
      const events = loneClose.push(think.push(batch));
      if (events.length > 0) yield events;
    }
  } catch (error) {
    if (!signal.aborted)
      throw error instanceof TypeError ? toNetworkFailure(`The answer was cut off (${error.message}).`) : error;
    const rest = [...loneClose.push(think.flush()), ...loneClose.flush()];
    if (rest.length > 0) yield rest;
    throw toAborted();
  }
}
