// The thread of a project's import: lines are inflated, parsed and checked here, so that the service goes on answering.
import { parentPort } from 'node:worker_threads';
import { openFileRecords, type FileItem } from './fileRecords.ts';
import { TransferProblem } from './transferProblem.ts';
import type { FromTransfer, ToTransfer } from './transferMessages.ts';

const file = openFileRecords();

function send(message: FromTransfer): void {
  const items = message.kind === 'refused' ? [] : message.items;
  const memory = items.flatMap((item) =>
    item.kind === 'blocks' ? item.blocks.flatMap(({ body, grams }) => [body.buffer, grams.buffer]) : [],
  );
  parentPort?.postMessage(message, memory);
}

function refuse(error: unknown): void {
  // Another failure ends the thread, and its starter is told.
  if (!(error instanceof TransferProblem)) throw error;
  send({ kind: 'refused', code: error.code, message: error.message });
}

let reading: Promise<unknown> = Promise.resolve();
const next = (kind: 'read' | 'end', work: () => Promise<readonly FileItem[]>): void => {
  reading = reading.then(work).then((items) => send({ kind, items }), refuse);
};

parentPort?.on('message', (message: ToTransfer) => {
  if (message.kind === 'stop') process.exit();
  if (message.kind === 'chunk') return next('read', () => file.push(message.bytes));
  next('end', () => file.end());
  reading = reading.then(() => parentPort?.close());
});
