// Reads a page of completions in a thread of its own, which a damaged or hostile file may fill or keep busy: then only
// this thread ends, and the person gets the reason.
import { Worker } from 'node:worker_threads';
import type { CompletionQuestion } from '#shared/contract/runs/completions.ts';
import { Unreadable } from '#server/runs/reader.ts';
import type { CompletionPage } from './completionPage.ts';

export interface ApartQuestion {
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly question: CompletionQuestion;
}

export type ApartAnswer =
  | { readonly type: 'page'; readonly page: CompletionPage }
  | { readonly type: 'unreadable'; readonly reason: string };

/** Reads a page of rows. The bytes are taken over. Throws Unreadable. */
export type ReadCompletions = (
  bytes: Uint8Array,
  file: string,
  question: CompletionQuestion,
) => Promise<CompletionPage>;

const MAX_THREAD_MB = 1536;
const LONGEST_MS = 30_000;

export const readApart =
  (longest = LONGEST_MS): ReadCompletions =>
  (bytes, file, question) =>
    new Promise((resolve, reject) => {
      const given: ApartQuestion = { bytes, file, question };
      const thread = new Worker(new URL('./apartWorkerStart.mjs', import.meta.url), {
        execArgv: [],
        workerData: given,
        transferList: [bytes.buffer as ArrayBuffer],
        resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MB },
      });
      const end = (act: () => void): void => {
        clearTimeout(timer);
        void thread.terminate();
        act();
      };
      const fail = (why: string): void => end(() => reject(new Unreadable(`${file} can't be read: ${why}.`)));
      const timer = setTimeout(() => fail(`it takes longer than ${longest / 1000} s. It may be damaged`), longest);
      thread.on('message', (answer: ApartAnswer) =>
        end(() => (answer.type === 'page' ? resolve(answer.page) : reject(new Unreadable(answer.reason)))),
      );
      thread.on('error', (error) =>
        'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? fail(`it needs more than ${MAX_THREAD_MB.toLocaleString('en')} MiB of memory. It may be damaged`)
          : end(() => reject(error)),
      );
      thread.on('exit', () => fail('the thread that reads it has ended'));
    });
