// Answers a question for completions of a run: which file, and what is in it. Reads a page of it in a thread of its own, which a damaged or hostile file may fill or keep busy: then only
// this thread ends, and the person gets the reason.
import { openThread, type IsolatedEnd } from '#service/threads/isolated.ts';
import { moving, openAsks } from '#service/threads/threadRequests.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import type { RowFile } from '#features/runs/server/evidence.ts';
import type { CompletionAnswer } from '#features/runs/server/runsMessages.ts';
import type { CompletionQuestion } from '#features/runs/shared/completions.ts';
import type { ReadCompletions } from './completionPage.ts';
import type { CompletionsThread } from './completionsEntry.ts';
import { MAX_FILE_BYTES } from './parquetTable.ts';

const MAX_MEMORY_MB = 1536;
const LONGEST_MS = 30_000;

export const openCompletionsReader =
  (longest = LONGEST_MS): ReadCompletions =>
  async (bytes, file, question) => {
    const toError = ({ cause, error }: IsolatedEnd): Error => {
      if (cause === 'failed' && error) return error;
      const size = `${MAX_MEMORY_MB.toLocaleString('en')} MiB of memory`;
      const why = cause === 'memory' ? `needs more than ${size}` : `takes longer than ${longest / 1000} s`;
      return new Unreadable(`${file} can't be read: it ${why}. It may be damaged.`);
    };
    const { isolated, ask } = openAsks<CompletionsThread>(
      (onMessage) =>
        openThread({ entry: new URL('./completionsEntry.ts', import.meta.url), memoryMb: MAX_MEMORY_MB, onMessage }),
      { toError, refusal: Unreadable },
    );
    const timer = setTimeout(() => void isolated.end(), longest);
    try {
      return await ask('readPage', moving(bytes, [bytes.buffer as ArrayBuffer]), file, question);
    } finally {
      clearTimeout(timer);
      void isolated.end();
    }
  };

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
