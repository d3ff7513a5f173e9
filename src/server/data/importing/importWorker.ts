// The thread of an import: lines are parsed and deflated here, so that the service goes on answering.
import { parentPort, workerData } from 'node:worker_threads';
import { openFileRows, type ImportOrder } from './fileRows.ts';
import type { FromImporter, ToImporter } from './importMessages.ts';

const file = openFileRows(workerData as ImportOrder);

function send(message: FromImporter): void {
  const memory = message.blocks.flatMap(({ body, grams }) => [body.buffer, grams.buffer]);
  parentPort?.postMessage(message, message.kind === 'read' ? [...memory, message.memory] : memory);
}

parentPort?.on('message', (message: ToImporter) => {
  if (message.kind === 'stop') process.exit();
  if (message.kind === 'end') {
    send({ kind: 'end', ...file.end() });
    parentPort?.close();
  } else {
    const blocks = file.push(message.bytes);
    send({ kind: 'read', blocks, rows: file.rows, isRefused: file.isRefused, memory: message.bytes.buffer });
  }
});
