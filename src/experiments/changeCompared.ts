// Takes experiments into the compared set in the address, or out of it; says when the set is full.
// It must not know which rows are shown.
import { toFitting, toWith, toWithout } from '../session/compareSet';
import { toRunRef } from '../session/runRefs';
import { takeOut } from '../session/takeOut';
import { MAX_COMPARED, readUrl, updateUrl } from '../session/urlState';
import { formatCount, formatCounted } from '../ui/format';
import { showToast, showUndo } from '../ui/toast';

export const toExperimentRef = (experiment_id: string): string => toRunRef({ kind: 'experiment', experiment_id });

/** Takes experiments out of the compared set, and offers them back. */
export function clearCompared(experimentIds: readonly string[]): void {
  showUndo(`${formatCounted(experimentIds.length, 'experiment')} taken out of the compare.`, takeOut(experimentIds.map(toExperimentRef)));
}

export function changeCompared(experimentIds: readonly string[], isIn: boolean): void {
  const url = readUrl();
  const refs = experimentIds.map(toExperimentRef);
  if (!isIn) return updateUrl(toWithout(url, refs), { replace: true });
  const { refs: fitting, left } = toFitting(url.compare, refs);
  updateUrl(toWith(url, fitting), { replace: true });
  if (left > 0) showToast(`${formatCount(left)} more were not selected: a link holds at most ${formatCount(MAX_COMPARED)}. Filter the table to choose which.`);
  return undefined;
}
