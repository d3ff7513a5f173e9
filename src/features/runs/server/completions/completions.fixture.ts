// For tests: Parquet files as TRL's `log_completions` writes them.
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';

export interface LoggedRow {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly rewards: Readonly<Record<string, number | null>>;
  readonly advantage: number;
}

const isText = (values: readonly unknown[]): boolean => values.every((value) => typeof value === 'string');

const toColumn = (name: string, data: unknown[]): ColumnSource =>
  isText(data) ? { name, data, type: 'STRING' } : { name, data, type: 'JSON' };

/** `more`: columns that follow. */
export function toCompletionsFile(
  step: number,
  rows: readonly LoggedRow[],
  more: readonly ColumnSource[] = [],
): Uint8Array<ArrayBuffer> {
  const rewards = Object.keys(rows[0]?.rewards ?? {});
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'step', data: rows.map(() => step), type: 'INT32' },
        toColumn(
          'prompt',
          rows.map(({ prompt }) => prompt),
        ),
        toColumn(
          'completion',
          rows.map(({ completion }) => completion),
        ),
        ...rewards.map((name): ColumnSource => ({
          name,
          data: rows.map((row) => row.rewards[name] ?? null),
          type: 'DOUBLE',
        })),
        { name: 'advantage', data: rows.map(({ advantage }) => advantage), type: 'DOUBLE' },
        ...more,
      ],
    }),
  );
}
