// The playground's state as plain data, and the pure steps on panes and answers. Ids and times come in as arguments.
// Desk > panes > turns > versions of an answer; settings are shared (Desk.shared) unless a pane has them (Pane.own).
// Edits of a conversation: turns.ts. Which panes there are: panes.ts.
import { EMPTY_MESSAGE, type AssistantMessage } from '#core/stream/message.ts';
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

/** The state of an answer; a pane without answers is `idle`. `queued`: it waits for a free connection. */
export type Phase = 'idle' | 'queued' | 'sending' | 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';
export type AnswerPhase = Exclude<Phase, 'idle'>;

export interface UserTurn {
  readonly id: string;
  readonly role: 'user';
  readonly content: string;
  /** Unix milliseconds; absent: never edited. */
  readonly editedAt?: number;
  /** Copied from another model's conversation. It must be answered before anything new is sent. */
  readonly isTakenOver?: true;
  /** A person chose to send this and the next user message as one, as long as no answer is between them. */
  readonly joinsNext?: true;
}

/** The result of a tool call in the answer before it. */
export interface ToolTurn {
  readonly id: string;
  readonly role: 'tool';
  readonly tool_call_id: string;
  /** The tool's name, for people; may be empty. */
  readonly name: string;
  readonly content: string;
}

/** Why an answer failed or was interrupted, in words that can be shown. */
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
  /** When the first character of the text arrived, after any reasoning. */
  readonly textMs: number | null;
  readonly endMs: number | null;
}

/** One answer of a model, or one that a person wrote. Text that arrived stays, however the answer ends. */
export interface Answer {
  readonly id: string;
  /** The model of the request; empty if a person wrote the answer. */
  readonly model: string;
  readonly phase: AnswerPhase;
  readonly message: AssistantMessage;
  readonly timing: AnswerTiming;
  readonly failure: AnswerFailure | null;
  /** Unix milliseconds. */
  readonly sentAt: number;
  /** Unix milliseconds of the next attempt while the service's rate limit makes us wait; else null. */
  readonly waitUntil: number | null;
  /** Shared by all samples of one set. */
  readonly batch: string | null;
  /** The seed that was sent; null: none, the service chose one. */
  readonly seed: number | null;
  /** A person wrote or changed the text. */
  readonly isEdited: boolean;
  /** The tab was duplicated while the original streamed this answer. The text is what had arrived by then. */
  readonly isCopied?: boolean;
  /** Only in copies: the id of the record of the request. */
  readonly recordId?: string;
  /** The id of the record whose request was repeated for this answer. */
  readonly repeats?: string;
  /** Key of the system prompt that was sent (promptKey.ts); absent: unknown. */
  readonly promptKey?: string;
  /** Key of the schema that the answer was checked against, even if it was not sent (promptKey.ts); absent: unknown. */
  readonly schemaKey?: string;
}

/** The id of the record of an answer's request. */
export const recordIdOf = ({ id, recordId }: Answer): string => recordId ?? id;

/** All versions of an answer in one turn. Requests hold the shown version. */
export interface AnswerTurn {
  readonly id: string;
  readonly role: 'assistant';
  /** At least one, the oldest first. */
  readonly versions: readonly Answer[];
  /** Index of the version on show. */
  readonly shown: number;
}

/** The system prompt has no turn: it is a setting, and always the first message (SPEC 2.3). */
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
  /** Closed panes with a conversation. They come back when their model does. */
  readonly parked: readonly Pane[];
  readonly draft: string;
  /** The settings that panes use unless they have their own. */
  readonly shared: Settings;
  /** Each message is sent without the ones before it, as to a model that was trained on single questions. */
  readonly isAlone?: true;
  /** The title that a person gave; absent: the first message serves as title. */
  readonly title?: string;
  /** Values of the variables in the system prompt and the draft. */
  readonly values?: Values;
  /** Texts in open editors and in the fields for tool results. */
  readonly unsaved?: readonly Unsaved[];
}

/** By name. An empty text is a value. */
export type Values = Readonly<Record<string, string>>;

export const EMPTY_DESK: Desk = { panes: [], parked: [], draft: '', shared: {} };
export const EMPTY_TIMING: AnswerTiming = { firstMs: null, textMs: null, endMs: null };
/** No own settings. One shared object, so that it compares by identity. */
export const NO_OWN: OwnSettings = {};

export const toPane = (id: string, model: string): Pane => ({ id, model, own: NO_OWN, turns: [] });

interface PendingOptions {
  readonly batch?: string | null;
  readonly seed?: number | null;
  readonly repeats?: string | undefined;
  readonly promptKey?: string | undefined;
  readonly schemaKey?: string | undefined;
}

/** An answer before anything has arrived. */
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

/** Whether anything of the answer has arrived. */
export function hasContent({ text, reasoning, toolCalls }: AssistantMessage): boolean {
  return text !== '' || reasoning !== '' || toolCalls.length > 0;
}

export const BUSY_REASON = 'An answer is being generated. Wait for it or stop it.';
export const NO_MODEL_REASON = 'Choose a model first.';

export function lastAnswer(pane: Pane): Answer | null {
  const turn = pane.turns.at(-1);
  return turn?.role === 'assistant' ? shownAnswer(turn) : null;
}

/** The answer failed or was interrupted. A copy of an answer that another tab still streams doesn't count. */
export const isBroken = ({ phase, isCopied }: Answer): boolean =>
  phase === 'failed' || (phase === 'interrupted' && isCopied !== true);

/** The last answer failed or was interrupted, and the pane has a model to retry it with. */
export function isFailed(pane: Pane): boolean {
  const answer = lastAnswer(pane);
  return answer !== null && isBroken(answer) && pane.model.trim() !== '';
}

/** The most active phase first. */
const ACTIVITY: readonly AnswerPhase[] = ['streaming', 'sending', 'queued'];

function readPhase(pane: Pane): Phase {
  let mostActive: AnswerPhase | null = null;
  for (const turn of pane.turns) {
    if (turn.role !== 'assistant') continue;
    for (const { phase } of turn.versions) {
      if (isBusy(phase) && (mostActive === null || ACTIVITY.indexOf(phase) < ACTIVITY.indexOf(mostActive)))
        mostActive = phase;
    }
  }
  return mostActive ?? lastAnswer(pane)?.phase ?? 'idle';
}

const phases = new WeakMap<Pane, Phase>();

/** The most active phase of any version on its way; else the phase of the pane's last answer. */
export function panePhase(pane: Pane): Phase {
  // Cached: every message of a long conversation reads the phase of its pane.
  const cached = phases.get(pane);
  if (cached) return cached;
  const phase = readPhase(pane);
  phases.set(pane, phase);
  return phase;
}

/** Why the pane can't send a request now; null when it can. */
export function findPaneBlocker(pane: Pane): string | null {
  if (pane.model.trim() === '') return NO_MODEL_REASON;
  return isBusy(panePhase(pane)) ? BUSY_REASON : null;
}

/** The settings of the pane's requests. The same desk gives the same object. */
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

/** Changes one version of an answer, in any turn of the pane. */
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

/** Changes the pane's own settings where it has them, the shared ones elsewhere. */
export function changeSettings(desk: Desk, paneId: string, patch: Settings): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane) return desk;
  const { shared, own } = splitPatch(pane.own, patch);
  const next = own === pane.own ? desk : changePane(desk, paneId, () => ({ ...pane, own }));
  return Object.keys(shared).length === 0 ? next : { ...next, shared: patchSettings(desk.shared, shared) };
}

/** Changes the shared settings; a pane's own settings stay. */
export function changeShared(desk: Desk, patch: Settings): Desk {
  return { ...desk, shared: patchSettings(desk.shared, patch) };
}

/** Unlinking copies the shared values into the pane; linking drops the pane's own values. */
export function linkPane(desk: Desk, paneId: string, names: readonly SettingName[], isLinked: boolean): Desk {
  return changePane(desk, paneId, (pane) => {
    const own = isLinked ? linkSettings(pane.own, names) : unlinkSettings(desk.shared, pane.own, names);
    return { ...pane, own };
  });
}

/** Ends the versions of the turn that are on their way; their text stays. */
export function settleTurn(turn: Turn, phase: 'stopped' | 'interrupted', isCopied = false): Turn {
  if (turn.role !== 'assistant' || !turn.versions.some((answer) => isBusy(answer.phase))) return turn;
  const settle = (answer: Answer): Answer =>
    isBusy(answer.phase) ? { ...answer, phase, waitUntil: null, failure: null, ...(isCopied && { isCopied }) } : answer;
  return { ...turn, versions: turn.versions.map(settle) };
}

/**
 * Marks answers that were on their way when the page closed as interrupted. `isCopy`: the desk belongs to another tab,
 * which still streams them.
 */
export function interruptAnswers(desk: Desk, isCopy = false): Desk {
  const interrupt = (pane: Pane): Pane => ({
    ...pane,
    turns: pane.turns.map((turn) => settleTurn(turn, 'interrupted', isCopy)),
  });
  return { ...desk, panes: desk.panes.map(interrupt), parked: desk.parked.map(interrupt) };
}
