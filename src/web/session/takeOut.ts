// Takes refs out of the compared set in the address, and gives them back.
import { toRestored, toWithout } from './compareSet.ts';
import { readUrl, updateUrl } from './urlState.ts';

/** Returns the way to give them back, which returns why it could not, or null. `isStep`: Back gives them back too. */
export function takeOut(refs: readonly string[], isStep = false): () => string | null {
  const before = readUrl();
  updateUrl(toWithout(before, refs), { replace: !isStep });
  return () => {
    const now = readUrl();
    if (now.project !== before.project)
      return 'Nothing was put back: another project is open now. Open the earlier one to compare what was taken out.';
    updateUrl(toRestored(before, now, refs), { replace: true });
    return null;
  };
}
