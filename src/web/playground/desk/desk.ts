// The playground's state as plain data, and the pure steps on panes and answers. Ids and times come in as arguments.
// Desk > panes > turns > versions of an answer; settings are shared (Desk.shared) unless a pane has them (Pane.own).
// Edits of a conversation: turns.ts. Which panes there are: panes.ts.
import { EMPTY_MESSAGE, type AssistantMessage } from '#shared/stream/message.ts';
import {
  linkSettings,
  mergeSettings,
  patchSettings,
  splitPatch,
  unlinkSettings,
  type OwnSettings,
  type SettingName,
  type Settings,
} from './settings.ts';
import type { Unsaved } from './unsaved.ts';

/** Where an answer stands; a pane without answers is `idle`. `queued`: it waits for a free connection. */
export type Phase = 'idle' | 'queued' | 'sending' | 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';
export type AnswerPhase = Exclude<Phase, 'idle'>;

export interface UserTurn {
  readonly id: string;
  readonly role: 'user';
  readonly content: string;
  /** Unix milliseconds; absent: it is as it was first written. */
  readonly editedAt?: number;
  /** Taken over from another model's conversation: it is to be answered before anything else is said. */
  readonly isTakenOver?: true;
  /**
   * Where no answer stands between, it is sent as one message with the next one of the user. A person has chosen it.
   */
  readonly joinsNext?: true;
}

/** What a tool gave back for a call of the answer before it. */
export interface ToolTurn {
  readonly id: string;
  readonly role: 'tool';
  readonly tool_call_id: string;
  /** The tool's name, for people; may be empty. */
  readonly name: string;
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

/** One answer of a model, or one that a person wrote. Whatever becomes of it, what arrived stays. */
export interface Answer {
  readonly id: string;
  /** The model that was asked; empty where a person wrote the answer. */
  readonly model: string;
  readonly phase: AnswerPhase;
  readonly message: AssistantMessage;
  readonly timing: AnswerTiming;
  readonly failure: AnswerFailure | null;
  /** Unix milliseconds. */
  readonly sentAt: number;
  /** Unix milliseconds of the next try, while the service has asked to wait. */
  readonly waitUntil: number | null;
  /** Samples that were asked for together share it. */
  readonly batch: string | null;
  /** The seed that was sent; null: none, the service drew one. */
  readonly seed: number | null;
  /** A person wrote or changed the text. */
  readonly isEdited: boolean;
  /** The tab was copied while another one was writing this: it holds as much as was written then. */
  readonly isCopied?: boolean;
  /** Given in copies: the id under which the record of the request is kept. */
  readonly recordId?: string;
  /** The record whose request was sent once more for this answer. */
  readonly repeats?: string;
  /** Key of the system prompt that was sent (promptKey.ts); absent: not known. */
  readonly promptKey?: string;
  /** Key of the schema that it was to be checked against then, sent or not (promptKey.ts); absent: not known. */
  readonly schemaKey?: string;
}

/** Where the record of an answer's request is kept. */
export const recordIdOf = ({ id, recordId }: Answer): string => recordId ?? id;

/** The place of an answer, with every version of it. Requests hold the version that is shown. */
export interface AnswerTurn {
  readonly id: string;
  readonly role: 'assistant';
  /** At least one, the oldest first. */
  readonly versions: readonly Answer[];
  /** Index of the version on show. */
  readonly shown: number;
}

/** There is no turn for the system prompt: it is a setting, and always the first message (SPEC 2.3). */
export type Turn = UserTurn | ToolTurn | AnswerTurn;

export interface Pane {
  readonly id: string;
  /** Empty: none chosen yet. */
  readonly model: string;
  /** Settings that are not linked to the shared ones. */
  readonly own: OwnSettings;
  readonly turns: readonly Turn[];
}

export interface Desk {
  readonly panes: readonly Pane[];
  /** Panes that left the view with their conversation; they come back with their model. */
  readonly parked: readonly Pane[];
  readonly draft: string;
  /** The settings of all panes, as far as they have none of their own. */
  readonly shared: Settings;
  /** What a person called the session; absent: it goes by its first message. */
  readonly title?: string;
  /** Values of the variables in the system prompt and the draft. */
  readonly values?: Values;
  /** Open editors and results of calls, each with what is written there. */
  readonly unsaved?: readonly Unsaved[];
}

/** By name. An empty text is a value. */
export type Values = Readonly<Record<string, string>>;

export const EMPTY_DESK: Desk = { panes: [], parked: [], draft: '', shared: {} };
export const EMPTY_TIMING: AnswerTiming = { firstMs: null, textMs: null, endMs: null };
/** Linked in everything: one object, so that it is easily compared. */
export const NO_OWN: OwnSettings = {};

export const toPane = (id: string, model: string): Pane => ({ id, model, own: NO_OWN, turns: [] });

interface PendingOptions {
  readonly batch?: string | null;
  readonly seed?: number | null;
  readonly repeats?: string | undefined;
  readonly promptKey?: string | undefined;
  readonly schemaKey?: string | undefined;
}

/** An answer of which nothing has arrived. */
export function toPendingAnswer(
  id: string,
  model: string,
  sentAt: number,
  { batch = null, seed = null, repeats, promptKey, schemaKey }: PendingOptions = {},
): Answer {
  const answer: Answer = {
    id,
    model,
    phase: 'sending',
    message: EMPTY_MESSAGE,
    timing: EMPTY_TIMING,
    failure: null,
    sentAt,
    waitUntil: null,
    batch,
    seed,
    isEdited: false,
  };
  return {
    ...answer,
    ...(repeats !== undefined && { repeats }),
    ...(promptKey !== undefined && { promptKey }),
    ...(schemaKey !== undefined && { schemaKey }),
  };
}

/** An answer that a person writes. */
export function toWrittenAnswer(id: string, text: string, now: number): Answer {
  const message: AssistantMessage = { ...EMPTY_MESSAGE, text, state: 'complete' };
  return { ...toPendingAnswer(id, '', now), phase: 'done', message, isEdited: true };
}

export const toAnswerTurn = (id: string, versions: readonly Answer[]): AnswerTurn => ({
  id,
  role: 'assistant',
  versions,
  shown: versions.length - 1,
});

/** The version on show. */
export function shownAnswer(turn: AnswerTurn): Answer {
  const answer = turn.versions[turn.shown] ?? turn.versions.at(-1);
  if (!answer) throw new Error('An answer without a version.');
  return answer;
}

export function isBusy(phase: Phase): boolean {
  return phase === 'queued' || phase === 'sending' || phase === 'streaming';
}

/** Something of the answer has arrived. */
export function hasContent({ text, reasoning, toolCalls }: AssistantMessage): boolean {
  return text !== '' || reasoning !== '' || toolCalls.length > 0;
}

/** Said wherever something can't be done now. */
export const BUSY_REASON = 'An answer is on its way. Wait for it or stop it.';
export const NO_MODEL_REASON = 'Choose a model first.';

export function lastAnswer(pane: Pane): Answer | null {
  const turn = pane.turns.at(-1);
  return turn?.role === 'assistant' ? shownAnswer(turn) : null;
}

/** It failed or broke off. A copy of one that another tab goes on with did neither. */
export const isBroken = ({ phase, isCopied }: Answer): boolean =>
  phase === 'failed' || (phase === 'interrupted' && isCopied !== true);

/** The last answer failed or broke off, and can be asked for again. */
export function isFailed(pane: Pane): boolean {
  const answer = lastAnswer(pane);
  return answer !== null && isBroken(answer) && pane.model.trim() !== '';
}

const ACTIVITY: readonly AnswerPhase[] = ['streaming', 'sending', 'queued'];

function readPhase(pane: Pane): Phase {
  let liveliest: AnswerPhase | null = null;
  for (const turn of pane.turns) {
    if (turn.role !== 'assistant') continue;
    for (const { phase } of turn.versions) {
      if (isBusy(phase) && (liveliest === null || ACTIVITY.indexOf(phase) < ACTIVITY.indexOf(liveliest)))
        liveliest = phase;
    }
  }
  return liveliest ?? lastAnswer(pane)?.phase ?? 'idle';
}

const phases = new WeakMap<Pane, Phase>();

/** While any version of any answer is on its way, the liveliest phase; else that of the pane's last answer. */
export function panePhase(pane: Pane): Phase {
  // Every message of a long conversation asks.
  const known = phases.get(pane);
  if (known) return known;
  const phase = readPhase(pane);
  phases.set(pane, phase);
  return phase;
}

/** Why the pane can't ask for anything now; null when it can. */
export function findPaneBlocker(pane: Pane): string | null {
  if (pane.model.trim() === '') return NO_MODEL_REASON;
  return isBusy(panePhase(pane)) ? BUSY_REASON : null;
}

/** What the pane's requests are made with. The same desk gives the same object. */
export function paneSettings(desk: Desk, pane: Pane): Settings {
  return mergeSettings(desk.shared, pane.own);
}

export function findPane(desk: Desk, paneId: string): Pane | null {
  return desk.panes.find((pane) => pane.id === paneId) ?? desk.parked.find((pane) => pane.id === paneId) ?? null;
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

/** Changes one version of an answer, wherever in the pane it stands. */
export function changeAnswer(desk: Desk, paneId: string, answerId: string, patch: Partial<Answer>): Desk {
  return changePane(desk, paneId, (pane) => {
    const index = pane.turns.findLastIndex(
      (turn) => turn.role === 'assistant' && turn.versions.some((answer) => answer.id === answerId),
    );
    const turn = pane.turns[index];
    if (turn?.role !== 'assistant') return pane;
    const versions = turn.versions.map((answer) => (answer.id === answerId ? { ...answer, ...patch } : answer));
    return { ...pane, turns: pane.turns.with(index, { ...turn, versions }) };
  });
}

/** Sets what the pane uses: its own settings where it has them, the shared ones elsewhere. */
export function changeSettings(desk: Desk, paneId: string, patch: Settings): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane) return desk;
  const { shared, own } = splitPatch(pane.own, patch);
  const next = own === pane.own ? desk : changePane(desk, paneId, () => ({ ...pane, own }));
  return Object.keys(shared).length === 0 ? next : { ...next, shared: patchSettings(desk.shared, shared) };
}

/** Sets what all panes share; a pane's own settings stay. */
export function changeShared(desk: Desk, patch: Settings): Desk {
  return { ...desk, shared: patchSettings(desk.shared, patch) };
}

/** Unlinking starts from the shared values; linking again takes them over. */
export function linkPane(desk: Desk, paneId: string, names: readonly SettingName[], isLinked: boolean): Desk {
  return changePane(desk, paneId, (pane) => {
    const own = isLinked ? linkSettings(pane.own, names) : unlinkSettings(desk.shared, pane.own, names);
    return { ...pane, own };
  });
}

/** Whatever of the turn is on its way counts as over; its text stays. */
export function settleTurn(turn: Turn, phase: 'stopped' | 'interrupted', isCopied = false): Turn {
  if (turn.role !== 'assistant' || !turn.versions.some((answer) => isBusy(answer.phase))) return turn;
  const settle = (answer: Answer): Answer =>
    isBusy(answer.phase) ? { ...answer, phase, waitUntil: null, failure: null, ...(isCopied && { isCopied }) } : answer;
  return { ...turn, versions: turn.versions.map(settle) };
}

/**
 * Answers that were on their way when the page went are interrupted. `isCopy`: the desk is another tab's, which goes on
 * with them.
 */
export function interruptAnswers(desk: Desk, isCopy = false): Desk {
  const mend = (pane: Pane): Pane => ({
    ...pane,
    turns: pane.turns.map((turn) => settleTurn(turn, 'interrupted', isCopy)),
  });
  return { ...desk, panes: desk.panes.map(mend), parked: desk.parked.map(mend) };
}
