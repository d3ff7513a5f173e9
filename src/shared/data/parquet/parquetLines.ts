// The rows of a Parquet file as JSON lines. The file may be damaged or made to harm: what it claims is checked first.
import { parquetMetadataAsync, parquetReadObjects, type AsyncBuffer, type FileMetaData } from 'hyparquet';
import { isParquet } from '#shared/data/fileEncoding.ts';
import { isObject } from '#shared/contract/reading.ts';
import { compressors } from './parquetFile.ts';

/** Bytes of a file, and of the columns of a row group. */
export const MAX_PARQUET_BYTES = 512 * 2 ** 20;
const MAX_GROUP_BYTES = 1024 * 2 ** 20;
/** Rows that are read at a time. */
const STEP = 1000;

/** Says of a file that it can't be read as Parquet, and why, as sentences. */
export class ParquetProblem extends Error {}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200);

async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  if (file.byteLength > MAX_PARQUET_BYTES)
    throw new ParquetProblem(
      `The Parquet file is larger than ${MAX_PARQUET_BYTES / 2 ** 20} MiB, which is the most that is read.`,
    );
  const end = new Uint8Array(await file.slice(Math.max(0, file.byteLength - 4), file.byteLength));
  if (file.byteLength < 12 || !isParquet(end))
    throw new ParquetProblem(
      'The end of the Parquet file is missing: it is cut, or was still being written. Copy it again.',
    );
  try {
    return await parquetMetadataAsync(file, { geoparquet: false });
  } catch (error) {
    throw new ParquetProblem(`The Parquet file is damaged (${toReason(error)}). Copy it again.`);
  }
}

/** The number of rows, whose groups hold what can be read. */
function checkClaims({ num_rows, row_groups: groups }: FileMetaData): number {
  const rows = Number(num_rows);
  const isSound =
    Number.isSafeInteger(rows) && rows >= 0 && groups.reduce((sum, group) => sum + Number(group.num_rows), 0) === rows;
  if (!isSound) throw new ParquetProblem('The Parquet file is damaged: its number of rows is none. Copy it again.');
  for (const { columns } of groups) {
    const bytes = columns.reduce((sum, { meta_data: column }) => sum + Number(column?.total_uncompressed_size ?? 0), 0);
    if (!(bytes >= 0 && bytes <= MAX_GROUP_BYTES))
      throw new ParquetProblem(
        `A row group of the Parquet file holds more than ${MAX_GROUP_BYTES / 2 ** 20} MiB. Write it with smaller ones.`,
      );
  }
  return rows;
}

/** Whole numbers beyond those of JSON become texts, and bytes their number: images are no text. */
function toJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? `(${value.length} bytes)` : value;
}

/** All rows, some at a time. Throws ParquetProblem. `most`: rows that are wanted. */
export async function* readParquetLines(file: AsyncBuffer, most = Infinity): AsyncGenerator<string[], void> {
  const metadata = await readMetadata(file);
  const rows = Math.min(checkClaims(metadata), most);
  for (let rowStart = 0; rowStart < rows; rowStart += STEP) {
    const rowEnd = Math.min(rows, rowStart + STEP);
    let found: unknown[];
    try {
      found = await parquetReadObjects({
        file,
        metadata,
        rowStart,
        rowEnd,
        compressors,
        geoparquet: false,
        utf8: false,
      });
    } catch (error) {
      throw new ParquetProblem(
        `The rows from ${rowStart + 1} on can't be read from the Parquet file (${toReason(error)}). Copy it again.`,
      );
    }
    yield found.map((row) => JSON.stringify(isObject(row) ? row : { value: row }, toJson));
  }
}
