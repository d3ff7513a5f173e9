// Finds where a run from the middle of a conversation puts its answer, and undoes such a run. Pure.
import { shownAnswer, type AnswerTurn, type Pane, type Turn } from './desk.ts';
import { cutAfter, insertTurns } from './turns.ts';

interface RunPlace {
  readonly pane: Pane;
  /** The answer turn of the run: an existing one, or a new one without versions yet. */
  readonly answer: AnswerTurn;
  /** The turns after it. The run removes them; undo needs them. */
  readonly rest: readonly Turn[];
}

/**
 * Finds where a run from a turn puts its answer: in the next answer turn, or in a new turn after the message and its
 * tool results. Null after a last answer: there is nothing to answer.
 */
export function toRunPlace(pane: Pane, turnId: string, newId: string): RunPlace | null {
  const from = pane.turns.findIndex((turn) => turn.id === turnId);
  const turn = pane.turns[from];
  if (!turn) return null;
  let at = from + 1;
  while (
    turn.role === 'assistant' ? (pane.turns[at]?.role ?? 'assistant') !== 'assistant' : pane.turns[at]?.role === 'tool'
  )
    at += 1;
  const next = pane.turns[at];
  if (next?.role === 'assistant')
    return at === from + 1 && turn.role === 'assistant' ? null : { ...cutAfter(pane, next.id), answer: next };
  if (turn.role === 'assistant' && at === from + 1) return null;
  const answer: AnswerTurn = { id: newId, role: 'assistant', versions: [], shown: 0 };
  return { pane: { ...pane, turns: [...pane.turns.slice(0, at), answer] }, answer, rest: pane.turns.slice(at) };
}

interface UndoableRun {
  /** The message that the run started from, before its edit. */
  readonly edited: Turn;
  /** The answer turn before the run; undefined: there was none. */
  readonly old: Turn | undefined;
  readonly answerId: string;
  readonly rest: readonly Turn[];
}

/** Restores the message, the shown version and the removed turns. The new answer stays as a version. */
export function undoRun(pane: Pane, { edited, old, answerId, rest }: UndoableRun): Pane {
  const shownId = old?.role === 'assistant' ? shownAnswer(old).id : null;
  const turns = pane.turns.map((turn): Turn => {
    if (turn.id === edited.id) return edited;
    if (turn.id !== answerId || turn.role !== 'assistant' || shownId === null) return turn;
    const shown = turn.versions.findIndex((answer) => answer.id === shownId);
    return shown < 0 ? turn : { ...turn, shown };
  });
  return insertTurns({ ...pane, turns }, answerId, rest);
}
