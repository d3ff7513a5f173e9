// Rows of a file of any kind that is read: lines or an array of JSON while they arrive, Parquet when all of it is there,
// because its table of contents stands at its end.
import { createHash } from 'node:crypto';
import { HEAD_BYTES, isParquet, PARQUET, toRefusalText } from '#shared/data/fileEncoding.ts';
import { MAX_PARQUET_BYTES, ParquetProblem, readParquetLines } from '#shared/data/parquet/parquetLines.ts';
import { toParquetBuffer } from '#shared/data/parquet/parquetFile.ts';
import type { RowBlock } from '#server/studio/rows/rowBlocks.ts';
import { openFileRows, type FileResult, type FileRows, type ImportOrder } from './fileRows.ts';

export interface AnyFileRows {
  /** Blocks that are full now. The bytes are not kept. */
  push(chunk: Uint8Array): readonly RowBlock[];
  /** Call once: the last blocks, and what was read. */
  end(): Promise<{ readonly blocks: readonly RowBlock[]; readonly result: FileResult }>;
  readonly isRefused: boolean;
}

export function openAnyFileRows(order: ImportOrder): AnyFileRows {
  const rows: FileRows = openFileRows(order);
  /** The first bytes, as long as they are too few to say what the file is. */
  let head: Uint8Array | null = new Uint8Array(0);
  /** null: the file is no Parquet. */
  let parts: Uint8Array[] | null = null;
  let bytes = 0;

  const isTooLarge = (): boolean => bytes > MAX_PARQUET_BYTES;

  function hold(chunk: Uint8Array): readonly RowBlock[] {
    bytes += chunk.length;
    if (isTooLarge()) parts = [];
    else parts?.push(new Uint8Array(chunk));
    return [];
  }

  function push(chunk: Uint8Array): readonly RowBlock[] {
    if (parts) return hold(chunk);
    if (head === null) return rows.push(chunk);
    const joined = Buffer.concat([head, chunk]);
    if (joined.length < HEAD_BYTES) {
      head = joined;
      return [];
    }
    head = null;
    if (!isParquet(joined)) return rows.push(joined);
    parts = [];
    return hold(joined);
  }

  async function readParquet(held: readonly Uint8Array[]): Promise<{ blocks: RowBlock[]; result: FileResult }> {
    const whole = new Uint8Array(Buffer.concat(held));
    const blocks: RowBlock[] = [];
    let refusal: FileResult['refusal'] = null;
    try {
      if (isTooLarge()) throw new ParquetProblem('The Parquet file is larger than is read at once.');
      for await (const lines of readParquetLines(toParquetBuffer(whole))) {
        if (rows.isRefused) break;
        blocks.push(...rows.push(Buffer.from(lines.map((line) => `${line}\n`).join(''))));
      }
    } catch (error) {
      if (!(error instanceof ParquetProblem)) throw error;
      const reason = `${error.message} Or convert it.`;
      refusal = { code: 'damaged_parquet', message: toRefusalText({ ...PARQUET, reason }, order.fileName) };
    }
    const last = rows.end();
    const digest = createHash('sha256').update(whole).digest('hex');
    return {
      blocks: [...blocks, ...last.blocks],
      result: { ...last.result, digest, refusal: refusal ?? last.result.refusal },
    };
  }

  return {
    push,
    async end() {
      if (parts) return readParquet(parts);
      const blocks = head === null || head.length === 0 ? [] : rows.push(head);
      const last = rows.end();
      return { ...last, blocks: [...blocks, ...last.blocks] };
    },
    get isRefused() {
      return rows.isRefused || isTooLarge();
    },
  };
}
