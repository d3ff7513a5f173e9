// Answers that hold only what is new are put behind what the page has. Pure.
import type { TrainingProgress, TrainingLog } from '#features/training/shared/trainingRecords.ts';

const byStep = (a: { readonly step: number }, b: { readonly step: number }): number => a.step - b.step;

/** The later answer wins where both have a step. */
function join<Entry extends { readonly step: number }>(known: Entry[], next: Entry[]): Entry[] {
  if (next.length === 0) return known;
  const steps = new Set(next.map(({ step }) => step));
  return [...known.filter(({ step }) => !steps.has(step)), ...next].sort(byStep);
}

/** `next`: what came after the last point of `known`. A run that began anew has fewer steps than before. */
export function joinProgress(known: TrainingProgress | null, next: TrainingProgress | null): TrainingProgress | null {
  if (known === null || next === null || next.step < known.step) return next;
  return {
    ...next,
    points: join(known.points, next.points),
    validations: join(known.validations, next.validations),
    checkpoints: join(known.checkpoints, next.checkpoints),
  };
}

/** UTF-16 units that the page keeps. */
const MOST_LOG = 200_000;

export interface HeldLog {
  readonly text: string;
  /** Where the next part begins. */
  readonly next: number;
  /** Its beginning is not here. */
  readonly isCut: boolean;
}

/** Keeps the end of a log, from the start of a line on. */
export function appendLog(known: HeldLog | undefined, { from, next, text }: TrainingLog): HeldLog {
  const hasGap = from !== (known?.next ?? 0);
  const whole = hasGap ? text : (known?.text ?? '') + text;
  const isLong = whole.length > MOST_LOG;
  const end = whole.slice(-MOST_LOG);
  return {
    text: isLong ? end.slice(end.indexOf('\n') + 1) : whole,
    next,
    isCut: isLong || hasGap || (known?.isCut ?? false),
  };
}
