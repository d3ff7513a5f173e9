// The thread of an import: lines are parsed and deflated here, so that the service goes on answering.
import { parentPort, workerData } from 'node:worker_threads';
import type { RowBlock } from '#server/studio/rows/rowBlocks.ts';
import { openFileRows, type ImportOrder } from './fileRows.ts';
import type { FromImporter, ToImporter } from './importMessages.ts';

const file = openFileRows(workerData as ImportOrder);

/** Bytes whose memory can move to the other thread: a deflated body may be a part of a larger piece. */
const toOwn = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

function send(message: FromImporter): void {
  const blocks = message.blocks.map(({ row_count, body, grams }): RowBlock & { body: Uint8Array<ArrayBuffer> } => ({
    row_count,
    body: toOwn(body),
    grams,
  }));
  const memory = blocks.flatMap(({ body, grams }) => [body.buffer, grams.buffer as ArrayBuffer]);
  parentPort?.postMessage({ ...message, blocks }, memory);
}

parentPort?.on('message', (message: ToImporter) => {
  if (message.kind === 'end') {
    send({ kind: 'end', ...file.end() });
    parentPort?.close();
  } else send({ kind: 'read', blocks: file.push(message.bytes), rows: file.rows, isRefused: file.isRefused });
});
