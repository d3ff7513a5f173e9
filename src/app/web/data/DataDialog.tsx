import type { FunctionComponent } from 'react';
import { AddData } from '#features/datasets/web/adding/AddData.tsx';
import { DeletedDialog } from '#features/datasets/web/DeletedDialog.tsx';
import { NewProject } from '#features/datasets/web/NewProject.tsx';
import { CompareSnapshots } from '#features/datasets/web/snapshots/CompareSnapshots.tsx';
import { SnapshotDialog } from '#features/datasets/web/snapshots/SnapshotDialog.tsx';
import { ExportProject } from '#features/project-files/web/ExportProject.tsx';
import { ImportProject } from '#features/project-files/web/ImportProject.tsx';
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
