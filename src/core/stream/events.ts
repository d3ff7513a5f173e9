// The stream events of an answer, the same for every service. Readers of streams make them, views show them.

/** Token counts as the service sent them (SPEC 2.4). null: not sent; never 0 or guessed. */
export interface ReadUsage {
  readonly completion_tokens: number | null;
  readonly prompt_tokens: number | null;
  readonly total_tokens: number | null;
}

interface OneLogprob {
  readonly token: string;
  /** Natural logarithm of the probability. */
  readonly logprob: number;
  /** Of the token in UTF-8; null: not sent. */
  readonly bytes: readonly number[] | null;
}

/** A token of an answer, and the likeliest tokens in its place, in OpenAI's form. */
export interface TokenLogprob extends OneLogprob {
  readonly top_logprobs: readonly OneLogprob[];
}

/**
 * One step of an answer. Exactly one of `message-end`, `stream-error` and `stream-interrupted` comes, and it
 * comes last. `message-start` comes again if a later chunk adds what an earlier one left out.
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
      /** The call's place in the answer: 0, 1, 2 without gaps, whatever index the wire has. */
      readonly index: number;
      /** Never empty: made from the place if the service sends none. */
      readonly id: string;
      /** The whole name, in the first delta of the call that has it; empty in others. */
      readonly name: string;
      /** The next piece of the JSON text. The text is final only after `message-end`. */
      readonly arguments: string;
    }
  /** The next tokens, if they were asked for. Their text may come earlier or later, and may be left out. */
  | { readonly type: 'logprobs'; readonly tokens: readonly TokenLogprob[] }
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
 * One step of an answer on the screen. `text-was-reasoning`: all text so far is reasoning. Only a view can use it:
 * text that was passed on to another program can't be taken back.
 */
export type AnswerEvent = StreamEvent | { readonly type: 'text-was-reasoning' };

/** True for an event that ends the answer. */
export function isLastEvent(event: AnswerEvent): boolean {
  return event.type === 'message-end' || event.type === 'stream-error' || event.type === 'stream-interrupted';
}
