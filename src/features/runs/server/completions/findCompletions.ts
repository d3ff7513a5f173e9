// The answer to a question for completions of a run: which file, and what is in it.
import type { CompletionQuestion } from '#features/runs/shared/completions.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import type { RowFile } from '#features/runs/server/evidence.ts';
import type { CompletionAnswer } from '#features/runs/server/runsMessages.ts';
import type { ReadCompletions } from './completionPage.ts';
import { MAX_FILE_BYTES } from './parquetTable.ts';

/** A root that gives the bytes of a file. */
interface Files {
  read(path: string, maximum?: number): Promise<Uint8Array>;
}

/** `files`: in the order of their steps; of several of one step, a resumed run wrote the last. */
export async function findCompletions(
  files: readonly RowFile[],
  root: Files,
  given: { readonly question: CompletionQuestion; readonly readCompletions: ReadCompletions },
): Promise<CompletionAnswer> {
  const { question, readCompletions } = given;
  const file = question.step === null ? files.at(-1) : files.findLast(({ step }) => step === question.step);
  if (!file) return { kind: 'no-step' };
  try {
    const bytes = await root.read(file.path, MAX_FILE_BYTES);
    const page = await readCompletions(bytes, file.path, question);
    return { kind: 'list', list: { step: file.step, file: file.path, ...page } };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}
