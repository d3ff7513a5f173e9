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
  type Desk,
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

// Finds the same message in other panes, so that one edit can change all. Pure.

export interface TurnPlace {
  readonly paneId: string;
  readonly turnId: string;
}

const userTurns = (turns: readonly Turn[]) => turns.filter((turn) => turn.role === 'user');

/** The messages of other panes on show with the same text at the same place among their users' messages. */
export function findSameMessages({ panes }: Desk, paneId: string, turnId: string): readonly TurnPlace[] {
  const own = userTurns(panes.find((pane) => pane.id === paneId)?.turns ?? []);
  const place = own.findIndex((turn) => turn.id === turnId);
  const turn = own[place];
  if (!turn) return [];
  return panes.flatMap((pane) => {
    const other = pane.id === paneId ? undefined : userTurns(pane.turns)[place];
    return other?.content === turn.content ? [{ paneId: pane.id, turnId: other.id }] : [];
  });
}

// Finds where a run from the middle of a conversation puts its answer, and undoes such a run. Pure.

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
