import { useQuery } from '@tanstack/react-query';
import { examplesQuery } from '#ui/client/queries.ts';
import { CellDialog } from './CellDialog.tsx';
import { useGrid } from './gridStore.ts';
import type { OpenedDialog } from './openedDialog.ts';
import { RowDialog } from './RowDialog.tsx';
import { RowsDialog } from './RowsDialog.tsx';
import { SentDialog } from './SentDialog.tsx';
import type { HeldOut } from './useHeldOut.ts';

interface GridDialogProps {
  /** null: none. */
  open: OpenedDialog | null;
  onOpen: (open: OpenedDialog | null) => void;
  /** Visible rows, from 0. */
  rows: readonly number[];
  heldOut: HeldOut;
  /** The model whose dataset has example prompts; empty: none. */
  model: string;
  /** Text of the composer. */
  draft: string;
}

/** The dialog that is open: rows to import, a row, an answer, or what a column sends. */
export function GridDialog({ open, onOpen, rows, heldOut, model, draft }: GridDialogProps) {
  const columns = useGrid((state) => state.setup.columns);
  const examples = useQuery(examplesQuery(model)).data ?? null;
  const onClose = () => onOpen(null);
  switch (open?.kind) {
    case 'rows':
      return (
        <RowsDialog
          file={open.file}
          examples={examples && examples.prompts.length > 0 ? examples : null}
          heldOut={heldOut}
          draft={draft}
          onClose={onClose}
        />
      );
    case 'row':
      return <RowDialog key={open.row} row={open.row} onClose={onClose} />;
    case 'cell':
      return (
        <CellDialog
          rows={rows}
          row={open.row}
          column={open.column}
          onMove={(row) => onOpen({ ...open, row })}
          onClose={onClose}
        />
      );
    case 'sent': {
      const column = columns[open.column];
      return column && <SentDialog column={column} onClose={onClose} />;
    }
    case undefined:
      return null;
  }
}
