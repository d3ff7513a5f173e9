// What the service needs from any inference engine: its list of models, and answers as a stream of typed events.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { SamplingName } from '#core/contract/samplingParameters.ts';
import type { TextRequest } from '#core/contract/textCompletion.ts';
import type { TokenLogprob } from '#core/stream/events.ts';
import type { FinishReason, ModelEntry, Usage } from '#core/contract/completion.ts';

/** A token of a text, and how likely the model found it after the tokens before it. */
export interface ScoredToken {
  /** `bytes:\\x..` for one that is part of a character. */
  readonly text: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly offset: number;
  /** In nats; null: there is nothing before it. */
  readonly logprob: number | null;
  /** The likeliest tokens there. */
  readonly top: readonly (readonly [text: string, logprob: number])[] | null;
}

/** One step of an answer. `message-end` comes exactly once and last; its finish_reason is SPEC 2.4's. */
export type EngineEvent =
  | {
      readonly type: 'text-delta';
      readonly text: string;
      /** Those of a text that goes on, if log probabilities were asked for. */
      readonly tokens?: readonly ScoredToken[];
    }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The next tokens of a chat answer, if they were asked for. Their text may come earlier or later. */
  | { readonly type: 'logprobs'; readonly tokens: readonly TokenLogprob[] }
  | {
      readonly type: 'tool-call-delta';
      readonly index: number;
      /** `id` and `name` come with the first delta of a call, `arguments` in pieces after it. */
      readonly id?: string;
      readonly name?: string;
      readonly arguments?: string;
    }
  | {
      readonly type: 'message-end';
      /** null: the server of the answer never said. */
      readonly finish_reason: FinishReason | null;
      readonly usage: Usage | null;
      /** Defaults of SPEC 4.3 that the server of the answer refuses, so that its own hold; missing: none. */
      readonly omitted?: SamplingName[];
    };

/** A model that is ready to answer. */
export interface LoadedModel {
  /** Full identifier, also when the request named an alias (SPEC 2.4 `model`). */
  readonly id: string;
  /** Identifies weights, adapter, engine version and settings; same fingerprint + seed + request = same text. */
  readonly fingerprint: string | null;
  /**
   * Starts an answer. The request has been validated (SPEC 4.3). Aborting `signal` ends the iteration with an
   * AbortError and frees the engine at once, also before the first token. Throws EngineError. Callers take turns:
   * `caller` is any text that identifies one.
   */
  generate(request: ChatRequest, signal: AbortSignal, caller?: string): AsyncIterable<EngineEvent>;
  /** Goes on with a text, in the same way; missing: this engine only chats. */
  complete?(request: TextRequest, signal: AbortSignal, caller?: string): AsyncIterable<EngineEvent>;
}

/** A source of models. */
export interface Engine {
  /** The models that the engine can serve now. An unreachable upstream throws EngineError. */
  listModels(): Promise<readonly ModelEntry[]>;
  /** One of them, by id or alias; null: this engine does not have it. */
  findModel(name: string): Promise<ModelEntry | null>;
  /**
   * Resolves within seconds if the engine can answer now. Otherwise throws EngineError, even while `listModels` still
   * returns an earlier list.
   */
  check(): Promise<void>;
  /** Makes a model ready by id or alias; null at once if this engine does not have it. */
  load(model: string, signal: AbortSignal, caller?: string): Promise<LoadedModel | null>;
  /** Ends running answers and frees memory. */
  close(): Promise<void>;
}

/** A graphics card, or several, that llama.cpp computes on. */
export interface Gpu {
  /** Such as `cuda`, `metal` or `vulkan`. */
  readonly kind: string;
  readonly devices: readonly string[];
  /** Memory of all devices together. */
  readonly bytes: number;
  /** It is the machine's own memory. */
  readonly isUnified: boolean;
}

/** What a model takes. */
export interface ModelMemory {
  /** Bytes of weights and contexts. */
  readonly bytes: number;
  /** Layers in all, and those that a graphics card computes. */
  readonly layers: number;
  readonly gpuLayers: number;
  /** null: the processor alone. */
  readonly gpu: Gpu | null;
}

/** Models in the memory of this machine. */
export interface Residence {
  /** What a model, by id or alias, takes; `absent`: it is not in memory; null: this engine does not have it. */
  findMemory(model: string): Promise<ModelMemory | 'absent' | null>;
  /** Loads a model and keeps it in memory until `free`. false: this engine does not have it. Throws EngineError. */
  keep(model: string, signal: AbortSignal): Promise<boolean>;
  /** Frees a model once its running answers have ended. false: this engine does not have it. */
  free(model: string): Promise<boolean>;
}

/** An engine's failure that is reported to the caller. `status` is the HTTP status of the response. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(
    message: string,
    readonly status: 400 | 404 | 413 | 422 | 429 | 500 | 502 | 503,
    readonly code: string,
    readonly param: string | null = null,
    /** When to try again, in the form of the `Retry-After` header: seconds or an HTTP date. */
    readonly retryAfter: string | null = null,
  ) {
    super(message);
  }
}

/** `what` the end of the studio has done to the request. */
export function toClosed(what: '' | ' and ended this answer' = ''): EngineError {
  const message = `The studio is shutting down${what}. Send the request again when it is back.`;
  return new EngineError(message, 503, 'engine_closed');
}

export function toOverflow(count: string, contextSize: number, param: 'messages' | 'prompt' = 'messages'): EngineError {
  const [what, advice] =
    param === 'messages' ? ['The messages have', 'Shorten the conversation.'] : ['The prompt has', 'Shorten it.'];
  const message = `${what} ${count} tokens, but this model's context holds ${contextSize}, answer included. ${advice}`;
  return new EngineError(message, 400, 'context_length_exceeded', param);
}

/** A GGUF model file of the operator or the studio, with an optional LoRA adapter. */
export interface ModelFile {
  readonly id: string;
  readonly aliases: readonly string[];
  /** Absolute path of the GGUF file with the base weights. */
  readonly path: string;
  /** Absolute path of a LoRA adapter in GGUF form. */
  readonly adapter: string | null;
  /** Unix time in seconds. */
  readonly created: number;
  readonly owned_by: string;
}
