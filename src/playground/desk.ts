// The playground's state as plain data and the pure steps that change it. Ids and times come in as arguments.
// It must not know requests, storage or React.
import type { ChatParameters } from '../api/chatParameters';
import { EMPTY_MESSAGE, type AssistantMessage } from '../stream/message';

/** Where an answer stands; a pane without answers is `idle`. `queued`: it waits for a free connection. */
export type Phase = 'idle' | 'queued' | 'sending' | 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';
export type AnswerPhase = Exclude<Phase, 'idle'>;

export interface UserTurn {
  readonly id: string;
  readonly role: 'user';
  readonly content: string;
}

/** Why an answer failed or broke off, in words that can be shown. */
export interface AnswerFailure {
  readonly message: string;
  readonly hint: string;
  readonly status: number | null;
  readonly code: string | null;
  /** The request field at fault, as a path such as `messages[1].role`. */
  readonly param: string | null;
  readonly requestId: string | null;
}

/** Milliseconds since the request was sent; null while not known. */
export interface AnswerTiming {
  readonly firstMs: number | null;
  /** When the first character of the answer proper came, after any reasoning. */
  readonly textMs: number | null;
  readonly endMs: number | null;
}

export interface AnswerTurn {
  readonly id: string;
  readonly role: 'assistant';
  /** The model that `message` came from. */
  readonly model: string;
  readonly phase: AnswerPhase;
  /** While a retry has not brought anything yet, this is the answer before it. */
  readonly message: AssistantMessage;
  readonly timing: AnswerTiming;
  readonly failure: AnswerFailure | null;
  /** Unix milliseconds. */
  readonly sentAt: number;
  /** Unix milliseconds of the next try, while the service has asked to wait. */
  readonly waitUntil: number | null;
}

export type Turn = UserTurn | AnswerTurn;

export interface Pane {
  readonly id: string;
  /** Empty: none chosen yet. */
  readonly model: string;
  /** Own parameters; null: linked to the shared ones. */
  readonly parameters: ChatParameters | null;
  readonly turns: readonly Turn[];
}

export interface Desk {
  readonly panes: readonly Pane[];
  /** Panes that left the view with their conversation; they come back with their model. */
  readonly parked: readonly Pane[];
  readonly draft: string;
  readonly systemPrompt: string;
  /** Shared by all linked panes. */
  readonly parameters: ChatParameters;
}

export const EMPTY_DESK: Desk = { panes: [], parked: [], draft: '', systemPrompt: '', parameters: {} };
export const EMPTY_TIMING: AnswerTiming = { firstMs: null, textMs: null, endMs: null };

export const toPane = (id: string, model: string): Pane => ({ id, model, parameters: null, turns: [] });

export function toPendingAnswer(id: string, model: string, sentAt: number): AnswerTurn {
  return { id, role: 'assistant', model, phase: 'sending', message: EMPTY_MESSAGE, timing: EMPTY_TIMING, failure: null, sentAt, waitUntil: null };
}

export function isBusy(phase: Phase): boolean {
  return phase === 'queued' || phase === 'sending' || phase === 'streaming';
}

export function lastAnswer(pane: Pane): AnswerTurn | null {
  const turn = pane.turns.at(-1);
  return turn?.role === 'assistant' ? turn : null;
}

export function panePhase(pane: Pane): Phase {
  return lastAnswer(pane)?.phase ?? 'idle';
}

export function paneParameters(desk: Desk, pane: Pane): ChatParameters {
  return pane.parameters ?? desk.parameters;
}

function mapPane(panes: readonly Pane[], paneId: string, change: (pane: Pane) => Pane): readonly Pane[] {
  const index = panes.findIndex((pane) => pane.id === paneId);
  const pane = panes[index];
  if (!pane) return panes;
  const next = change(pane);
  return next === pane ? panes : panes.with(index, next);
}

/** Changes one pane, in view or parked. An unchanged pane leaves the desk as it is. */
export function changePane(desk: Desk, paneId: string, change: (pane: Pane) => Pane): Desk {
  const panes = mapPane(desk.panes, paneId, change);
  if (panes !== desk.panes) return { ...desk, panes };
  const parked = mapPane(desk.parked, paneId, change);
  return parked === desk.parked ? desk : { ...desk, parked };
}

export function appendTurns(desk: Desk, paneId: string, turns: readonly Turn[]): Desk {
  return changePane(desk, paneId, (pane) => ({ ...pane, turns: [...pane.turns, ...turns] }));
}

export function changeAnswer(desk: Desk, paneId: string, answerId: string, patch: Partial<AnswerTurn>): Desk {
  return changePane(desk, paneId, (pane) => {
    const index = pane.turns.findLastIndex((turn) => turn.id === answerId);
    const turn = pane.turns[index];
    if (turn?.role !== 'assistant') return pane;
    return { ...pane, turns: pane.turns.with(index, { ...turn, ...patch }) };
  });
}

/** Replaces the parameters that the pane uses: the shared ones while it is linked. */
export function changeParameters(desk: Desk, paneId: string, patch: ChatParameters): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane) return desk;
  if (pane.parameters === null) return { ...desk, parameters: { ...desk.parameters, ...patch } };
  return changePane(desk, paneId, () => ({ ...pane, parameters: { ...pane.parameters, ...patch } }));
}

/** Unlinking starts from the shared values; linking again takes them over. */
export function linkPane(desk: Desk, paneId: string, isLinked: boolean): Desk {
  return changePane(desk, paneId, (pane) => ({ ...pane, parameters: isLinked ? null : { ...desk.parameters } }));
}

/** An answer that was on its way when the page went is marked interrupted; its text stays. */
export function interruptAnswers(desk: Desk): Desk {
  const settle = (turn: Turn): Turn =>
    turn.role === 'assistant' && isBusy(turn.phase) ? { ...turn, phase: 'interrupted', waitUntil: null, failure: null } : turn;
  const mend = (pane: Pane): Pane => ({ ...pane, turns: pane.turns.map(settle) });
  return { ...desk, panes: desk.panes.map(mend), parked: desk.parked.map(mend) };
}
