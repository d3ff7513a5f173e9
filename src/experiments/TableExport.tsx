import { ExportMenu } from '../ui/ExportMenu';
import type { ShownTable } from './tableFormats';

interface TableExportProps {
  /** Called when a format is chosen. */
  toTable: () => ShownTable;
  disabledReason: string | null;
}

const loadFormats = async () => (await import('./tableFormats')).TABLE_FORMATS;

/** The table's shown rows and columns as CSV or JSON. */
export function TableExport({ toTable, disabledReason }: TableExportProps) {
  return <ExportMenu copyLabel="Copy table as" downloadLabel="Download table as" toInput={toTable} load={loadFormats} disabledReason={disabledReason} />;
}
