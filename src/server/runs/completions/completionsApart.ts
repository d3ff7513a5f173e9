// The thread of `readCompletions.ts`: one file, one page.
import { openSide } from '#server/apart/apartSide.ts';
import { answerAsks } from '#server/apart/asks.ts';
import { Unreadable } from '#server/runs/reader.ts';
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
