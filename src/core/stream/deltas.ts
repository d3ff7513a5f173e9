// Server-sent events -> stream events. Bad data becomes a `stream-error`, never a throw.
// ASSUMED: chunks have OpenAI's form, errors come as `event: error` or as `{"error":…}` (SPEC 6 and 7 show neither).
import { isErrorBody, readError } from '#core/contract/errors.ts';
import { isObject, parseJson, numberOr, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { readChoice, readTokensPerSecond, readUsage } from './chunkFields.ts';
import { isLastEvent, type StreamEvent } from './events.ts';
import type { SseEvent } from './sseDecode.ts';
import { MAX_TOOL_CALLS, toolCallPlaces } from './toolCallPlaces.ts';

type MessageStart = Extract<StreamEvent, { type: 'message-start' }>;

export interface DeltaReader {
  /** The stream events of one server-sent event; none after the last one. */
  push(event: SseEvent): readonly StreamEvent[];
  /** The stream events of a whole completion, or of its error, from a service that answers without streaming. */
  pushCompletion(body: unknown): readonly StreamEvent[];
  /** Call it when the stream has ended, with the `reason` if it is known. Gives the last event if it is missing. */
  close(reason?: string): readonly StreamEvent[];
  /** True after the last event. */
  isEnded(): boolean;
}

const ENDED_EARLY = 'The connection ended before the answer was complete.';
const NOTHING: readonly StreamEvent[] = [];

function failure(message: string, code: string): StreamEvent {
  return { type: 'stream-error', message, code, param: null };
}

function toErrorEvent(body: unknown): StreamEvent {
  return { type: 'stream-error', ...readError(body, 'The service reported an error without saying which.') };
}

/** Reads one answer; use a new one for each. */
export function deltaReader(): DeltaReader {
  const places = toolCallPlaces();
  let start: MessageStart | null = null;
  let finishReason: string | null = null;
  let isEnded = false;

  const readStart = (chunk: JsonObject): MessageStart | null => {
    if (start && start.id !== null && start.model !== null && start.fingerprint !== null && start.created !== null)
      return null;
    const next: MessageStart = {
      type: 'message-start',
      id: start?.id ?? (textOr(chunk['id'], '') || null),
      model: start?.model ?? (textOr(chunk['model'], '') || null),
      fingerprint: start?.fingerprint ?? (textOr(chunk['system_fingerprint'], '') || null),
      // Azure's first chunk has empty texts and 0 for unknown values.
      created: start?.created ?? (numberOr(chunk['created'], 0) || null),
    };
    const isChanged =
      !start ||
      next.id !== start.id ||
      next.model !== start.model ||
      next.fingerprint !== start.fingerprint ||
      next.created !== start.created;
    return isChanged ? next : null;
  };

  const readChunk = (chunk: JsonObject): StreamEvent[] => {
    const events: StreamEvent[] = [];
    const nextStart = readStart(chunk);
    if (nextStart) {
      start = nextStart;
      events.push(nextStart);
    }
    const choice = readChoice(chunk);
    if (choice) {
      if (choice.reasoning !== '') events.push({ type: 'reasoning-delta', text: choice.reasoning });
      if (choice.text !== '') events.push({ type: 'text-delta', text: choice.text });
      if (choice.logprobs.length > 0) events.push({ type: 'logprobs', tokens: choice.logprobs });
      const calls = places.push(choice.toolCalls, start?.id ?? null, choice.isWhole);
      if (!calls)
        return [...events, failure(`The answer holds more than ${MAX_TOOL_CALLS} tool calls.`, 'too_many_tool_calls')];
      events.push(...calls);
      finishReason = choice.finish_reason ?? finishReason;
    }
    const usage = readUsage(chunk);
    if (usage) events.push({ type: 'usage', usage });
    const tokensPerSecond = readTokensPerSecond(chunk);
    if (tokensPerSecond !== null) events.push({ type: 'timings', tokensPerSecond });
    return events;
  };

  const read = (event: SseEvent): readonly StreamEvent[] => {
    if (event.fault === 'too-large')
      return [failure('One event of the stream is larger than this client accepts.', 'event_too_large')];
    if (event.data.trim() === '') return NOTHING;
    if (event.data.trim() === '[DONE]') return [{ type: 'message-end', finish_reason: finishReason }];
    const json = parseJson(event.data);
    if (event.event === 'error') return [toErrorEvent(json === undefined ? event.data : json)];
    if (isErrorBody(json)) return [toErrorEvent(json)];
    if (isObject(json)) return readChunk(json);
    // Half an event is an interruption, not a fault of the service. Events with other names are not for us.
    if (event.fault === 'cut' || (event.event !== null && event.event !== 'message')) return NOTHING;
    const shown = event.data.length > 200 ? `${event.data.slice(0, 200)}…` : event.data;
    return [failure(`The service sent something that is not a chunk of an answer: ${shown}`, 'invalid_chunk')];
  };

  const end = (events: readonly StreamEvent[]): readonly StreamEvent[] => {
    const last = events.at(-1);
    isEnded = last !== undefined && isLastEvent(last);
    return events;
  };

  return {
    isEnded: () => isEnded,
    push: (event) => (isEnded ? NOTHING : end(read(event))),
    pushCompletion(body) {
      if (isEnded) return NOTHING;
      if (isErrorBody(body)) return end([toErrorEvent(body)]);
      const events = isObject(body) ? readChunk(body) : [];
      const last = events.at(-1);
      if (last && isLastEvent(last)) return end(events);
      return end([...events, { type: 'message-end', finish_reason: finishReason }]);
    },
    close(reason) {
      if (isEnded) return NOTHING;
      if (finishReason !== null) return end([{ type: 'message-end', finish_reason: finishReason }]);
      return end([{ type: 'stream-interrupted', reason: reason ?? ENDED_EARLY }]);
    },
  };
}
