import type { FunctionComponent } from 'react';
import { AddData } from '#web/data/adding/AddData.tsx';
import { DeletedDialog } from '#web/data/DeletedDialog.tsx';
import { NewProject } from '#web/data/NewProject.tsx';
import { CompareSnapshots } from '#web/data/snapshots/CompareSnapshots.tsx';
import { SnapshotDialog } from '#web/data/snapshots/SnapshotDialog.tsx';
import { ExportProject } from '#web/transfer/ExportProject.tsx';
import { ImportProject } from '#web/transfer/ImportProject.tsx';
import type { DataCommand } from './dataCommands.ts';

const DIALOGS: Readonly<Record<DataCommand, FunctionComponent<{ onClose: () => void }>>> = {
  'new-project': NewProject,
  'add-data': AddData,
  'new-snapshot': SnapshotDialog,
  'compare-snapshots': CompareSnapshots,
  deleted: DeletedDialog,
  'import-project': ImportProject,
  'export-project': ExportProject,
};

interface DataDialogProps {
  name: DataCommand;
  onClose: () => void;
}

/** The dialogs of a person's own data, in one piece of code: who opens one often opens the next. */
export function DataDialog({ name, onClose }: DataDialogProps) {
  const Shown = DIALOGS[name];
  return <Shown onClose={onClose} />;
}
