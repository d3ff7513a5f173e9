// Pure steps that edit one conversation. Ids and times come in as arguments. Steps across panes: panes.ts.
import {
  hasContent,
  isBusy,
  recordIdOf,
  settleTurn,
  shownAnswer,
  toAnswerTurn,
  toWrittenAnswer,
  type Answer,
  type AnswerTurn,
  type Pane,
  type ToolTurn,
  type Turn,
  type UserTurn,
} from './desk.ts';
import { toSentTurns } from './conversation.ts';
import type { TurnRole, TurnText } from './unsaved.ts';

interface NewTurn extends TurnText {
  readonly id: string;
  readonly role: TurnRole;
  /** Id of the version, for an answer. */
  readonly answerId: string;
  readonly now: number;
}

/** A turn that a person writes. */
export function toTurn({ id, role, content, name = '', tool_call_id = '', answerId, now }: NewTurn): Turn {
  if (role === 'user') return { id, role, content };
  if (role === 'tool') return { id, role, content, name, tool_call_id };
  return toAnswerTurn(id, [toWrittenAnswer(answerId, content, now)]);
}

/** The text that the editor starts with. */
export function turnText(turn: Turn): TurnText {
  return turn.role === 'assistant' ? { content: shownAnswer(turn).message.text } : turn;
}

export const isTurnBusy = (turn: Turn): boolean =>
  turn.role === 'assistant' && turn.versions.some(({ phase }) => isBusy(phase));

function changeTurn(pane: Pane, turnId: string, change: (turn: Turn) => Turn): Pane {
  const index = pane.turns.findIndex((turn) => turn.id === turnId);
  const turn = pane.turns[index];
  if (!turn) return pane;
  const next = change(turn);
  return next === turn ? pane : { ...pane, turns: pane.turns.with(index, next) };
}

/** Puts a turn back in the place of the one with its id. */
export const putTurn = (pane: Pane, turn: Turn): Pane => changeTurn(pane, turn.id, () => turn);

/**
 * Adds the edited answer as a new version, so the model's text stays. A version that a person wrote changes in place.
 */
function editAnswer(turn: AnswerTurn, content: string, answerId: string): AnswerTurn {
  const shown = shownAnswer(turn);
  if (shown.message.text === content) return turn;
  const edited: Answer = {
    ...shown,
    phase: 'done',
    failure: null,
    waitUntil: null,
    isEdited: true,
    // Incomplete calls stay unusable: the edit doesn't complete them.
    message: {
      ...shown.message,
      text: content,
      state: 'complete',
      problem: null,
      toolCalls: shown.message.state === 'complete' ? shown.message.toolCalls : [],
    },
  };
  if (shown.isEdited) return { ...turn, versions: turn.versions.with(turn.shown, edited) };
  const versions = turn.versions.toSpliced(turn.shown + 1, 0, { ...edited, id: answerId, batch: null });
  return { ...turn, versions, shown: turn.shown + 1 };
}

/** Changes the text of a turn; not while an answer is on its way. `now` marks earlier answers as outdated. */
export function editTurn(pane: Pane, turnId: string, text: TurnText, answerId: string, now?: number): Pane {
  return changeTurn(pane, turnId, (turn) => {
    if (isTurnBusy(turn)) return turn;
    if (turn.role === 'assistant') return editAnswer(turn, text.content, answerId);
    if (turn.role === 'user')
      return turn.content === text.content
        ? turn
        : { ...turn, content: text.content, ...(now !== undefined && { editedAt: now }) };
    const next: ToolTurn = {
      ...turn,
      content: text.content,
      name: text.name ?? turn.name,
      tool_call_id: text.tool_call_id ?? turn.tool_call_id,
    };
    return next.content === turn.content && next.name === turn.name && next.tool_call_id === turn.tool_call_id
      ? turn
      : next;
  });
}

/**
 * A message above the answer was edited after the answer's request was sent. Retried samples repeat the request of
 * their set, so the first sample's time counts.
 */
export function isAnswerToEarlierText(
  turns: readonly Turn[],
  turnId: string,
  { batch, sentAt }: Answer,
  isAlone = false,
): boolean {
  const end = turns.findIndex((turn) => turn.id === turnId);
  const turn = turns[end];
  const set =
    batch !== null && turn?.role === 'assistant' ? turn.versions.filter((answer) => answer.batch === batch) : [];
  const requestedAt = Math.min(sentAt, ...set.map((answer) => answer.sentAt));
  return toSentTurns(turns.slice(0, Math.max(0, end)), isAlone).some(
    (each) => each.role === 'user' && each.editedAt !== undefined && each.editedAt > requestedAt,
  );
}

interface TakenOver {
  readonly question: UserTurn;
  /** The turn of an answer that ended without text; null: there is none yet. */
  readonly place: AnswerTurn | null;
  /** No other turn follows. */
  readonly isLast: boolean;
}

/** The shown version is complete, or it ended with some content. */
function isAnswered(turn: AnswerTurn): boolean {
  const { phase, message } = shownAnswer(turn);
  return phase === 'done' || (!isBusy(phase) && hasContent(message));
}

/** The first question taken over from another conversation that has no answer; null: all have one. */
export function nextTakenOver({ turns }: Pane): TakenOver | null {
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'user' || turn.isTakenOver !== true) continue;
    const next = turns[index + 1];
    const place = next?.role === 'assistant' ? next : null;
    if (place === null || !isAnswered(place))
      return { question: turn, place, isLast: index + (place ? 2 : 1) === turns.length };
  }
  return null;
}

/** Removes the mark from a question that was taken over, once it has its answer. */
export function settleTakenOver(pane: Pane, turnId: string): Pane {
  return changeTurn(pane, turnId, (turn) => {
    if (turn.role !== 'user') return turn;
    const { isTakenOver: _removed, ...plain } = turn;
    return plain;
  });
}

/** Inserts turns after the turn `afterId`; null: at the start; if that turn is missing: at the end. */
export function insertTurns(pane: Pane, afterId: string | null, turns: readonly Turn[]): Pane {
  if (turns.length === 0) return pane;
  const found = pane.turns.findIndex((turn) => turn.id === afterId);
  const at = afterId === null ? 0 : found < 0 ? pane.turns.length : found + 1;
  return { ...pane, turns: pane.turns.toSpliced(at, 0, ...turns) };
}

/** Removes one turn; the others stay. */
export function deleteTurn(pane: Pane, turnId: string): Pane {
  const turns = pane.turns.filter((turn) => turn.id !== turnId);
  return turns.length === pane.turns.length ? pane : { ...pane, turns };
}

/** Id of the turn before; null for the first turn and for a missing one. */
export function turnIdBefore(pane: Pane, turnId: string): string | null {
  const index = pane.turns.findIndex((turn) => turn.id === turnId);
  return pane.turns[index - 1]?.id ?? null;
}

/** Swaps the turn with the one before (-1) or after (1) it. At the edge nothing happens. */
export function moveTurn(pane: Pane, turnId: string, step: -1 | 1): Pane {
  const from = pane.turns.findIndex((turn) => turn.id === turnId);
  const [turn, other] = [pane.turns[from], pane.turns[from + step]];
  if (!turn || !other) return pane;
  return { ...pane, turns: pane.turns.with(from, other).with(from + step, turn) };
}

/** Shows another version of an answer. */
export function showVersion(pane: Pane, turnId: string, shown: number): Pane {
  return changeTurn(pane, turnId, (turn) => {
    if (turn.role !== 'assistant' || shown === turn.shown || !turn.versions[shown]) return turn;
    return { ...turn, shown };
  });
}

/**
 * Adds versions and shows the first of them. Versions that ended without content are dropped, unless another sample of
 * their set has content: then they can still be retried.
 */
export function addVersions(pane: Pane, turnId: string, added: readonly Answer[]): Pane {
  return changeTurn(pane, turnId, (turn) => {
    if (turn.role !== 'assistant' || added.length === 0) return turn;
    const isUseful = ({ phase, message }: Answer): boolean => isBusy(phase) || phase === 'done' || hasContent(message);
    const sets = new Set(turn.versions.filter(isUseful).flatMap(({ batch }) => batch ?? []));
    const remaining = turn.versions.filter(
      (answer) => isUseful(answer) || (answer.batch !== null && sets.has(answer.batch)),
    );
    return { ...turn, versions: [...remaining, ...added], shown: remaining.length };
  });
}

/** Copies the turns up to and including `untilId` (null: all), with new ids; answers on their way become stopped. */
export function copyTurns(turns: readonly Turn[], untilId: string | null, makeId: () => string): readonly Turn[] {
  const renew = <T extends Turn>(turn: T): T => ({ ...turn, id: makeId() });
  const renewAnswer = (answer: Answer): Answer => ({ ...answer, id: makeId(), recordId: recordIdOf(answer) });
  const copy = (turn: Turn): Turn =>
    renew(turn.role === 'assistant' ? { ...turn, versions: turn.versions.map(renewAnswer) } : turn);
  const end = untilId === null ? turns.length : turns.findIndex((turn) => turn.id === untilId) + 1;
  return turns.slice(0, end).map((turn) => copy(settleTurn(turn, 'stopped')));
}

/** Cuts off the turns after `turnId`. */
export function cutAfter(pane: Pane, turnId: string): { readonly pane: Pane; readonly rest: readonly Turn[] } {
  const end = pane.turns.findIndex((turn) => turn.id === turnId) + 1;
  if (end === 0 || end === pane.turns.length) return { pane, rest: [] };
  return { pane: { ...pane, turns: pane.turns.slice(0, end) }, rest: pane.turns.slice(end) };
}
