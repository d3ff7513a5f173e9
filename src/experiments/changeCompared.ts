// Takes experiments into the compared set in the address, or out of it; says when the set is full.
// It must not know which rows are shown.
import { toFitting, toRestored, toWith, toWithout } from '../session/compareSet';
import { toRunRef } from '../session/runRefs';
import { MAX_COMPARED, readUrl, updateUrl } from '../session/urlState';
import { formatCount } from '../ui/format';
import { showToast } from '../ui/toast';

export const toExperimentRef = (experiment_id: string): string => toRunRef({ kind: 'experiment', experiment_id });

/** Takes experiments out of the compared set, and offers them back. */
export function takeOut(experimentIds: readonly string[]): void {
  const before = readUrl();
  updateUrl(toWithout(before, experimentIds.map(toExperimentRef)), { replace: true });
  const back = (): void => updateUrl(toRestored(before, readUrl()), { replace: true });
  const count = experimentIds.length;
  showToast(`${formatCount(count)} ${count === 1 ? 'experiment' : 'experiments'} taken out of the compare.`, { action: { label: 'Undo', onSelect: back } });
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
