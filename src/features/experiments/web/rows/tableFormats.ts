// The table as text for other programs: the shown rows, every value with all its digits. Pure.
import { toCsv } from '#features/experiments/shared/csv.ts';
import { toFileFacts } from '#features/experiments/shared/exports/fileLanguages.ts';
import { formatCounted } from '#ui/kit/format.ts';
import type { ExperimentColumn } from './column.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface ShownTable {
  /** Columns of the file, which may differ from the table's. */
  readonly columns: readonly ExperimentColumn[];
  /** In the table's order, those of closed groups included. */
  readonly rows: readonly ExperimentRow[];
  /** Texts that people noted, by the id of the run; null: they were not read. */
  readonly texts: ReadonlyMap<string, string> | null;
}

// Files hold the service's own values (`lora`, not the table's `LoRA`), so that rows of two files can be joined.

/** A header line with the columns' ids, then a line for each row; a missing value is an empty field. */
export function toTableCsv({ columns, rows }: ShownTable): string {
  return toCsv([columns.map(({ id }) => id), ...rows.map((row) => columns.map((column) => column.value(row)))]);
}

/** A list of objects; a missing value is null, a value with parts a list. */
export function toTableJson({ columns, rows, texts }: ShownTable): string {
  return JSON.stringify(
    rows.map((row) => ({
      ...Object.fromEntries(columns.map(({ id, parts, value }) => [id, parts ? parts(row) : value(row)])),
      ...(texts && { note_text: texts.get(row.id) ?? null }),
    })),
    null,
    2,
  );
}

function findGap({ rows }: Pick<ShownTable, 'rows'>): string | null {
  const missing = rows.filter(({ isPending, isUnread }) => isPending || isUnread).length;
  return missing === 0 ? null : `Values of ${formatCounted(missing, 'run')} are missing: their jobs are not loaded.`;
}

const FORMATS = [
  { label: 'CSV', file: toFileFacts('runs', 'csv'), toText: toTableCsv },
  { label: 'JSON', file: toFileFacts('runs', 'json'), toText: toTableJson },
] as const;

/** `columns` says which columns the file has, such as "all columns". */
export const toTableFormats = (columns: string) =>
  FORMATS.map(({ label, file, toText }) => ({
    label: `${label}, ${columns}`,
    fileName: file.fileName,
    mediaType: file.mediaType,
    toText,
    findGap,
  }));
