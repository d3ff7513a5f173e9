// Says when a training can't come to anything any more. Pure.
import { DIVERGED } from '#features/projects/server/statusCause.ts';

/** Losses that make the start. */
const START = 5;
/** So many steps in a row without a finite loss, or above the start, are too many. */
const BROKEN = 5;
const HIGH = 150;
/** A loss that wavers around its start is not above it. */
const MARGIN = 1.1;

export interface LossWatch {
  /** The first finite losses. */
  readonly start: readonly number[];
  readonly broken: number;
  readonly high: number;
}

export const FIRST_LOSSES: LossWatch = { start: [], broken: 0, high: 0 };

/** Adds the loss of the next step; null: it was no finite number. */
export function addLoss({ start, broken, high }: LossWatch, loss: number | null): LossWatch {
  if (loss === null) return { start, broken: broken + 1, high: high + 1 };
  if (start.length < START) return { start: [...start, loss], broken: 0, high: 0 };
  const mean = start.reduce((sum, value) => sum + value, 0) / START;
  return { start, broken: 0, high: loss > mean * MARGIN ? high + 1 : 0 };
}

/** Why it has diverged, one sentence; null: it has not. */
export function toDivergence({ start, broken, high }: LossWatch, step: number): string | null {
  const advice = 'Take a lower learning rate, a third of it for example.';
  if (broken >= BROKEN)
    return `${DIVERGED}from step ${step - broken + 1} on its loss was not a finite number. ${advice}`;
  if (high < HIGH) return null;
  const first = start.reduce((sum, value) => sum + value, 0) / Math.max(1, start.length);
  return `${DIVERGED}its loss was above its start (${first.toPrecision(3)}) for ${HIGH} steps. ${advice}`;
}
