// Rows of a file of any kind that is read: lines, an array of JSON and Arrow while they arrive, Parquet when all of it is
// there, because its table of contents stands at its end.
import { createHash } from 'node:crypto';
import { ArrowProblem, openArrowLines } from '#features/datasets/shared/arrow/arrowLines.ts';
import { ARROW, isArrow, isParquet, PARQUET, toRefusalText, type OtherFile } from '#core/rows/fileEncoding.ts';
import { openFileHead } from '#features/datasets/shared/fileHead.ts';
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
  let table: TableRows | null = null;
  const head = openFileHead((bytes) => {
    if (isParquet(bytes)) table = openParquetRows(rows);
    else if (isArrow(bytes)) table = openArrowRows(rows);
  });
  let refusal: FileResult['refusal'] = null;

  function refuse(error: unknown): readonly RowBlock[] {
    const isParquetProblem = error instanceof ParquetProblem;
    if (!isParquetProblem && !(error instanceof ArrowProblem)) throw error;
    const kind: OtherFile = isParquetProblem ? PARQUET : ARROW;
    const message = toRefusalText({ ...kind, reason: `${error.message} Or convert it.` }, order.fileName);
    refusal = { code: isParquetProblem ? 'damaged_parquet' : 'damaged_arrow', message };
    return [];
  }

  function take(bytes: Uint8Array | null): readonly RowBlock[] {
    if (bytes === null) return [];
    if (!table) return rows.push(bytes);
    digest.update(bytes);
    try {
      return refusal === null ? table.push(bytes) : [];
    } catch (error) {
      return refuse(error);
    }
  }

  return {
    push: (chunk) => take(head.push(chunk)),
    async end() {
      const first = take(head.end());
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
