import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '#core/contract/reading.ts';
import { addRow, refreshTrees } from '#features/datasets/web/api/dataChanges.ts';
import { refreshRows } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { EditForm } from './EditForm.tsx';

const EMPTY_ROW: JsonObject = {
  messages: [
    { role: 'user', content: '' },
    { role: 'assistant', content: '' },
  ],
};

/** Adds one row to a dataset: written as JSON, and checked before it is sent. */
export function AddRow({ datasetId }: { datasetId: string }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const close = () => {
    setOpen(false);
    setError(null);
  };
  const save = async (row: JsonObject): Promise<boolean> => {
    setError(null);
    try {
      await addRow(datasetId, row);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      return false;
    }
    showToast(
      'Added the row, as the last one. Snapshots that are there stay as they are: make a new one to train on it.',
    );
    await Promise.all([refreshRows(client, { kind: 'dataset', id: datasetId }), refreshTrees(client)]);
    return true;
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add a row</Button>
      {isOpen && (
        <Dialog title="Add a row" isOpen onClose={close}>
          {error && <ErrorNotice title="The row was not added" {...toErrorWords(error)} />}
          <EditForm datasetId={datasetId} position={null} row={EMPTY_ROW} onSave={save} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
