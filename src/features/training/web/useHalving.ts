// Whether poor runs of a job stop early, as the dialog asks it.
import { useState } from 'react';
import { toHalving, toTrainedShare } from '#features/training/shared/halving.ts';
import type { TrainingQueue } from '#features/training/shared/trainingRecords.ts';
import { findHalvingRefusal, isHalvingOffered } from './halvingWords.ts';
import { countStartedCandidates, findStartedOtherLoss, type RunRow } from './runRows.ts';
import { toValidationCount, type FoundSnapshot } from './snapshots.ts';

/** `kept`: the eta of the job that is run again; null: it has none. */
export function useHalving(
  rows: readonly RunRow[],
  snapshot: FoundSnapshot,
  queue: TrainingQueue | null | undefined,
  kept: number | null,
) {
  const [eta, setEta] = useState<number | null>(null);
  const candidates = countStartedCandidates(rows);
  const refusal = findHalvingRefusal(queue, toValidationCount(snapshot.node), findStartedOtherLoss(rows));
  const isOffered = isHalvingOffered(candidates, kept);
  // It comes back with the runs that it needs.
  const chosen = isOffered && refusal === null && eta !== null && eta <= candidates ? { eta } : null;
  return {
    isOffered,
    refusal,
    candidates,
    eta: chosen?.eta ?? null,
    onChange: setEta,
    chosen,
    trainedShare: chosen === null ? 1 : toTrainedShare(candidates, toHalving(chosen, candidates)),
  };
}
