import { Suspense, useEffect, useState } from 'react';
import { useCommands } from '#web/session/commands.ts';
import { chatWithRun, useChatRun } from '#web/session/chatRun.ts';
import { openInPlayground } from '#web/app/layout/layoutStore.ts';
import { rename, useRenamed } from '#web/notes/renaming.ts';
import { toLazyPopup } from '#web/ui/lazy/lazyPopup.ts';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { watchFocus } from '#web/ui/lazy/focusTrail.ts';
import { TooltipLayer } from '#web/ui/TooltipLayer.tsx';
import { DATA_COMMANDS } from '#web/app/data/dataCommands.ts';
import { useFileDrop } from '#web/data/adding/useFileDrop.ts';
import { useUpdateNotice } from './useUpdateNotice.ts';

const RunChat = toLazyPopup(async () => (await import('#web/runs/RunChat.tsx')).RunChat);
const RenameDialog = toLazyPopup(async () => (await import('#web/notes/RenameDialog.tsx')).RenameDialog);

const RunFolders = toLazyPopup(async () => (await import('#web/runs/RunFolders.tsx')).RunFolders);
const SignOutDialog = toLazyPopup(async () => (await import('./SignOutDialog.tsx')).SignOutDialog);
const DataDialog = toLazyPopup(async () => (await import('#web/app/data/DataDialog.tsx')).DataDialog);

/** Those that open a dialog, wherever they come from. */
const COMMANDS = ['run-folders', 'sign-out', ...DATA_COMMANDS.map(([name]) => name)] as const;

const closeRename = (): void => rename(null);
const closeChat = (): void => chatWithRun(null);

/** Everything that floats above the page; mounted once. */
export function Overlays() {
  useUpdateNotice();
  useFileDrop();
  // From the start: a dialog asks for what had the focus before its code came.
  useEffect(watchFocus, []);
  const [opened, setOpened] = useState<(typeof COMMANDS)[number] | null>(null);
  useCommands(COMMANDS, setOpened);
  const renamed = useRenamed();
  const chatRun = useChatRun();
  const close = () => setOpened(null);
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
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
          ) : (
            <DataDialog key={opened} name={opened} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  );
}
