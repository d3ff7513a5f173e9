// Finds evaluations below the folders of runs, in a thread of its own: a disk may not answer, and a file may fill the memory.
import type { FoundEvaluationList } from '#features/evaluation/shared/contract/evaluationImport.ts';
import type { ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { openThread, type IsolatedEnd } from '#service/threads/isolated.ts';
import { mayBeEvaluation, UNREAD, type FoundSummary } from './foundFiles.ts';
import type { FoundFilesReply, FoundFilesTask, ListedFile, RunFolder } from './foundFilesEntry.ts';

const MEMORY_MB = 1024;
const LIST_MS = 20_000;
const READ_MS = 120_000;

const refuse = (message: string): HttpProblem => new HttpProblem(400, message, { param: 'path', code: 'invalid_file' });

async function runTask(
  task: FoundFilesTask,
  ms: number,
  onMessage: (reply: FoundFilesReply) => void,
): Promise<IsolatedEnd> {
  const thread = openThread<never, FoundFilesReply>({
    entry: new URL('./foundFilesEntry.ts', import.meta.url),
    data: task,
    memoryMb: MEMORY_MB,
    onMessage,
  });
  const timer = setTimeout(() => void thread.end(), ms);
  const end = await thread.ended;
  clearTimeout(timer);
  return end;
}

/** What was found and read in twenty seconds, the newest first. */
export async function findEvaluationFiles(folders: readonly RunFolder[]): Promise<FoundEvaluationList> {
  if (folders.length === 0) return { files: [], left_out: 0 };
  let [listed, leftOut]: [readonly ListedFile[], number] = [[], 0];
  const read = new Map<number, FoundSummary | null>();
  const end = await runTask({ folders, path: null }, LIST_MS, (reply) => {
    if ('listed' in reply) [listed, leftOut] = [reply.listed, reply.leftOut];
    else if ('at' in reply) read.set(reply.at, reply.summary);
  });
  if (end.cause === 'failed') throw end.error ?? new Error('The thread that finds evaluations failed.');
  const files = listed.flatMap(({ folder, path, bytes, modifiedAt }, at): FoundEvaluationList['files'] => {
    const summary = read.has(at) ? read.get(at) : UNREAD;
    if (!summary) return [];
    const { madeAt, models, ...rest } = summary;
    const place = { root_id: folder.id, root: folder.path, path, bytes, modified_at: modifiedAt };
    return [{ ...place, ...rest, models: [...models], made_at: madeAt }];
  });
  return { files, left_out: leftOut };
}

/** Throws HttpProblem 400 that says what is wrong with the file. */
export async function readEvaluationFileOf(folder: RunFolder, path: string): Promise<ImportedEvaluation> {
  if (!mayBeEvaluation(path))
    throw refuse('Its name is none that a tool gives to a file of an evaluation. Choose it as a file instead.');
  const replies: FoundFilesReply[] = [];
  const end = await runTask({ folders: [folder], path }, READ_MS, (reply) => replies.push(reply));
  const [reply] = replies;
  if (reply && 'imported' in reply) return reply.imported;
  if (reply && 'refusal' in reply) throw refuse(reply.refusal);
  if (end.cause === 'asked') throw refuse('The file takes more than two minutes to be read. Split it.');
  if (end.cause === 'memory') throw refuse('The file needs too much memory to be read. Split it.');
  throw end.error ?? new Error('The thread that reads evaluations ended without an answer.');
}
