// Where a run from the middle of a conversation puts its answer, and how such a run is taken back. Pure.
import { shownAnswer, type AnswerTurn, type Pane, type Turn } from './desk.ts';
import { cutAfter, insertTurns } from './turns.ts';

interface RunPlace {
  readonly pane: Pane;
  /** The answer that is asked for: one that stands there, or a new one without versions yet. */
  readonly answer: AnswerTurn;
  /** What stood behind it; taken off, for whoever wants it back. */
  readonly rest: readonly Turn[];
}

/**
 * Where a run from a turn puts its answer: behind a message (and further tool results), or in place of the next answer.
 * Null where there is nothing to answer: behind an answer that stands last.
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

interface RunTaken {
  /** The message that was run from, as it was before. */
  readonly edited: Turn;
  /** The answer in whose place the new one came; undefined: there was none. */
  readonly old: Turn | undefined;
  readonly answerId: string;
  readonly rest: readonly Turn[];
}

/** Brings back the message, the version that was shown and what stood behind. The new answer stays as a version. */
export function undoRun(pane: Pane, { edited, old, answerId, rest }: RunTaken): Pane {
  const shownId = old?.role === 'assistant' ? shownAnswer(old).id : null;
  const turns = pane.turns.map((turn): Turn => {
    if (turn.id === edited.id) return edited;
    if (turn.id !== answerId || turn.role !== 'assistant' || shownId === null) return turn;
    const shown = turn.versions.findIndex((answer) => answer.id === shownId);
    return shown < 0 ? turn : { ...turn, shown };
  });
  return insertTurns({ ...pane, turns }, answerId, rest);
}
