// An assistant's message, built from stream events. Plain data: it can be stored as it is.
import type { AnswerEvent, ReadUsage, StreamEvent } from './events.ts';

/** The part of a call that has arrived. `arguments` is never completed or repaired: it may be half a JSON text. */
export interface AnswerToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

interface AnswerProblem {
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
}

export interface AssistantMessage {
  readonly id: string | null;
  readonly model: string | null;
  readonly fingerprint: string | null;
  /** Unix time in seconds. */
  readonly created: number | null;
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly AnswerToolCall[];
  /** null: the service sent none. */
  readonly usage: ReadUsage | null;
  readonly tokensPerSecond: number | null;
  /** Its tokens came with log probabilities, which stand in the record of the answer. */
  readonly hasLogprobs?: boolean;
  /** `stop`, `length`, `tool_calls` or any other text of a service. */
  readonly finish_reason: string | null;
  /** `open` until the last event. Only the tool calls of a `complete` message may run. */
  readonly state: 'open' | 'complete' | 'failed' | 'interrupted';
  /** Why it failed or was interrupted. The text that arrived before stays. */
  readonly problem: AnswerProblem | null;
}

/** A message before its first event. */
export const EMPTY_MESSAGE: AssistantMessage = Object.freeze({
  id: null,
  model: null,
  fingerprint: null,
  created: null,
  text: '',
  reasoning: '',
  toolCalls: Object.freeze([]),
  usage: null,
  tokensPerSecond: null,
  finish_reason: null,
  state: 'open',
  problem: null,
});

function reduceToolCalls(
  calls: readonly AnswerToolCall[],
  delta: Extract<StreamEvent, { type: 'tool-call-delta' }>,
): readonly AnswerToolCall[] {
  const old = calls[delta.index];
  if (!old) return [...calls, { id: delta.id, name: delta.name, arguments: delta.arguments }];
  const name = old.name || delta.name;
  if (old.id === delta.id && old.name === name && delta.arguments === '') return calls;
  // `with` copies at most MAX_TOOL_CALLS references. The texts are not copied.
  return calls.with(delta.index, { id: delta.id, name, arguments: old.arguments + delta.arguments });
}

function isSameUsage(a: ReadUsage | null, b: ReadUsage): boolean {
  return (
    a !== null &&
    a.completion_tokens === b.completion_tokens &&
    a.prompt_tokens === b.prompt_tokens &&
    a.total_tokens === b.total_tokens
  );
}

function addText(message: AssistantMessage, text: string): AssistantMessage {
  return text === '' ? message : { ...message, text: message.text + text };
}

/**
 * The message after one more event. An event that changes nothing returns the same object.
 * Appending to a long text is as cheap as to a short one: JavaScript engines store joined texts as ropes.
 */
export function reduceMessage(message: AssistantMessage, event: AnswerEvent): AssistantMessage {
  switch (event.type) {
    case 'message-start': {
      const { id, model, fingerprint, created } = event;
      const isSame =
        id === message.id &&
        model === message.model &&
        fingerprint === message.fingerprint &&
        created === message.created;
      return isSame ? message : { ...message, id, model, fingerprint, created };
    }
    case 'text-delta':
      return addText(message, event.text);
    case 'reasoning-delta':
      return event.text === '' ? message : { ...message, reasoning: message.reasoning + event.text };
    case 'text-was-reasoning':
      return message.text === ''
        ? message
        : { ...message, text: '', reasoning: message.reasoning + message.text.trimStart() };
    case 'tool-call-delta': {
      const toolCalls = reduceToolCalls(message.toolCalls, event);
      return toolCalls === message.toolCalls ? message : { ...message, toolCalls };
    }
    case 'logprobs':
      return message.hasLogprobs === true ? message : { ...message, hasLogprobs: true };
    case 'usage':
      return isSameUsage(message.usage, event.usage) ? message : { ...message, usage: event.usage };
    case 'timings':
      return event.tokensPerSecond === message.tokensPerSecond
        ? message
        : { ...message, tokensPerSecond: event.tokensPerSecond };
    case 'message-end':
      return { ...message, finish_reason: event.finish_reason, state: 'complete' };
    case 'stream-error':
      return { ...message, state: 'failed', problem: { message: event.message, code: event.code, param: event.param } };
    case 'stream-interrupted':
      return { ...message, state: 'interrupted', problem: { message: event.reason, code: null, param: null } };
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

/**
 * The message after a batch of events from a reader. Neighbouring texts are joined first: most events are texts.
 */
export function reduceMessages(message: AssistantMessage, events: readonly AnswerEvent[]): AssistantMessage {
  let next = message;
  let text = '';
  for (const event of events) {
    if (event.type === 'text-delta') {
      text += event.text;
      continue;
    }
    next = reduceMessage(addText(next, text), event);
    text = '';
  }
  return addText(next, text);
}
