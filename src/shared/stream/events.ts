// What an answer consists of while it arrives, whatever service sends it. The one vocabulary between reading a stream
// and showing it.

/** Token counts as a service gave them (SPEC 2.4). null is "not said": never 0, never guessed. */
export interface ReadUsage {
  readonly completion_tokens: number | null;
  readonly prompt_tokens: number | null;
  readonly total_tokens: number | null;
}

/**
 * One step of an answer. Exactly one of `message-end`, `stream-error` and `stream-interrupted` comes, and it
 * comes last. `message-start` comes once more when a later chunk tells what an earlier one left out.
 */
export type StreamEvent =
  | {
      readonly type: 'message-start';
      readonly id: string | null;
      /** The full identifier of the model that answers (SPEC 2.4). */
      readonly model: string | null;
      readonly fingerprint: string | null;
      /** Unix time in seconds. */
      readonly created: number | null;
    }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | {
      readonly type: 'tool-call-delta';
      /** The call's place in the answer: 0, 1, 2 without gaps, whatever the wire said. */
      readonly index: number;
      /** Never empty: made from the place when the service gives none. */
      readonly id: string;
      /** The whole name with a call's first delta that has it; empty otherwise. */
      readonly name: string;
      /** The next piece of the JSON text; it is final only after `message-end`. */
      readonly arguments: string;
    }
  | { readonly type: 'usage'; readonly usage: ReadUsage }
  | { readonly type: 'timings'; readonly tokensPerSecond: number }
  | { readonly type: 'message-end'; readonly finish_reason: string | null }
  | {
      readonly type: 'stream-error';
      readonly message: string;
      readonly code: string | null;
      readonly param: string | null;
    }
  | { readonly type: 'stream-interrupted'; readonly reason: string };

/**
 * One step of an answer as it is shown. `text-was-reasoning`: all text so far is reasoning. Only who shows an answer
 * can use it: what was passed on to somebody else can't be taken back.
 */
export type AnswerEvent = StreamEvent | { readonly type: 'text-was-reasoning' };

/** True for the event after which nothing follows. */
export function isLastEvent(event: AnswerEvent): boolean {
  return event.type === 'message-end' || event.type === 'stream-error' || event.type === 'stream-interrupted';
}
