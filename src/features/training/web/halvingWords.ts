// What the dialog and a job say of successive halving. Pure.
import type { ReadJob } from '#core/contract/jobReader.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import {
  toHalving,
  toOtherLossText,
  toRungShares,
  toTrainedShare,
  type OtherLoss,
} from '#features/training/shared/halving.ts';
import type { TrainingQueue } from '#features/training/shared/trainingRecords.ts';
import { formatCounted, formatDuration } from '#ui/kit/format.ts';

/** Of fewer candidates little is saved. */
const LEAST_OFFERED = 4;

/** Of so many one goes on. */
const { min, max } = JOB_LIMITS.halving.eta;

/** Whether poor runs can stop early. `kept`: the eta of the job that is run again; null: it has none. */
export const isHalvingOffered = (candidates: number, kept: number | null): boolean =>
  candidates >= LEAST_OFFERED || (kept !== null && candidates >= min);

/** null: all are trained to the end. */
export const toHalvingChoices = (candidates: number): readonly (number | null)[] => [
  null,
  ...Array.from({ length: max - min + 1 }, (_, at) => min + at).filter((eta) => eta <= candidates),
];

/** Why it can't be chosen, and what to do; null: it can. */
export function findHalvingRefusal(
  queue: TrainingQueue | null | undefined,
  validationRows: number | null,
  other: OtherLoss | null = null,
): string | null {
  if (validationRows === 0)
    return 'Runs are compared by their validation loss, and this snapshot has no validation rows.';
  if (queue?.trainer?.can_pause === false && !queue.has_workers)
    return 'This trainer does not pause at a given step. The built-in trainer does.';
  return other && toOtherLossText(other);
}

/** A choice by its time: `One of 3 goes on: about 9 min`. `eta` null: all are trained. */
export function toHalvingLabel(eta: number | null, candidates: number, milliseconds: number | null): string {
  const what = eta === null ? 'Train all to the end' : `One of ${eta} goes on`;
  if (milliseconds === null) return what;
  const share = eta === null ? 1 : toTrainedShare(candidates, toHalving({ eta }, candidates));
  return `${what}: about ${formatDuration(milliseconds * share)}`;
}

/** When runs are compared, and what becomes of those that stop. */
export function toHalvingHint(eta: number, candidates: number): string {
  const shares = toRungShares(candidates, toHalving({ eta }, candidates)).map(
    (share) => `${Math.round(share * 100)} %`,
  );
  return (
    `The ${candidates} candidates are compared by validation loss after ${shares.join(' and ')} of their steps. Those that ` +
    'stop keep their checkpoints, and can be resumed.'
  );
}

/** What was saved: `Successive halving stopped 8 of 9 runs early: trained 3 min, about 5 min saved.` */
export function toHalvingText(
  { stopped_early: stopped, seconds, seconds_saved: saved }: NonNullable<ReadJob['halving']>,
  runs: number,
): string {
  if (stopped === 0) return 'Successive halving: poor runs will be stopped early.';
  const toText = (value: number): string => formatDuration(value * 1000);
  return (
    `Successive halving has stopped ${stopped} of ${formatCounted(runs, 'run')} early: ${toText(seconds)} of training, and ` +
    `about ${toText(saved)} saved.`
  );
}
