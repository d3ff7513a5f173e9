// How long a model's context is and how many answers it serves at once, within a share of memory. Pure.

export interface ContextPlan {
  /** Tokens of prompt and answer together, for each answer. */
  readonly contextSize: number;
  /** Answers at the same time. */
  readonly sequences: number;
  /** Tokens of a prompt that are evaluated in one step. An abort takes effect between two steps. */
  readonly promptStep: number;
  readonly threads: number;
}

export interface ModelShape {
  /** The longest context of the training, in tokens. */
  readonly trainContext: number;
  /** Bytes of attention cache for one token. */
  readonly bytesPerToken: number;
  readonly fileBytes: number;
}

const MAX_SEQUENCES = 8;
const MIN_CONTEXT = 512;
/**
 * Memory that is too small for a whole context is divided: by two if each part has 8,192 tokens, by up to four if each
 * has 16,384.
 */
const FAIR_CONTEXT = 8_192;
const ROOMY_CONTEXT = 16_384;
const MAX_SHARED = 4;
/**
 * For smaller models, a second thread waits longer than it computes (measured on a busy machine: 1,600 tokens/s with
 * one thread, 80 with two).
 */
const SMALL_MODEL_BYTES = 64 * 1024 * 1024;

function toShared(tokens: number): number {
  const least = tokens >= 2 * FAIR_CONTEXT ? 2 : 1;
  return Math.max(least, Math.min(MAX_SHARED, Math.floor(tokens / ROOMY_CONTEXT)));
}

/**
 * Full context length first (SPEC 4.3: without max_completion_tokens the model's maximum applies), then as many
 * sequences as fit into `memoryBytes`, 8 at most. If not even one full context fits, the memory is divided into shorter
 * contexts, so that one long answer does not make all others wait.
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
