// The first rows of a Parquet or Arrow file, from a worker that is given up after some seconds.
export interface TableQuestion {
  readonly file: Blob;
  readonly kind: 'Parquet' | 'Arrow';
  /** Rows that are wanted. */
  readonly most: number;
}
export type TableReply = { readonly texts: readonly string[] } | { readonly problem: string };

const LONGEST_MS = 15_000;

export function readTableApart(question: TableQuestion): Promise<TableReply> {
  const worker = new Worker(new URL('./tableWorker.ts', import.meta.url), { type: 'module' });
  return new Promise<TableReply>((resolve) => {
    const problem = `The ${question.kind} file takes too long to read: it may be damaged.`;
    const timer = setTimeout(() => resolve({ problem }), LONGEST_MS);
    const finish = (reply: TableReply): void => {
      clearTimeout(timer);
      resolve(reply);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<TableReply>) => finish(data));
    worker.addEventListener('error', ({ message }) =>
      finish({ problem: `The ${question.kind} file can't be read here (${message}).` }),
    );
    worker.postMessage(question, { transfer: [] });
  }).finally(() => worker.terminate());
}
