// Takes candidates of this list out of the compared set in the address, and offers them back.
// It must not know what else is compared.
import { toRestored, toWithout } from '../session/compareSet';
import { readUrl, updateUrl } from '../session/urlState';
import { formatCount } from '../ui/format';
import { showToast } from '../ui/toast';

export function takeOut(refs: readonly string[]): void {
  const before = readUrl();
  updateUrl(toWithout(before, refs), { replace: true });
  const back = (): void => updateUrl(toRestored(before, readUrl()), { replace: true });
  const count = refs.length;
  showToast(`${formatCount(count)} ${count === 1 ? 'candidate' : 'candidates'} taken out of the compare.`, { action: { label: 'Undo', onSelect: back } });
}
