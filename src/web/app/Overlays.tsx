import { Suspense, useState } from 'react';
import { useCommands } from '#web/session/commands.ts';
import { rename, useRenamed } from '#web/notes/renaming.ts';
import { toLazyPopup } from '#web/ui/lazy/lazyPopup.ts';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { TooltipLayer } from '#web/ui/TooltipLayer.tsx';
import { useUpdateNotice } from './useUpdateNotice.ts';

const RunFolders = toLazyPopup(async () => (await import('#web/runs/RunFolders.tsx')).RunFolders);
const RenameDialog = toLazyPopup(async () => (await import('#web/notes/RenameDialog.tsx')).RenameDialog);
const COMMANDS = ['run-folders'] as const;

const closeRename = (): void => rename(null);

/** Everything that floats above the page; mounted once. */
export function Overlays() {
  useUpdateNotice();
  const [isOpen, setOpen] = useState(false);
  useCommands(COMMANDS, () => setOpen(true));
  const renamed = useRenamed();
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
      {renamed && (
        <Suspense>
          <RenameDialog node={renamed} onClose={closeRename} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense>
          <RunFolders onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
