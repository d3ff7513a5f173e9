import { ExportMenu } from '../ui/ExportMenu';
import { formatCount } from '../ui/format';
import type { ShownTable } from './tableFormats';

interface TableExportProps {
  /** Called when a format is chosen. */
  toTable: () => ShownTable;
  shownCount: number;
  total: number;
  /** Somebody chose the columns. */
  isChosen: boolean;
}

/** The rows that the filters leave as CSV or JSON; the menu says how many, and which columns. */
export function TableExport({ toTable, shownCount, total, isChosen }: TableExportProps) {
  const what = shownCount === total ? 'all' : `the ${formatCount(shownCount)} shown`;
  const columns = isChosen ? 'chosen columns' : 'all columns';
  return (
    <ExportMenu
      // A menu keeps the names of its formats once it has them.
      key={columns}
      copyLabel={`Copy ${what} as`}
      downloadLabel={`Download ${what} as`}
      toInput={toTable}
      load={async () => (await import('./tableFormats')).toTableFormats(columns)}
      disabledReason={shownCount === 0 ? 'No experiment is shown.' : null}
    />
  );
}
