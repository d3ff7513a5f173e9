// Rows of a file of any kind that is read: lines, an array of JSON and Arrow while they arrive, Parquet when all of it is
// there, because its table of contents stands at its end.
import { createHash } from 'node:crypto';
import { ArrowProblem, openArrowLines } from '#features/datasets/shared/arrow/arrowLines.ts';
import {
  ARROW,
  HEAD_BYTES,
  isArrow,
  isParquet,
  PARQUET,
  toRefusalText,
  type OtherFile,
} from '#core/rows/fileEncoding.ts';
import { MAX_PARQUET_BYTES, ParquetProblem, readParquetLines } from '#features/datasets/shared/parquet/parquetLines.ts';
import { toParquetBuffer } from '#features/datasets/shared/parquet/parquetFile.ts';
import type { RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { openFileRows, type FileResult, type FileRows, type ImportOrder } from './fileRows.ts';

export interface AnyFileRows {
  /** Blocks that are full now. The bytes are not kept. */
  push(chunk: Uint8Array): readonly RowBlock[];
  /** Call once: the last blocks, and what was read. */
  end(): Promise<{ readonly blocks: readonly RowBlock[]; readonly result: FileResult }>;
  readonly isRefused: boolean;
}

/** A file whose bytes are no lines. Both throw ParquetProblem or ArrowProblem. */
interface TableRows {
  push(chunk: Uint8Array): readonly RowBlock[];
  /** Call once: the blocks that are full then. */
  end(): Promise<readonly RowBlock[]>;
}

const addLines = (rows: FileRows, lines: readonly string[]): readonly RowBlock[] =>
  rows.push(Buffer.from(lines.map((line) => `${line}\n`).join('')));

function openParquetRows(rows: FileRows): TableRows {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > MAX_PARQUET_BYTES) throw new ParquetProblem('The Parquet file is larger than is read at once.');
      parts.push(new Uint8Array(chunk));
      return [];
    },
    async end() {
      const blocks: RowBlock[] = [];
      for await (const lines of readParquetLines(toParquetBuffer(new Uint8Array(Buffer.concat(parts))))) {
        if (rows.isRefused) break;
        blocks.push(...addLines(rows, lines));
      }
      return blocks;
    },
  };
}

function openArrowRows(rows: FileRows): TableRows {
  const arrow = openArrowLines();
  return {
    push(chunk) {
      const blocks: RowBlock[] = [];
      for (const lines of arrow.push(chunk)) {
        if (rows.isRefused) break;
        blocks.push(...addLines(rows, lines));
      }
      return blocks;
    },
    async end() {
      if (!rows.isRefused) arrow.end();
      return [];
    },
  };
}

export function openAnyFileRows(order: ImportOrder): AnyFileRows {
  const rows: FileRows = openFileRows(order);
  const digest = createHash('sha256');
  /** The first bytes, as long as they are too few to say what the file is. */
  let head: Uint8Array | null = new Uint8Array(0);
  let table: TableRows | null = null;
  let refusal: FileResult['refusal'] = null;

  function refuse(error: unknown): readonly RowBlock[] {
    const isParquetProblem = error instanceof ParquetProblem;
    if (!isParquetProblem && !(error instanceof ArrowProblem)) throw error;
    const kind: OtherFile = isParquetProblem ? PARQUET : ARROW;
    const message = toRefusalText({ ...kind, reason: `${error.message} Or convert it.` }, order.fileName);
    refusal = { code: isParquetProblem ? 'damaged_parquet' : 'damaged_arrow', message };
    return [];
  }

  function pushTable(open: TableRows, chunk: Uint8Array): readonly RowBlock[] {
    digest.update(chunk);
    try {
      return refusal === null ? open.push(chunk) : [];
    } catch (error) {
      return refuse(error);
    }
  }

  function push(chunk: Uint8Array): readonly RowBlock[] {
    if (table) return pushTable(table, chunk);
    if (head === null) return rows.push(chunk);
    const joined = Buffer.concat([head, chunk]);
    if (joined.length < HEAD_BYTES) {
      head = joined;
      return [];
    }
    head = null;
    if (isParquet(joined)) table = openParquetRows(rows);
    else if (isArrow(joined)) table = openArrowRows(rows);
    return table ? pushTable(table, joined) : rows.push(joined);
  }

  return {
    push,
    async end() {
      const first = head === null || head.length === 0 ? [] : rows.push(head);
      const found = table && refusal === null ? await table.end().catch(refuse) : first;
      const { blocks, result } = rows.end();
      return {
        blocks: [...found, ...blocks],
        result: table ? { ...result, digest: digest.digest('hex'), refusal: refusal ?? result.refusal } : result,
      };
    },
    get isRefused() {
      return rows.isRefused || refusal !== null;
    },
  };
}
