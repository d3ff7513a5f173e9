// What a run of the built-in trainer takes, before it starts: steps, tokens, seconds, memory, each with its formula. Pure.
import type { Objective } from '#core/contract/trainingSettings.ts';
import { countParameters, type ModelShape } from './canTrain.ts';
import { toThreadTokens } from './threads.ts';

export interface EstimateInput {
  readonly shape: ModelShape;
  /** null: all weights are trained. */
  readonly rank: number | null;
  /** Tokens of all training rows together, each cut to the context, and of the longest of them. */
  readonly tokens: number;
  readonly longest: number;
  readonly rows: number;
  readonly epochs: number;
  /** Sequences of 128 tokens. */
  readonly batchSize: number;
  /** That the run is computed on. */
  readonly threads: number;
  /** Operations per second that finished runs on this machine reached; null: none has finished. */
  readonly measuredSpeed: number | null;
  /** How many these were. */
  readonly measuredRuns?: number;
  /** Bytes of the base model's file; null: not known. */
  readonly fileBytes?: number | null;
  /** Missing: sft. */
  readonly objective?: Objective;
}

interface Estimated {
  readonly value: number;
  /** The formula in words, with its numbers. */
  readonly formula: string;
}

export interface TrainingEstimate {
  readonly steps: Estimated;
  readonly tokens: Estimated;
  readonly seconds: Estimated;
  /** The same by the formula alone, where finished runs here have corrected it; null: `seconds` is that. */
  readonly usualSeconds: Estimated | null;
  /** Bytes. */
  readonly memory: Estimated;
  /** Bytes; null: the size of the base model's file is not known. */
  readonly disk: Estimated | null;
}

const SEQUENCE_TOKENS = 128;
/** Part of a batch that short rows fill: the best fit leaves 2 % empty on the sample's datasets. */
const MOST_FILL = 0.98;

/** As if all rows had the mean length: three rows of 75 tokens in a batch of 256 leave 12 % of it empty. */
function toFill(room: number, tokens: number, rows: number): number {
  const mean = Math.max(1, tokens / Math.max(1, rows));
  const whole = Math.max(1, Math.floor(room / mean));
  return Math.min((whole * mean) / room, Math.max(MOST_FILL, mean / room));
}

/**
 * Operations per second of one busy core, with the work beside the matrices counted in. This rests on a few runs of one
 * model (a base of 1.0 million weights, batch 8) on one machine with 2 cores. Finished runs here replace it.
 */
export const USUAL_SPEED = 40e9;
/**
 * Passes forward and backward: two operations for each weight forward, four backward. The gradients of an adapter go through
 * its rank, and runs with one take 0.82 of the time.
 */
const toOperations = (isAdapter: boolean): number => (isAdapter ? 5 : 6);
/** Each further thread adds this part of the first: all wait for the slowest. */
const THREAD_SHARE = 0.8;

/** Operations for each weight and token of an epoch, and once before the first: two for each more pass forward. */
const MORE_OPERATIONS: Readonly<
  Record<Objective, { readonly epoch: number; readonly once: number; readonly why: string }>
> = {
  sft: { epoch: 0, once: 0, why: '' },
  dpo: { epoch: 0, once: 2, why: ', and 2 once for the starting model' },
  kto: { epoch: 2, once: 4, why: ' with mismatched answers, and 4 once for the starting model' },
  grpo: { epoch: 0, once: 0, why: ' without the answers that it generates' },
};
/** Node, the loader, the tokenizer and the rows, in bytes. */
const PROCESS_BYTES = 110e6;
/** Room for logits and panels of matrices, and what Node takes for a thread. */
const THREAD_BYTES = 24e6;

const countText = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Room for checkpoints (weights and two moments in F32, twice), the result and the rows. */
const DISK_FACTOR = 24;
const DISK_SPARE = 64e6;

/** Bytes of disk that must be free before a run from a file of this size begins. */
export const toDiskNeed = (fileBytes: number): Estimated => ({
  value: fileBytes * DISK_FACTOR + DISK_SPARE,
  formula: `${DISK_FACTOR} x ${countText(fileBytes)} bytes of the base model's file, and ${DISK_SPARE / 1e6} MB`,
});

/** Operations per second of a finished run, to correct later estimates. */
export const toSpeed = (
  shape: ModelShape,
  { isAdapter, tokens, seconds }: { readonly isAdapter: boolean; readonly tokens: number; readonly seconds: number },
): number | null =>
  seconds > 0 && tokens > 0 ? (toOperations(isAdapter) * countParameters(shape) * tokens) / seconds : null;

function toMemory({ shape, rank, longest, threads, objective }: EstimateInput): Estimated {
  const parameters = countParameters(shape);
  const { width, innerWidth, layers, heads, keyHeads, headWidth } = shape;
  const attention = width + heads * headWidth;
  const adapter = rank === null ? 0 : layers * rank * (4 * attention + 3 * (width + innerWidth));
  const moved = 12 + 4 * threads;
  const weights = rank === null ? parameters * moved : parameters * 8 + adapter * moved;
  // Both answers of a pair go through the model together.
  const pass = threads * toThreadTokens(threads, objective === 'dpo' ? longest * 2 : longest);
  const perToken =
    layers * (4 * width + 2 * headWidth * (heads + keyHeads) + 3 * innerWidth + heads * Math.max(64, longest + 16));
  const fixed = PROCESS_BYTES + threads * THREAD_BYTES;
  const each =
    rank === null
      ? `${moved} bytes for each of ${countText(parameters)} weights`
      : `8 bytes for each of ${countText(parameters)} weights and ${moved} for each of ${countText(adapter)} of the adapter`;
  return {
    value: fixed + weights + pass * perToken * 4,
    formula:
      `${each}, ${countText(perToken * 4)} for each of ${countText(pass)} tokens, and ${fixed / 1e6} MB` +
      (threads === 1 ? '' : `, on ${threads} threads`),
  };
}

/**
 * All values are estimates. Seconds were within about a third in the few runs that the usual speed rests on, while nothing else
 * ran; on another machine they may be several times as many until a run has finished there.
 */
export function trainingEstimate(input: EstimateInput): TrainingEstimate {
  const tokens = input.tokens * input.epochs;
  const room = input.batchSize * SEQUENCE_TOKENS;
  const fill = toFill(room, input.tokens, input.rows);
  const perEpoch = Math.max(1, Math.ceil(input.tokens / (room * fill)));
  const parameters = countParameters(input.shape);
  const more = MORE_OPERATIONS[input.objective ?? 'sft'];
  const each = toOperations(input.rank !== null) + more.epoch;
  const toSeconds = (speed: number, source: string): Estimated => ({
    value: ((each + more.once / input.epochs) * parameters * tokens) / speed,
    formula:
      `${each} operations${more.why} x ${countText(parameters)} weights x ${countText(tokens)} tokens / ` +
      `${(speed / 1e9).toFixed(1)} billion a second (${source})`,
  });
  const { threads } = input;
  const usual = toSeconds(
    USUAL_SPEED * (1 + THREAD_SHARE * (threads - 1)),
    `not measured on this machine${threads === 1 ? '' : `, on ${threads} threads`}`,
  );
  const { measuredSpeed, measuredRuns = 1, fileBytes = null } = input;
  const runs = `from ${measuredRuns === 1 ? 'one finished run' : `${measuredRuns} finished runs`} here`;
  return {
    steps: {
      value: perEpoch * input.epochs,
      formula:
        `${countText(input.tokens)} tokens of rows / (${input.batchSize} sequences x ${SEQUENCE_TOKENS} tokens, ` +
        `${Math.round(fill * 100)} % full) x ${input.epochs} epochs`,
    },
    tokens: { value: tokens, formula: `${countText(input.tokens)} tokens of rows x ${input.epochs} epochs` },
    seconds: measuredSpeed === null ? usual : toSeconds(measuredSpeed, runs),
    usualSeconds: measuredSpeed === null ? null : usual,
    memory: toMemory(input),
    disk: fileBytes === null ? null : toDiskNeed(fileBytes),
  };
}
