// Reads a file of an evaluation in a thread of its own, bounded in memory and time.
import type { ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { openThread } from '#service/threads/isolated.ts';
import type { EvaluationFile, ReadEvaluationFile } from './evaluationFileEntry.ts';

const MEMORY_MB = 1024;
const READ_MS = 120_000;

const refuse = (message: string): HttpProblem => new HttpProblem(400, message, { param: 'file', code: 'invalid_file' });

/** Throws HttpProblem 400 that says what is wrong with the file. */
export async function readEvaluationFile(file: EvaluationFile): Promise<ImportedEvaluation> {
  let reply: ReadEvaluationFile | null = null;
  const thread = openThread<never, ReadEvaluationFile>({
    entry: new URL('./evaluationFileEntry.ts', import.meta.url),
    data: file,
    memoryMb: MEMORY_MB,
    onMessage: (message) => (reply = message),
  });
  const timer = setTimeout(() => void thread.end(), READ_MS);
  const end = await thread.ended;
  clearTimeout(timer);
  const read = reply as ReadEvaluationFile | null;
  if (read !== null && 'imported' in read) return read.imported;
  if (read !== null) throw refuse(read.refusal);
  if (end.cause === 'asked') throw refuse('The file takes more than two minutes to be read. Split it.');
  if (end.cause === 'memory') throw refuse('The file needs too much memory to be read. Split it.');
  throw end.error ?? new Error('The thread that reads evaluations ended without an answer.');
}
