// The columns of a Parquet file of completions as plain values. The file may be damaged or made to harm: what it claims
// is checked before it is believed, and `readCompletions.ts` bounds the memory and time of the rest.
import { parquetMetadata, parquetSchema, type FileMetaData } from 'hyparquet';
import { parquetReadColumn } from 'hyparquet/src/read.js';
import { compressors, toParquetBuffer } from '#features/datasets/shared/parquet/parquetFile.ts';
import { messageOf } from '#features/runs/server/errorText.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import { toMebibytes } from '#features/runs/server/sizeText.ts';

/** Bytes of a file, and of all columns that are read. */
export const MAX_FILE_BYTES = 256 * 2 ** 20;
const MAX_COLUMN_BYTES = 512 * 2 ** 20;
const MAX_ROWS = 200_000;
const MAX_COLUMNS = 500;

export interface CompletionTable {
  readonly rows: number;
  /** Texts, or lists of messages; null: there is no such column. */
  readonly prompts: ArrayLike<unknown> | null;
  readonly completions: ArrayLike<unknown> | null;
  /** Columns of numbers: the rewards as the file has them, then `advantage`. */
  readonly measures: readonly { readonly name: string; readonly values: ArrayLike<unknown> }[];
  readonly leftOut: readonly string[];
}

const NUMBERS: ReadonlySet<string | undefined> = new Set(['INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BOOLEAN']);
/** Of the step that names the file, and pandas' own index. */
const SILENT: ReadonlySet<string> = new Set(['step', '__index_level_0__']);

const fail = (file: string, why: string): Unreadable =>
  new Unreadable(`${file} can't be read as Parquet: ${why}. Look at it with another program, or copy it again.`);

const toText = (error: unknown): string => messageOf(error).slice(0, 200);

function readMetadata(bytes: Uint8Array, file: string): FileMetaData {
  const magic = new TextDecoder('latin1').decode(bytes.subarray(-4));
  if (bytes.length < 12 || magic !== 'PAR1')
    throw fail(file, 'its end is missing, so it is cut or still being written');
  try {
    // The last bytes are the length of the metadata, which a hostile file may make longer than itself.
    return parquetMetadata(bytes.slice().buffer, { geoparquet: false });
  } catch (error) {
    throw fail(file, `its metadata is damaged (${toText(error)})`);
  }
}

function checkClaims(metadata: FileMetaData, names: ReadonlySet<string>, file: string): number {
  const rows = Number(metadata.num_rows);
  if (!Number.isSafeInteger(rows) || rows < 0) throw fail(file, 'its number of rows is damaged');
  if (rows > MAX_ROWS)
    throw new Unreadable(
      `${file} has ${rows.toLocaleString('en')} rows; at most ${MAX_ROWS.toLocaleString('en')} are read.`,
    );
  const inGroups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (inGroups !== rows) throw fail(file, 'its row groups have another number of rows than it says');
  let bytes = 0;
  for (const { meta_data: column } of metadata.row_groups.flatMap((group) => group.columns)) {
    if (!column || !names.has(column.path_in_schema[0] ?? '')) continue;
    const size = Number(column.total_uncompressed_size);
    if (!(size >= 0)) throw fail(file, 'the size of a column is damaged');
    bytes += size;
  }
  if (bytes > MAX_COLUMN_BYTES)
    throw new Unreadable(
      `${file} holds ${toMebibytes(bytes)} of texts; at most ${toMebibytes(MAX_COLUMN_BYTES)} are read.`,
    );
  return rows;
}

/** Throws Unreadable. `file`: its path for messages. */
export async function readCompletionTable(bytes: Uint8Array, file: string): Promise<CompletionTable> {
  const metadata = readMetadata(bytes, file);
  let columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  try {
    columns = parquetSchema(metadata).children.map(({ element, children }) => ({
      name: element.name,
      isNumber:
        children.length === 0 &&
        element.repetition_type !== 'REPEATED' &&
        element.converted_type === undefined &&
        NUMBERS.has(element.type),
    }));
  } catch (error) {
    throw fail(file, `its columns are damaged (${toText(error)})`);
  }
  if (columns.length > MAX_COLUMNS)
    throw new Unreadable(`${file} has ${columns.length} columns; at most ${MAX_COLUMNS} are read.`);
  const numbers = columns.filter(({ name, isNumber }) => isNumber && !SILENT.has(name)).map(({ name }) => name);
  const measures = [
    ...numbers.filter((name) => name !== 'advantage'),
    ...numbers.filter((name) => name === 'advantage'),
  ];
  const texts = ['prompt', 'completion'].filter((name) => columns.some((column) => column.name === name));
  if (texts.length === 0)
    throw new Unreadable(`${file} has no column "prompt" or "completion", so it has no completions.`);
  const wanted = new Set([...texts, ...measures]);
  const rows = checkClaims(metadata, wanted, file);

  async function readColumn(name: string): Promise<ArrayLike<unknown>> {
    try {
      if (rows === 0) return [];
      const values = await parquetReadColumn({
        file: toParquetBuffer(bytes),
        metadata,
        columns: [name],
        compressors,
        geoparquet: false,
      });
      if (values.length < rows) throw new Error(`${values.length} of ${rows} values are there`);
      return values;
    } catch (error) {
      throw fail(file, `the column "${name}" is damaged (${toText(error)})`);
    }
  }

  // One after another: a column is large.
  const read = new Map<string, ArrayLike<unknown>>();
  for (const name of wanted) read.set(name, await readColumn(name));
  return {
    rows,
    prompts: read.get('prompt') ?? null,
    completions: read.get('completion') ?? null,
    measures: measures.filter((name) => !texts.includes(name)).map((name) => ({ name, values: read.get(name) ?? [] })),
    leftOut: columns.map(({ name }) => name).filter((name) => !wanted.has(name) && !SILENT.has(name)),
  };
}
