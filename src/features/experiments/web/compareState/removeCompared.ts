// Removes refs from the compared set in the address, with undo.
import { toRestored, toWithout } from './compareSet.ts';
import { readUrl, updateUrl } from '#ui/address/urlState.ts';

/** Returns the undo, which returns why it failed, or null. `isStep`: the browser's Back undoes it as well. */
export function removeCompared(refs: readonly string[], isStep = false): () => string | null {
  const before = readUrl();
  updateUrl(toWithout(before, refs), { replace: !isStep });
  return () => {
    const now = readUrl();
    if (now.project !== before.project)
      return 'Nothing was put back: another project is open now. Open the earlier project to compare the removed runs again.';
    updateUrl(toRestored(before, now, refs), { replace: true });
    return null;
  };
}
