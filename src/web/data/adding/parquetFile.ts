// The first rows of a Parquet file, from a worker that is given up after some seconds.
export interface ParquetQuestion {
  readonly file: Blob;
  /** Rows that are wanted. */
  readonly most: number;
}
export type ParquetReply = { readonly texts: readonly string[] } | { readonly problem: string };

const LONGEST_MS = 15_000;
const TOO_SLOW = 'The Parquet file takes too long to read: it may be damaged.';

export function readParquetApart(question: ParquetQuestion): Promise<ParquetReply> {
  const worker = new Worker(new URL('./parquetWorker.ts', import.meta.url), { type: 'module' });
  return new Promise<ParquetReply>((resolve) => {
    const timer = setTimeout(() => resolve({ problem: TOO_SLOW }), LONGEST_MS);
    const finish = (reply: ParquetReply): void => {
      clearTimeout(timer);
      resolve(reply);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<ParquetReply>) => finish(data));
    worker.addEventListener('error', ({ message }) =>
      finish({ problem: `The Parquet file can't be read here (${message}).` }),
    );
    worker.postMessage(question, { transfer: [] });
  }).finally(() => worker.terminate());
}
