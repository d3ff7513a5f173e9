// Puts results of tool calls into a conversation, and copies them to the same calls in other panes. Pure; ids come in
// as arguments. Calls without a result: openCalls in conversation.ts.
import { changePane, isBusy, panePhase, shownAnswer, type Desk, type Pane, type ToolTurn, type Turn } from './desk.ts';
import { openCalls, readyCalls } from './conversation.ts';
import { toPrettyJson } from '#core/contract/jsonPlaces.ts';
import { paneObstacle } from './paneRequest.ts';
import type { AnswerToolCall } from '#core/stream/message.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { showToast } from '#ui/kit/toast.ts';
import { changeDesk, readDesk } from './deskStore.ts';

interface CallResult {
  readonly callId: string;
  readonly content: string;
}

/** A call without a result, and the turn that it is in. */
interface OpenCall {
  readonly turnId: string;
  readonly call: AnswerToolCall;
}

/** The calls of the pane without a result. Only calls of the last answer can still be answered. */
export function findOpenCalls(pane: Pane): readonly OpenCall[] {
  const index = pane.turns.findLastIndex((turn) => turn.role === 'assistant');
  const turn = pane.turns[index];
  return turn ? openCalls(pane.turns, index).map((call) => ({ turnId: turn.id, call })) : [];
}

/**
 * Adds results after the answer, in the order of its calls. Results for unknown or answered calls are ignored.
 */
export function answerCalls(pane: Pane, turnId: string, results: readonly CallResult[], makeId: () => string): Pane {
  const index = pane.turns.findIndex((each) => each.id === turnId);
  const turn = pane.turns[index];
  if (turn?.role !== 'assistant') return pane;
  const order = readyCalls(shownAnswer(turn)).map((call) => call.id);
  const open = openCalls(pane.turns, index);
  let turns = pane.turns;
  for (const call of open) {
    const result = results.find(({ callId }) => callId === call.id);
    if (!result) continue;
    const made: ToolTurn = {
      id: makeId(),
      role: 'tool',
      tool_call_id: call.id,
      name: call.name,
      content: result.content,
    };
    let at = index + 1;
    for (let next = turns[at]; next?.role === 'tool'; next = turns[at]) {
      if (order.indexOf(next.tool_call_id) > order.indexOf(call.id)) break;
      at += 1;
    }
    turns = turns.toSpliced(at, 0, made);
  }
  return turns === pane.turns ? pane : { ...pane, turns };
}

const isSameCall = (one: AnswerToolCall, two: AnswerToolCall): boolean =>
  one.name === two.name &&
  (one.arguments === two.arguments ||
    (toPrettyJson(one.arguments) ?? one.arguments) === (toPrettyJson(two.arguments) ?? two.arguments));

/** Calls of the same function with the same arguments that wait for a result in other panes in view. */
export function findSameCalls(
  desk: Desk,
  paneId: string,
  call: AnswerToolCall,
): readonly (OpenCall & { readonly paneId: string })[] {
  return desk.panes
    .filter((pane) => pane.id !== paneId && !isBusy(panePhase(pane)))
    .flatMap((pane) =>
      findOpenCalls(pane).flatMap((open) => (isSameCall(open.call, call) ? [{ ...open, paneId: pane.id }] : [])),
    );
}

/** Adds the result to the same call in all other panes. */
export function withSharedResult(
  desk: Desk,
  paneId: string,
  call: AnswerToolCall,
  content: string,
  makeId: () => string,
): Desk {
  return findSameCalls(desk, paneId, call).reduce(
    (before, same) =>
      changePane(before, same.paneId, (pane) =>
        answerCalls(pane, same.turnId, [{ callId: same.call.id, content }], makeId),
      ),
    desk,
  );
}

/** Why the model can't continue with the results of its calls; null when it can. The draft doesn't matter. */
export function continueObstacle(desk: Desk, pane: Pane): string | null {
  if (pane.turns.at(-1)?.role !== 'tool') return 'Other messages follow these results.';
  return paneObstacle({ ...desk, draft: '' }, pane);
}

/** The tool turn follows the answer that has its call, with only tool turns between. */
export function hasMatchingCall(turns: readonly Turn[], turnId: string): boolean {
  const index = turns.findIndex((turn) => turn.id === turnId);
  const turn = turns[index];
  if (turn?.role !== 'tool') return false;
  const caller = turns.slice(0, index).findLast((each) => each.role !== 'tool');
  return caller?.role === 'assistant' && readyCalls(shownAnswer(caller)).some((call) => call.id === turn.tool_call_id);
}

/** Only tool results follow the answer, so the model gets them next. */
export function isAtEnd(turns: readonly Turn[], turnId: string): boolean {
  const index = turns.findIndex((turn) => turn.id === turnId);
  return index >= 0 && turns.slice(index + 1).every((turn) => turn.role === 'tool');
}

/** Adds results of tool calls to the conversation. */
export function addResults(paneId: string, turnId: string, results: readonly CallResult[]): void {
  changeDesk((desk) => changePane(desk, paneId, (pane) => answerCalls(pane, turnId, results, makeId)));
}

/** Adds the result to the same call in other panes. */
export function shareResult(paneId: string, call: AnswerToolCall, content: string): void {
  const count = findSameCalls(readDesk(), paneId, call).length;
  changeDesk((desk) => withSharedResult(desk, paneId, call, content, makeId));
  if (count > 0)
    showToast(`The result was added to ${count} more ${count === 1 ? 'call' : 'calls'}.`, { tone: 'success' });
}
