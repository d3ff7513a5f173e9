// Two messages of a user with no answer between them, since that one was stopped or empty: templates such as Gemma's
// and Mistral's refuse them. Found before they are sent, and what a person can do about it. Pure.
import { findDoubledEnd, turnsBefore } from './conversation.ts';
import { hasContent, isBusy, panePhase, shownAnswer, type Pane, type Turn, type UserTurn } from './desk.ts';
import { nextTakenOver } from './turns.ts';

const DRAFT: UserTurn = { id: '', role: 'user', content: '' };

/** What Run or Retry would send: the draft, if there is one, else what stands before an answer that came to nothing. */
function toNextTurns({ turns }: Pane, hasDraft: boolean): readonly Turn[] {
  if (hasDraft) return [...turns, DRAFT];
  const last = turns.at(-1);
  return last?.role === 'assistant' && shownAnswer(last).phase !== 'done' ? turnsBefore(turns, last.id) : turns;
}

/**
 * The earlier of two messages that the pane's next request would end with; null: there are none, or nothing is sent
 * now.
 */
export function findDoubledTurn(pane: Pane, hasDraft: boolean): UserTurn | null {
  // Questions that were taken over get their answers before anything else is asked.
  if (isBusy(panePhase(pane)) || nextTakenOver(pane) !== null) return null;
  return findDoubledEnd(toNextTurns(pane, hasDraft));
}

/** The message is sent as one with the next, or as one of its own again. */
export function joinNext(pane: Pane, turnId: string, isJoined: boolean): Pane {
  const index = pane.turns.findIndex(({ id }) => id === turnId);
  const turn = pane.turns[index];
  if (turn?.role !== 'user' || (turn.joinsNext === true) === isJoined) return pane;
  const { joinsNext: _old, ...plain } = turn;
  return { ...pane, turns: pane.turns.with(index, isJoined ? { ...plain, joinsNext: true } : plain) };
}

/** A message and the answers right behind it that say nothing. */
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
