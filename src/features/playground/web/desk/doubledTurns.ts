// Finds two user messages with no answer between them, and offers what a person can do about it. They arise when an
// answer was stopped or empty. Chat templates such as Gemma's and Mistral's refuse them. Pure.
import { findDoubledEnd, turnsBefore } from './conversation.ts';
import { hasContent, isBusy, panePhase, shownAnswer, type Pane, type Turn, type UserTurn } from './desk.ts';
import { nextTakenOver } from './turns.ts';

const DRAFT: UserTurn = { id: '', role: 'user', content: '' };

/** The turns that Run or Retry would send: with the draft if there is one, else without an unfinished last answer. */
function toNextTurns({ turns }: Pane, hasDraft: boolean): readonly Turn[] {
  if (hasDraft) return [...turns, DRAFT];
  const last = turns.at(-1);
  return last?.role === 'assistant' && shownAnswer(last).phase !== 'done' ? turnsBefore(turns, last.id) : turns;
}

/**
 * If the pane's next request would end with two user messages, the first of them. Null if not, if nothing is sent now,
 * or if each message is sent alone.
 */
export function findDoubledTurn(pane: Pane, hasDraft: boolean, isAlone = false): UserTurn | null {
  if (isAlone) return null;
  // Questions that were taken over are answered one by one first.
  if (isBusy(panePhase(pane)) || nextTakenOver(pane) !== null) return null;
  return findDoubledEnd(toNextTurns(pane, hasDraft));
}

/** Joins the message with the next one, or separates them again. */
export function joinNext(pane: Pane, turnId: string, isJoined: boolean): Pane {
  const index = pane.turns.findIndex(({ id }) => id === turnId);
  const turn = pane.turns[index];
  if (turn?.role !== 'user' || (turn.joinsNext === true) === isJoined) return pane;
  const { joinsNext: _old, ...plain } = turn;
  return { ...pane, turns: pane.turns.with(index, isJoined ? { ...plain, joinsNext: true } : plain) };
}

/** A message and the empty answers right after it. */
export function findUnanswered({ turns }: Pane, turnId: string): readonly Turn[] {
  const from = turns.findIndex(({ id }) => id === turnId);
  if (from < 0) return [];
  let end = from + 1;
  for (; end < turns.length; end += 1) {
    const turn = turns[end];
    if (turn?.role !== 'assistant' || turn.versions.some(({ message }) => hasContent(message))) break;
  }
  return turns.slice(from, end);
}
