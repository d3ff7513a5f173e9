import { TriangleAlert, X } from 'lucide-react';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { dismissStorageProblem } from '#features/playground/web/desk/actions.ts';

/** Warns that conversations will not survive a reload, or did not. */
export function StorageNotice() {
  const { problem, isReloadNeeded = false } = useDesk((state) => state.storage);
  if (problem === null) return null;
  return (
    <output className="flex items-start gap-2 border-b border-line bg-warning-soft px-3 py-1.5 text-sm text-warning">
      <TriangleAlert aria-hidden size={14} className="mt-1 shrink-0" />
      <p className="min-w-0 flex-1 py-0.5">{problem}</p>
      {isReloadNeeded && (
        <Button size="small" onClick={() => window.location.reload()}>
          Reload
        </Button>
      )}
      <IconButton label="Dismiss" icon={<X aria-hidden size={13} />} onClick={dismissStorageProblem} />
    </output>
  );
}
