// The rows of a Parquet file as JSON lines. The file may be damaged or made to harm: what it claims is checked first.
import { parquetMetadataAsync, parquetReadObjects, type AsyncBuffer, type FileMetaData } from 'hyparquet';
import { isParquet } from '#core/rows/fileEncoding.ts';
import { isObject } from '#core/contract/readJson.ts';
import { compressors } from './parquetFile.ts';

/** Bytes of a file, and of the columns of a row group. */
export const MAX_PARQUET_BYTES = 512 * 2 ** 20;
const MAX_GROUP_BYTES = 1024 * 2 ** 20;
/** Bytes of a row group that are read at a time: about so many, because each time all of its pages are unpacked. */
const STEP_BYTES = 64 * 2 ** 20;
const MAX_STEP_ROWS = 100_000;
/** Rows that are given at a time. */
const GIVEN_ROWS = 1000;

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

type RowGroup = FileMetaData['row_groups'][number];

const toBytes = ({ columns }: RowGroup): number =>
  columns.reduce((sum, { meta_data: column }) => sum + Number(column?.total_uncompressed_size ?? 0), 0);

/** Throws if the groups of rows do not hold what can be read. */
function checkClaims({ num_rows, row_groups: groups }: FileMetaData): void {
  const rows = Number(num_rows);
  const isSound =
    Number.isSafeInteger(rows) && rows >= 0 && groups.reduce((sum, group) => sum + Number(group.num_rows), 0) === rows;
  if (!isSound) throw new ParquetProblem('The Parquet file is damaged: its number of rows is none. Copy it again.');
  for (const group of groups) {
    const bytes = toBytes(group);
    if (!(bytes >= 0 && bytes <= MAX_GROUP_BYTES))
      throw new ParquetProblem(
        `A row group of the Parquet file holds more than ${MAX_GROUP_BYTES / 2 ** 20} MiB. Write it with smaller ones.`,
      );
  }
}

/** Whole numbers beyond those of JSON become texts, and bytes their number: images are no text. */
function toJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? `(${value.length} bytes)` : value;
}

/** Where the parts of a group begin and end that are read at a time. */
function* toSteps(group: RowGroup, from: number, most: number): Generator<readonly [number, number], void> {
  const rows = Number(group.num_rows);
  const share = Math.floor((rows * STEP_BYTES) / Math.max(1, toBytes(group)));
  const step = Math.min(MAX_STEP_ROWS, Math.max(GIVEN_ROWS, share));
  const end = Math.min(from + rows, most);
  for (let at = from; at < end; at += step) yield [at, Math.min(end, at + step)];
}

/** All rows, some at a time. Throws ParquetProblem. `most`: rows that are wanted. */
export async function* readParquetLines(file: AsyncBuffer, most = Infinity): AsyncGenerator<string[], void> {
  const metadata = await readMetadata(file);
  checkClaims(metadata);
  const options = { file, metadata, compressors, geoparquet: false, utf8: false };
  let first = 0;
  for (const group of metadata.row_groups) {
    for (const [rowStart, rowEnd] of toSteps(group, first, most)) {
      let found: unknown[];
      try {
        found = await parquetReadObjects({ ...options, rowStart, rowEnd });
      } catch (error) {
        throw new ParquetProblem(
          `The rows from ${rowStart + 1} on can't be read from the Parquet file (${toReason(error)}). Copy it again.`,
        );
      }
      for (let at = 0; at < found.length; at += GIVEN_ROWS)
        yield found
          .slice(at, at + GIVEN_ROWS)
          .map((row) => JSON.stringify(isObject(row) ? row : { value: row }, toJson));
    }
    first += Number(group.num_rows);
  }
}
