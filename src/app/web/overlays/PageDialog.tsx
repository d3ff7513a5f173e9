import { ActivityLog } from '#features/access/web/ActivityLog.tsx';
import { AddData } from '#features/datasets/web/importing/AddData.tsx';
import { DeletedDialog } from '#features/datasets/web/DeletedDialog.tsx';
import { NewProject } from '#features/datasets/web/NewProject.tsx';
import { CompareSnapshots } from '#features/datasets/web/snapshots/CompareSnapshots.tsx';
import { SnapshotDialog } from '#features/datasets/web/snapshots/SnapshotDialog.tsx';
import { MakeData } from '#features/datasets/web/synthetic/MakeData.tsx';
import { RenameDialog } from '#features/notes/web/RenameDialog.tsx';
import { ExportProject } from '#features/project-files/web/ExportProject.tsx';
import { ImportProject } from '#features/project-files/web/ImportProject.tsx';
import { RunChat } from '#features/runs/web/RunChat.tsx';
import { RunFolders } from '#features/runs/web/RunFolders.tsx';
import { StartTraining } from '#features/training/web/StartTraining.tsx';
import { openInPlayground, openJob } from '#app/web/layout/layoutStore.ts';
import { ShortcutSheet } from '#app/web/ShortcutSheet.tsx';
import type { PageDialog as Opened } from '#ui/commands/dialogs.ts';
import { SignOutDialog } from './SignOutDialog.tsx';

const PLAIN = {
  'new-project': NewProject,
  'make-data': MakeData,
  'new-snapshot': SnapshotDialog,
  'compare-snapshots': CompareSnapshots,
  deleted: DeletedDialog,
  'export-project': ExportProject,
  'run-folders': RunFolders,
  'activity-log': ActivityLog,
  'sign-out': SignOutDialog,
  shortcuts: ShortcutSheet,
} as const;

interface PageDialogProps {
  dialog: Opened;
  onClose: () => void;
}

/** The dialogs of the page, in one piece of code: who opens one often opens the next. */
export function PageDialog({ dialog, onClose }: PageDialogProps) {
  switch (dialog.kind) {
    case 'add-data':
      return <AddData file={dialog.file ?? null} onClose={onClose} />;
    case 'import-project':
      return <ImportProject file={dialog.file ?? null} onClose={onClose} />;
    case 'rename':
      return <RenameDialog node={dialog.node} onClose={onClose} />;
    case 'run-chat':
      return <RunChat runId={dialog.runId} onTry={openInPlayground} onClose={onClose} />;
    case 'start-training': {
      const { snapshotId = null, jobId = null } = dialog;
      return <StartTraining snapshotId={snapshotId} jobId={jobId} onClose={onClose} onStarted={openJob} />;
    }
    default: {
      const Plain = PLAIN[dialog.kind];
      return <Plain onClose={onClose} />;
    }
  }
}
