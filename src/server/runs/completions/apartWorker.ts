// The thread of `readApart.ts`: one file, one answer.
import { parentPort, workerData } from 'node:worker_threads';
import { Unreadable } from '#server/runs/reader.ts';
import { toCompletionPage } from './completionPage.ts';
import { readCompletionTable } from './parquetTable.ts';
import type { ApartAnswer, ApartQuestion } from './readApart.ts';

async function answer({ bytes, file, question }: ApartQuestion): Promise<ApartAnswer> {
  try {
    return { type: 'page', page: toCompletionPage(await readCompletionTable(bytes, file), question) };
  } catch (error) {
    if (error instanceof Unreadable) return { type: 'unreadable', reason: error.message };
    throw error;
  }
}

parentPort?.postMessage(await answer(workerData as ApartQuestion), []);
