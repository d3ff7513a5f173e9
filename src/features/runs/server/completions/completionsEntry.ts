// The thread of `readCompletions.ts`: one file, one page.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks } from '#service/threads/threadRequests.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import { toCompletionPage, type ReadCompletions } from './completionPage.ts';
import { readCompletionTable } from './parquetTable.ts';

export interface CompletionsThread {
  readonly readPage: ReadCompletions;
}

answerAsks<CompletionsThread>(
  openSide(),
  { readPage: async (bytes, file, question) => toCompletionPage(await readCompletionTable(bytes, file), question) },
  Unreadable,
);
