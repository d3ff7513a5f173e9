// Sends the rows of a snapshot as a file, while they are read.
import type { SnapshotRows } from '#features/datasets/server/rows/snapshotRows.ts';
import { signalOf, type RouteContext } from '#service/http/route.ts';
import { sendDownload } from '#service/http/sendDownload.ts';

/** Rows are joined up to this length: one write per row would cost more than the row. In UTF-16 units. */
const CHUNK = 64 * 1024;

async function* toChunks(
  first: readonly string[],
  rest: AsyncIterator<readonly string[]>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let text = '';
  try {
    // Pages without rows give the reader nothing, so that it would not be noticed that it has left.
    for (let page: readonly string[] | undefined = first; page && !signal.aborted;) {
      for (const row of page) {
        text += `${row}\n`;
        if (text.length < CHUNK) continue;
        yield text;
        text = '';
      }
      const next: IteratorResult<readonly string[], unknown> = await rest.next();
      page = next.done === true ? undefined : next.value;
    }
    if (text !== '') yield text;
  } finally {
    await rest.return?.();
  }
}

/**
 * Sends the rows, and reads no further than the reader takes. The first page is read before the headers go out, so that
 * a database that is away is a 503. Later failures cut the answer off, so that no half file looks whole.
 */
export async function sendRows(context: RouteContext, rows: SnapshotRows): Promise<Response> {
  const pages = rows.pages[Symbol.asyncIterator]();
  const isHead = context.req.method === 'HEAD';
  const first = isHead ? undefined : await pages.next();
  return sendDownload(context, {
    name: rows.fileName,
    type: 'application/x-ndjson; charset=utf-8',
    open: () => (first === undefined || first.done === true ? [] : toChunks(first.value, pages, signalOf(context))),
  });
}
