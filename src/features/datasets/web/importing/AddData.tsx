import { useReadOnlyReason } from '#ui/client/rights.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { FileChoice } from './FileChoice.tsx';
import { FileLook } from './FileLook.tsx';
import { forgetImport, isRunning, useImporting } from './importing.ts';
import { takeFile } from './useFileDrop.ts';
import { ImportView } from './ImportView.tsx';

interface AddDataProps {
  /** Chosen or dropped; null: not yet. */
  file: File | null;
  onClose: () => void;
}

/** Makes a dataset of a file: choose it, see what its first rows become, import it. */
export function AddData({ file, onClose }: AddDataProps) {
  const refusal = useReadOnlyReason();
  const { phase, request } = useImporting();
  // A file that is dropped while another one is imported waits for it.
  const isImport = isRunning(phase) || (phase.kind !== 'none' && (file === null || file === request?.file));
  const close = () => {
    forgetImport();
    onClose();
  };
  const chooseOther = () => {
    forgetImport();
    openDialog({ kind: 'add-data' });
  };
  return (
    <Dialog title="Dataset from a file" isOpen onClose={close}>
      {refusal !== null ? (
        <p>{refusal}</p>
      ) : isImport ? (
        <ImportView onClose={close} onOther={chooseOther} />
      ) : file ? (
        <FileLook key={`${file.name} ${file.size} ${file.lastModified}`} file={file} onOther={chooseOther} />
      ) : (
        <FileChoice onFile={(chosen) => void takeFile(chosen)} />
      )}
      <ToastRegion />
    </Dialog>
  );
}
