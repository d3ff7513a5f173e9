// How large a model's context may be and how many answers it serves at once, within a share of memory. Pure.

export interface ContextPlan {
  /** Tokens of prompt and answer together, for each answer. */
  readonly contextSize: number;
  /** Answers at the same time. */
  readonly sequences: number;
  /** Tokens of a prompt that are evaluated in one step: between two steps an abort takes effect. */
  readonly promptStep: number;
  readonly threads: number;
}

export interface ModelShape {
  /** Longest context that the model was trained for, tokens. */
  readonly trainContext: number;
  /** Bytes of attention cache for one token. */
  readonly bytesPerToken: number;
  readonly fileBytes: number;
}

const MAX_SEQUENCES = 8;
const MIN_CONTEXT = 512;
/** Memory that does not hold a whole context is divided: by two when each keeps the first, by four when the second. */
const FAIR_CONTEXT = 8_192;
const ROOMY_CONTEXT = 16_384;
const MAX_SHARED = 4;
/**
 * Below this size a second thread costs more in waiting than it computes (measured: 1,600 against 80 tokens/s when
 * busy).
 */
const SMALL_MODEL_BYTES = 64 * 1024 * 1024;

function toShared(tokens: number): number {
  const least = tokens >= 2 * FAIR_CONTEXT ? 2 : 1;
  return Math.max(least, Math.min(MAX_SHARED, Math.floor(tokens / ROOMY_CONTEXT)));
}

/**
 * Full context length first (SPEC 4.3: without max_completion_tokens the model's maximum applies), then as many
 * sequences as `memoryBytes` holds, 8 at most. Only when not even one fits does the context shrink: then what there is
 * is divided, so that one long answer does not keep everybody else waiting.
 */
export function toContextPlan(shape: ModelShape, memoryBytes: number, cores: number): ContextPlan {
  const isSmall = shape.fileBytes < SMALL_MODEL_BYTES;
  const tokens = Math.max(MIN_CONTEXT, Math.floor(memoryBytes / Math.max(1, shape.bytesPerToken)));
  const isWhole = tokens >= shape.trainContext;
  const sequences = isWhole ? Math.min(MAX_SEQUENCES, Math.floor(tokens / shape.trainContext)) : toShared(tokens);
  return {
    contextSize: isWhole ? shape.trainContext : Math.floor(tokens / sequences),
    sequences,
    promptStep: isSmall ? 64 : 32,
    threads: isSmall ? 1 : Math.max(1, cores - 1),
  };
}
