import { Suspense } from 'react';
import { openJob } from '#app/web/layout/layoutStore.ts';
import { useFileDrop } from '#features/datasets/web/importing/useFileDrop.ts';
import { useJobEnds } from '#features/training/web/useJobEnds.ts';
import { closeDialog, usePageDialog } from '#ui/commands/dialogs.ts';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';

const PageDialog = toLazyPopup(async () => (await import('./PageDialog.tsx')).PageDialog);

interface LateOverlayProps {
  /** Its code did not load. */
  onClose: () => void;
}

/** What waits above the page for something to happen: a dialog, a file that is dropped, a training that ends. */
export function DeferredOverlay(_props: LateOverlayProps) {
  useFileDrop();
  useJobEnds(openJob);
  const dialog = usePageDialog();
  return (
    dialog && (
      <Suspense>
        <PageDialog dialog={dialog} onClose={closeDialog} />
      </Suspense>
    )
  );
}
