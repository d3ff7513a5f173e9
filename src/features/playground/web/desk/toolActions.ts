// Actions that answer tool calls. A file apart from turnActions.ts, because the first view doesn't need them.
import type { AnswerToolCall } from '#core/stream/message.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { showToast } from '#ui/kit/toast.ts';
import { changePane } from './desk.ts';
import { changeDesk, readDesk } from './deskStore.ts';
import { answerCalls, findSameCalls, shareResult as shareCallResult, type CallResult } from './toolAnswers.ts';

/** Adds results of tool calls to the conversation. */
export function addResults(paneId: string, turnId: string, results: readonly CallResult[]): void {
  changeDesk((desk) => changePane(desk, paneId, (pane) => answerCalls(pane, turnId, results, makeId)));
}

/** Adds the result to the same call in other panes. */
export function shareResult(paneId: string, call: AnswerToolCall, content: string): void {
  const count = findSameCalls(readDesk(), paneId, call).length;
  changeDesk((desk) => shareCallResult(desk, paneId, call, content, makeId));
  if (count > 0) showToast(`The result was added to ${count} more ${count === 1 ? 'call' : 'calls'}.`, { tone: 'ok' });
}
