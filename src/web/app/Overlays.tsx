import { Suspense, useState } from 'react';
import { useCommands, type Command } from '#web/session/commands.ts';
import { chatWithRun, useChatRun } from '#web/session/chatRun.ts';
import { openInPlayground } from '#web/app/layout/layoutStore.ts';
import { rename, useRenamed } from '#web/notes/renaming.ts';
import { toLazyPopup } from '#web/ui/lazy/lazyPopup.ts';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { TooltipLayer } from '#web/ui/TooltipLayer.tsx';
import { useFileDrop } from '#web/data/adding/useFileDrop.ts';
import { useUpdateNotice } from './useUpdateNotice.ts';

const RunChat = toLazyPopup(async () => (await import('#web/runs/RunChat.tsx')).RunChat);
const RenameDialog = toLazyPopup(async () => (await import('#web/notes/RenameDialog.tsx')).RenameDialog);

/** The dialogs that a command opens, wherever it comes from. Their code loads when they open. */
const DIALOGS = {
  'run-folders': toLazyPopup(async () => (await import('#web/runs/RunFolders.tsx')).RunFolders),
  'new-project': toLazyPopup(async () => (await import('#web/data/NewProject.tsx')).NewProject),
  'add-data': toLazyPopup(async () => (await import('#web/data/adding/AddData.tsx')).AddData),
  deleted: toLazyPopup(async () => (await import('#web/data/DeletedDialog.tsx')).DeletedDialog),
  'sign-out': toLazyPopup(async () => (await import('./SignOutDialog.tsx')).SignOutDialog),
} as const satisfies { readonly [Name in Command]?: unknown };

type DialogCommand = keyof typeof DIALOGS;

const COMMANDS = Object.keys(DIALOGS) as DialogCommand[];

const closeRename = (): void => rename(null);
const closeChat = (): void => chatWithRun(null);

/** Everything that floats above the page; mounted once. */
export function Overlays() {
  useUpdateNotice();
  useFileDrop();
  const [opened, setOpened] = useState<DialogCommand | null>(null);
  useCommands(COMMANDS, setOpened);
  const renamed = useRenamed();
  const Opened = opened && DIALOGS[opened];
  const chatRun = useChatRun();
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
      {Opened && (
        <Suspense>
          <Opened onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  );
}
