// The trainer's process: reads job.json, writes JSON lines to stdout. SIGTERM saves a checkpoint and ends with 75.
import { readFileSync, writeSync } from 'node:fs';
import {
  EXIT_RESUMABLE,
  trainerJobSchema,
  type TrainerEvent,
  type TrainerJob,
} from '#trainer/protocol/trainerProtocol.ts';
import { TrainerError } from '#trainer/files/readModel.ts';
import { measureExport } from './measureExport.ts';
import { runJob } from './runJob.ts';
import { readThreads } from './trainerCommand.ts';

const STDOUT = 1;
/** The service may read slowly: then the pipe is full, and the line is written again a little later. */
const RETRY_MS = 5;
const waiter = new Int32Array(new SharedArrayBuffer(4));

/** Writes the whole line before it returns, so that nothing is lost when the process ends. */
function emit(event: TrainerEvent): void {
  const line = Buffer.from(`${JSON.stringify(event)}\n`);
  for (let at = 0; at < line.byteLength;) {
    try {
      at += writeSync(STDOUT, line, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(waiter, 0, 0, RETRY_MS);
    }
  }
}

function readJob(path: string | undefined): TrainerJob {
  try {
    return trainerJobSchema.parse(JSON.parse(readFileSync(path ?? '', 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TrainerError(
      `The job can't be read: ${reason}`,
      'Give the path of a job.json of protocol 1 as the last argument.',
    );
  }
}

let isStopped = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    isStopped = true;
  });

try {
  const end = await runJob(readJob(process.argv.at(-1)), {
    emit,
    isStopped: () => isStopped,
    threads: readThreads(process.argv),
    measureExport,
  });
  process.exitCode = end === 'stopped' ? EXIT_RESUMABLE : 0;
} catch (error) {
  const isKnown = error instanceof TrainerError;
  const reason = error instanceof Error ? error.message : String(error);
  const what_to_do = isKnown
    ? error.what_to_do
    : error instanceof RangeError
      ? 'There is not enough memory for this run. Choose a smaller base model, or shorten the rows.'
      : 'Read the log, and start the run again.';
  emit({ type: 'failure', reason, what_to_do });
  process.exitCode = 1;
}
