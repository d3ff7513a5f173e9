// How a person answers the calls of tools. Apart from the other actions on messages, because the first view needs none.
import type { AnswerToolCall } from '#shared/stream/message.ts';
import { makeId } from '#web/session/makeId.ts';
import { showToast } from '#web/ui/toast.ts';
import { changePane } from './desk.ts';
import { changeDesk, readDesk } from './deskStore.ts';
import { answerCalls, findSameCalls, shareResult as shareCallResult, type CallResult } from './toolAnswers.ts';

/** What tools gave back for calls of an answer. */
export function addResults(paneId: string, turnId: string, results: readonly CallResult[]): void {
  changeDesk((desk) => changePane(desk, paneId, (pane) => answerCalls(pane, turnId, results, makeId)));
}

/** One result for the same call wherever else it waits for one. */
export function shareResult(paneId: string, call: AnswerToolCall, content: string): void {
  const count = findSameCalls(readDesk(), paneId, call).length;
  changeDesk((desk) => shareCallResult(desk, paneId, call, content, makeId));
  if (count > 0) showToast(`The result was added to ${count} more ${count === 1 ? 'call' : 'calls'}.`, { tone: 'ok' });
}
