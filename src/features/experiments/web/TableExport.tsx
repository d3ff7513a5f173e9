import { useQueryClient } from '@tanstack/react-query';
import { notesQuery } from '#features/notes/web/noteQueries.ts';
import { ExportMenu } from '#ui/lazy/ExportMenu.tsx';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import type { FileColumns } from '#features/experiments/web/rows/tableState.ts';

interface TableExportProps {
  /** Which rows, such as "all" or "the 2 selected". */
  what: string;
  /** Called when a format is chosen. */
  toRows: () => readonly ExperimentRow[];
  file: FileColumns;
  disabledReason?: string | null;
}

/** Rows of the table as CSV or JSON; the menu says how many, and which columns. */
export function TableExport({ what, toRows, file, disabledReason = null }: TableExportProps) {
  const client = useQueryClient();
  // Texts of notes are in the file if something on the page has read them.
  const toTexts = () => {
    const notes = client.getQueryData(notesQuery().queryKey);
    return notes ? new Map([...notes].map(([id, { text }]) => [id, text] as const)) : null;
  };
  return (
    <ExportMenu
      // The menu reads the names of its formats once, so other names need a new menu.
      key={file.words}
      copyLabel={`Copy ${what} as`}
      downloadLabel={`Download ${what} as`}
      toInput={() => ({ columns: file.columns, rows: toRows(), texts: toTexts() })}
      load={async () => (await import('#features/experiments/web/rows/tableFormats.ts')).toTableFormats(file.words)}
      disabledReason={disabledReason}
    />
  );
}
