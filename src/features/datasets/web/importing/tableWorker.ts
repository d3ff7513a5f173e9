// Reads the first rows of a Parquet or Arrow file. Apart from the page, because a damaged file may keep its reader busy
// for ever.
import { ArrowProblem, openArrowLines } from '#features/datasets/shared/arrow/arrowLines.ts';
import { ParquetProblem, readParquetLines } from '#features/datasets/shared/parquet/parquetLines.ts';
import type { TableQuestion, TableReply } from './tableFile.ts';

/** Bytes of an Arrow file that are read at a time. */
const STEP_BYTES = 2 ** 20;

async function* readArrowLines(file: Blob): AsyncGenerator<readonly string[], void> {
  const arrow = openArrowLines();
  for (let at = 0; at < file.size; at += STEP_BYTES)
    yield* arrow.push(new Uint8Array(await file.slice(at, at + STEP_BYTES).arrayBuffer()));
  arrow.end();
}

async function read({ file, kind, most }: TableQuestion): Promise<TableReply> {
  const slice = (from: number, to = file.size): Promise<ArrayBuffer> => file.slice(from, to).arrayBuffer();
  const texts: string[] = [];
  try {
    const found = kind === 'Arrow' ? readArrowLines(file) : readParquetLines({ byteLength: file.size, slice }, most);
    for await (const lines of found) {
      texts.push(...lines.slice(0, most - texts.length));
      if (texts.length >= most) break;
    }
    return { texts };
  } catch (error) {
    if (error instanceof ParquetProblem || error instanceof ArrowProblem) return { problem: error.message };
    throw error;
  }
}

self.addEventListener('message', ({ data }: MessageEvent<TableQuestion>) => {
  void read(data).then((reply) => self.postMessage(reply, { transfer: [] }));
});
