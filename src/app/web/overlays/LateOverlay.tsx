import { Suspense, useState } from 'react';
import { chatWithRun, useChatRun } from '#ui/commands/chatRun.ts';
import { useCommands } from '#ui/commands/commands.ts';
import { DATA_COMMANDS } from '#app/web/data/dataCommands.ts';
import { openInPlayground } from '#app/web/layout/layoutStore.ts';
import { TrainingOverlay } from '#app/web/training/TrainingOverlay.tsx';
import { useFileDrop } from '#features/datasets/web/adding/useFileDrop.ts';
import { rename, useRenamed } from '#features/notes/web/renaming.ts';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';

const RunChat = toLazyPopup(async () => (await import('#features/runs/web/RunChat.tsx')).RunChat);
const RenameDialog = toLazyPopup(async () => (await import('#features/notes/web/RenameDialog.tsx')).RenameDialog);

const RunFolders = toLazyPopup(async () => (await import('#features/runs/web/RunFolders.tsx')).RunFolders);
const SignOutDialog = toLazyPopup(async () => (await import('./SignOutDialog.tsx')).SignOutDialog);
const ActivityLog = toLazyPopup(async () => (await import('#features/access/web/ActivityLog.tsx')).ActivityLog);
const DataDialog = toLazyPopup(async () => (await import('#app/web/data/DataDialog.tsx')).DataDialog);

/** Those that open a dialog, wherever they come from. */
const COMMANDS = ['run-folders', 'sign-out', 'activity-log', ...DATA_COMMANDS.map(([name]) => name)] as const;

const closeRename = (): void => rename(null);
const closeChat = (): void => chatWithRun(null);

interface LateOverlayProps {
  /** Its code did not load. */
  onClose: () => void;
}

/** What waits above the page for something to happen: a command, a file that is dropped, a training that ends. */
export function LateOverlay(_props: LateOverlayProps) {
  useFileDrop();
  const [opened, setOpened] = useState<(typeof COMMANDS)[number] | null>(null);
  useCommands(COMMANDS, setOpened);
  const renamed = useRenamed();
  const chatRun = useChatRun();
  const close = () => setOpened(null);
  return (
    <>
      <TrainingOverlay />
      {renamed && (
        <Suspense>
          <RenameDialog node={renamed} onClose={closeRename} />
        </Suspense>
      )}
      {chatRun !== null && (
        <Suspense>
          <RunChat runId={chatRun} onTry={openInPlayground} onClose={closeChat} />
        </Suspense>
      )}
      {opened && (
        <Suspense>
          {opened === 'run-folders' ? (
            <RunFolders onClose={close} />
          ) : opened === 'sign-out' ? (
            <SignOutDialog onClose={close} />
          ) : opened === 'activity-log' ? (
            <ActivityLog onClose={close} />
          ) : (
            <DataDialog key={opened} name={opened} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  );
}
