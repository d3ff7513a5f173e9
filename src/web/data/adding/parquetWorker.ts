// Reads the first rows of a Parquet file. Apart from the page, because a damaged file may keep its reader busy for ever.
import { ParquetProblem, readParquetLines } from '#shared/data/parquet/parquetLines.ts';
import type { ParquetQuestion, ParquetReply } from './parquetFile.ts';

async function read({ file, most }: ParquetQuestion): Promise<ParquetReply> {
  const slice = (from: number, to = file.size): Promise<ArrayBuffer> => file.slice(from, to).arrayBuffer();
  const texts: string[] = [];
  try {
    for await (const lines of readParquetLines({ byteLength: file.size, slice }, most)) texts.push(...lines);
    return { texts };
  } catch (error) {
    if (error instanceof ParquetProblem) return { problem: error.message };
    throw error;
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ParquetQuestion>) => {
  void read(data).then((reply) => self.postMessage(reply, { transfer: [] }));
});
