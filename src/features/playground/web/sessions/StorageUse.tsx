import { formatBytes } from '#core/contract/rateText.ts';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';

const NEARLY_FULL = 0.9;

/** Shows how much of the browser's storage is in use. */
export function StorageUse() {
  const [use, setUse] = useState<{ readonly usage: number; readonly quota: number } | null>(null);
  useEffect(() => {
    // `storage` exists only in secure contexts.
    if (!('storage' in navigator)) return;
    navigator.storage.estimate().then(
      ({ usage = 0, quota = 0 }) => setUse({ usage, quota }),
      () => undefined,
    );
  }, []);
  const isTight = use !== null && use.quota > 0 && use.usage / use.quota > NEARLY_FULL;
  return (
    <p className={`flex items-start gap-2 text-sm ${isTight ? 'text-wait' : 'text-faint'}`}>
      {isTight && <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />}
      <span>
        {use !== null && use.quota > 0 && `${formatBytes(use.usage)} of ${formatBytes(use.quota)} in use. `}
        {isTight
          ? 'The browser’s storage is nearly full: export and delete sessions that are no longer needed.'
          : 'Sessions are kept in this browser until you delete them.'}
      </span>
    </p>
  );
}
