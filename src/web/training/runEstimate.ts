// What a run takes, before it starts, from what the studio knows of its base model and rows. Pure.
import type { TrainingBases } from '#shared/contract/training/trainingRecords.ts';
import { trainingEstimate, type TrainingEstimate } from '#shared/training/nano/trainingEstimate.ts';
import { formatCount, formatDuration } from '#web/ui/format.ts';
import { findRowProblem, type RunRow } from './runRows.ts';

/** The training rows of a snapshot. */
export interface TrainedText {
  /** UTF-16 units of all training rows together, and of the longest row. */
  readonly characters: number;
  readonly longest: number;
}

/** Of short messages in English, with the names of roles that surround them. Measured on the sample's datasets. */
const CHARACTERS_PER_TOKEN = 2.5;
/** See `runFolder.ts` in `server/training/`. */
const LORA_RANK = 8;

type Base = TrainingBases['bases'][number];

/** null: its values are not complete, or the form of its base model or its rows is not known. */
export function toRunEstimate(row: RunRow, base: Base | undefined, text: TrainedText | null): TrainingEstimate | null {
  if (!base?.shape || text === null || findRowProblem(row) !== null) return null;
  const { epochs = 1, batch = 1, type } = row;
  const {
    key_heads: keyHeads,
    head_width: headWidth,
    inner_width: innerWidth,
    has_output: hasOutput,
    ...same
  } = base.shape;
  return trainingEstimate({
    // Neither has a part in the estimate.
    shape: { ...same, keyHeads, headWidth, innerWidth, hasOutput, epsilon: 1e-5, ropeBase: 10_000 },
    rank: type === 'full' ? null : LORA_RANK,
    tokens: Math.ceil(text.characters / CHARACTERS_PER_TOKEN),
    longest: Math.min(base.shape.context, Math.ceil(text.longest / CHARACTERS_PER_TOKEN)),
    epochs,
    batchSize: batch,
    measuredSpeed: base.operations_per_second,
  });
}

const toMemoryText = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;

/** `about 480 steps, 470k tokens, 4 min, 210 MB`. */
export function toEstimateText({ steps, tokens, seconds, memory }: TrainingEstimate): string {
  const size =
    tokens.value >= 1e6 ? `${(tokens.value / 1e6).toFixed(1)}M` : `${Math.max(1, Math.round(tokens.value / 1000))}k`;
  return (
    `About ${formatCount(steps.value)} ${steps.value === 1 ? 'step' : 'steps'}, ${size} tokens, ` +
    `${formatDuration(Math.max(1, Math.round(seconds.value)) * 1000)}, ${toMemoryText(memory.value)} of memory`
  );
}

/** The formulas, a line each. */
export const toFormulas = ({
  steps,
  tokens,
  seconds,
  memory,
}: TrainingEstimate): readonly (readonly [string, string])[] => [
  ['Tokens', `${tokens.formula}; a token is counted for each ${CHARACTERS_PER_TOKEN} characters`],
  ['Steps', steps.formula],
  ['Seconds', seconds.formula],
  ['Bytes of memory', memory.formula],
];

/** Milliseconds that all of them take one after another; null: of one it is not known. */
export function toWholeTime(estimates: readonly (TrainingEstimate | null)[]): number | null {
  let sum = 0;
  for (const estimate of estimates) {
    if (estimate === null) return null;
    sum += estimate.seconds.value * 1000;
  }
  return sum;
}
