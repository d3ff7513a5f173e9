// Actions on single messages of a conversation that send no request.
import { makeId } from '#ui/storage/makeId.ts';
import { reportIfClosed, changeWithUndo } from './undo.ts';
import { changePane, findPane, settleTurn, type Pane } from './desk.ts';
import { changeDesk, readDesk } from './deskStore.ts';
import { findUnanswered, joinNext } from './doubledTurns.ts';
import { ensurePane } from './panes.ts';
import {
  type TurnPlace,
  deleteTurn,
  editTurn,
  insertTurns,
  isTurnBusy,
  moveTurn,
  showVersion,
  toTurn,
  turnIdBefore,
} from './turns.ts';
import { stopAnswers } from './runningAnswers.ts';
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

/** Remembers a text in an open editor, until it is saved or discarded. */
export const writeUnsaved = (entry: Unsaved): void => changeUnsaved((list) => putUnsaved(list, entry));
export const forgetUnsaved = (place: UnsavedPlace): void => changeUnsaved((list) => dropUnsaved(list, place));
/** Opens the editor of a new message beside a turn, or moves the open one to this side. */
export const openInsert = (turnId: string, side: 'above' | 'below', role: TurnRole): void =>
  changeUnsaved((list) => putInsert(list, turnId, side, role));

/**
 * Saves a new text of a message; for an answer as a new version. While the turn is busy the text stays in its editor.
 */
export function saveTurn(paneId: string, turnId: string, text: TurnText): void {
  const turn = findPane(readDesk(), paneId)?.turns.find((each) => each.id === turnId);
  if (!turn || isTurnBusy(turn)) return;
  change(paneId, (pane) => editTurn(pane, turnId, text, makeId(), Date.now()));
  forgetUnsaved({ kind: 'edit', turnId });
}

/** Saves the text of a message, and of the same message in other panes. */
export function saveTurns(places: readonly TurnPlace[], text: TurnText): void {
  for (const { paneId, turnId } of places) saveTurn(paneId, turnId, text);
}

/** Inserts a new message after another one, or at the start (null). */
export function insertTurn(paneId: string, afterId: string | null, role: TurnRole, text: TurnText): void {
  const turn = toTurn({ ...text, id: makeId(), role, answerId: makeId(), now: Date.now() });
  change(paneId, (pane) => insertTurns(pane, afterId, [turn]));
}

/** Deletes one message, never those after it. */
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

/** Removes an unanswered message and the empty answers after it. */
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

/** Joins the message with the next one, or separates them again. */
export const joinTurns = (paneId: string, turnId: string, isJoined: boolean): void =>
  change(paneId, (pane) => joinNext(pane, turnId, isJoined));
export const shiftTurn = (paneId: string, turnId: string, step: -1 | 1): void =>
  change(paneId, (pane) => moveTurn(pane, turnId, step));
export const chooseVersion = (paneId: string, turnId: string, shown: number): void =>
  change(paneId, (pane) => showVersion(pane, turnId, shown));
