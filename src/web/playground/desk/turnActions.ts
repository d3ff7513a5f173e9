// What a person can do with single messages of a conversation, short of running it.
import { makeId } from '#web/session/makeId.ts';
import { reportIfClosed } from './closedPanes.ts';
import { changePane, findPane, settleTurn, type Pane } from './desk.ts';
import { changeDesk, readDesk } from './deskStore.ts';
import { findUnanswered, joinNext } from './doubledTurns.ts';
import { ensurePane } from './panes.ts';
import { stopAnswers } from './runningAnswers.ts';
import { deleteTurn, editTurn, insertTurns, isTurnBusy, moveTurn, showVersion, toTurn, turnIdBefore } from './turns.ts';
import { changeWithUndo } from './undo.ts';
import {
  dropUnsaved,
  NOTHING_UNSAVED,
  putInsert,
  putUnsaved,
  type TurnRole,
  type TurnText,
  type Unsaved,
  type UnsavedPlace,
} from './unsaved.ts';

const change = (paneId: string, step: (pane: Pane) => Pane): void =>
  changeDesk((desk) => changePane(desk, paneId, step));

function changeUnsaved(step: (list: readonly Unsaved[]) => readonly Unsaved[]): void {
  changeDesk((desk) => {
    const before = desk.unsaved ?? NOTHING_UNSAVED;
    const unsaved = step(before);
    return unsaved === before ? desk : { ...desk, unsaved };
  });
}

/** What is being written somewhere, for as long as it is neither saved nor given up. */
export const writeUnsaved = (entry: Unsaved): void => changeUnsaved((list) => putUnsaved(list, entry));
export const forgetUnsaved = (place: UnsavedPlace): void => changeUnsaved((list) => dropUnsaved(list, place));
/** Begins a new message beside another one, or takes the one that is begun to this side. */
export const openInsert = (turnId: string, side: 'above' | 'below', role: TurnRole): void =>
  changeUnsaved((list) => putInsert(list, turnId, side, role));

/**
 * Another text for a message. A changed answer is a version more. What the message can't take now stays in its editor.
 */
export function saveTurn(paneId: string, turnId: string, text: TurnText): void {
  const turn = findPane(readDesk(), paneId)?.turns.find((each) => each.id === turnId);
  if (!turn || isTurnBusy(turn)) return;
  change(paneId, (pane) => editTurn(pane, turnId, text, makeId(), Date.now()));
  forgetUnsaved({ kind: 'edit', turnId });
}

/** A new message behind another one, or in front of all (null). */
export function insertTurn(paneId: string, afterId: string | null, role: TurnRole, text: TurnText): void {
  const turn = toTurn({ ...text, id: makeId(), role, answerId: makeId(), now: Date.now() });
  change(paneId, (pane) => insertTurns(pane, afterId, [turn]));
}

/** Deletes one message, never those behind it. */
export function removeTurn(paneId: string, turnId: string): void {
  const pane = findPane(readDesk(), paneId);
  const turn = pane?.turns.find((each) => each.id === turnId);
  if (!pane || !turn) return;
  if (turn.role === 'assistant') stopAnswers(turn.versions.map((answer) => answer.id));
  const before = turnIdBefore(pane, turnId);
  const settled = settleTurn(turn, 'stopped');
  changeWithUndo(
    'Message deleted',
    (desk) => changePane(desk, paneId, (each) => deleteTurn(each, turnId)),
    (desk) => changePane(ensurePane(desk, pane), paneId, (each) => insertTurns(each, before, [settled])),
    { onUndone: () => reportIfClosed([paneId]) },
  );
}

/** Takes a message that was not answered out of the conversation, with the answers behind it that say nothing. */
export function removeUnanswered(paneId: string, turnId: string): void {
  const pane = findPane(readDesk(), paneId);
  const removed = pane ? findUnanswered(pane, turnId) : [];
  if (!pane || removed.length === 0 || removed.some(isTurnBusy)) return;
  const before = turnIdBefore(pane, turnId);
  changeWithUndo(
    'Message deleted',
    (desk) => changePane(desk, paneId, (each) => removed.reduce((next, { id }) => deleteTurn(next, id), each)),
    (desk) => changePane(ensurePane(desk, pane), paneId, (each) => insertTurns(each, before, removed)),
    { onUndone: () => reportIfClosed([paneId]) },
  );
}

/** The message is sent as one with the next one, or as one of its own again. */
export const joinTurns = (paneId: string, turnId: string, isJoined: boolean): void =>
  change(paneId, (pane) => joinNext(pane, turnId, isJoined));
export const shiftTurn = (paneId: string, turnId: string, step: -1 | 1): void =>
  change(paneId, (pane) => moveTurn(pane, turnId, step));
export const chooseVersion = (paneId: string, turnId: string, shown: number): void =>
  change(paneId, (pane) => showVersion(pane, turnId, shown));
