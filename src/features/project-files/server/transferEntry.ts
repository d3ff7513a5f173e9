// The thread of a project's import: lines are inflated, parsed and checked here, so that the service goes on answering.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks, moving } from '#service/threads/threadRequests.ts';
import { openFileRecords, type FileItem, type FileRecords } from './fileRecords.ts';
import { TransferProblem } from './transferProblem.ts';

const file = openFileRecords();
let reading: Promise<unknown> = Promise.resolve();

/** One after another: each part waits for the inflater. */
function inTurn(read: () => Promise<readonly FileItem[]>): Promise<readonly FileItem[]> {
  const items = reading.then(read);
  reading = items;
  return items.then((given) => moving(given, given.flatMap(toMemory)));
}

const toMemory = (item: FileItem): readonly ArrayBuffer[] =>
  item.kind === 'blocks' ? item.blocks.flatMap(({ body, grams }) => [body.buffer, grams.buffer]) : [];

answerAsks<FileRecords>(
  openSide(),
  { push: (bytes) => inTurn(() => file.push(bytes)), end: () => inTurn(() => file.end()) },
  TransferProblem,
);
