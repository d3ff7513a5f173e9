// Adds experiments to the compared set in the address, or removes them; says when the set is full.
import { toFitting, toWith, toWithout } from '#features/experiments/web/compareState/compareSet.ts';
import { toRunRef } from '#ui/address/runRefs.ts';
import { removeCompared } from '#features/experiments/web/compareState/removeCompared.ts';
import { MAX_COMPARED, readUrl, updateUrl } from '#ui/address/urlState.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { showToast, showUndo } from '#ui/kit/toast.ts';

export const toExperimentRef = (experiment_id: string): string => toRunRef({ kind: 'experiment', experiment_id });

/** Removes experiments from the compared set and offers an undo. */
export function clearCompared(experimentIds: readonly string[]): void {
  showUndo(
    `${formatCounted(experimentIds.length, 'run')} removed from the comparison.`,
    removeCompared(experimentIds.map(toExperimentRef)),
  );
}

export function changeCompared(experimentIds: readonly string[], isIn: boolean): void {
  const url = readUrl();
  const refs = experimentIds.map(toExperimentRef);
  if (!isIn) return updateUrl(toWithout(url, refs), { replace: true });
  const { refs: fitting, left } = toFitting(url.compare, refs);
  updateUrl(toWith(url, fitting), { replace: true });
  if (left > 0)
    showToast(
      `${formatCount(left)} more were not selected: a link holds at most ${formatCount(MAX_COMPARED)}. Filter ` +
        'the table to choose which.',
    );
  return undefined;
}
