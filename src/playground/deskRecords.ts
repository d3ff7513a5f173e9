// The playground's state as stored records: one per conversation turn, so that only what changed is written.
// Pure. It must not know which database keeps them. Stored data is read like anyone's: nothing about it is trusted.
import { arrayOr, isObject, numberOr, textOr, type JsonObject } from '../contract/reading';
import { readParameters, type ChatParameters } from '../api/chatParameters';
import { EMPTY_MESSAGE, type AssistantMessage } from '../stream/message';
import { EMPTY_DESK, EMPTY_TIMING, interruptAnswers, type AnswerPhase, type AnswerTurn, type Desk, type Pane, type Turn } from './desk';

export interface StoredPane {
  readonly id: string;
  readonly model: string;
  readonly parameters: ChatParameters | null;
  readonly turnIds: readonly string[];
}

/** Everything but the turns. */
export interface StoredDesk {
  readonly version: 1;
  readonly panes: readonly StoredPane[];
  readonly parked: readonly StoredPane[];
  readonly draft: string;
  readonly systemPrompt: string;
  readonly parameters: ChatParameters;
}

export interface DeskChanges {
  /** null: what is stored besides the turns is still right. */
  readonly desk: StoredDesk | null;
  readonly turns: readonly Turn[];
  readonly removed: readonly string[];
}

const toStoredPane = ({ id, model, parameters, turns }: Pane): StoredPane => ({ id, model, parameters, turnIds: turns.map((turn) => turn.id) });

export function toStoredDesk(desk: Desk): StoredDesk {
  const { draft, systemPrompt, parameters } = desk;
  return { version: 1, panes: desk.panes.map(toStoredPane), parked: desk.parked.map(toStoredPane), draft, systemPrompt, parameters };
}

function allTurns(desk: Desk): Map<string, Turn> {
  return new Map([...desk.panes, ...desk.parked].flatMap((pane) => pane.turns.map((turn) => [turn.id, turn])));
}

function isSamePanes(a: readonly Pane[], b: readonly Pane[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((pane, index) => {
    const other = b[index];
    const isSameHead = other !== undefined && pane.id === other.id && pane.model === other.model && pane.parameters === other.parameters;
    return isSameHead && pane.turns.length === other.turns.length && pane.turns.every((turn, at) => turn.id === other.turns[at]?.id);
  });
}

/** What has to be written so that the stored `before` becomes `after`; null when nothing has. */
export function toChanges(before: Desk, after: Desk): DeskChanges | null {
  if (before === after) return null;
  const old = allTurns(before);
  const now = allTurns(after);
  const turns = [...now.values()].filter((turn) => old.get(turn.id) !== turn);
  const removed = [...old.keys()].filter((id) => !now.has(id));
  const isSameDesk =
    before.draft === after.draft && before.systemPrompt === after.systemPrompt && before.parameters === after.parameters &&
    isSamePanes(before.panes, after.panes) && isSamePanes(before.parked, after.parked);
  if (isSameDesk && turns.length === 0 && removed.length === 0) return null;
  return { desk: isSameDesk ? null : toStoredDesk(after), turns, removed };
}

const PHASES: ReadonlySet<string> = new Set<AnswerPhase>(['queued', 'sending', 'streaming', 'done', 'stopped', 'failed', 'interrupted']);
const STATES: ReadonlySet<string> = new Set<AssistantMessage['state']>(['open', 'complete', 'failed', 'interrupted']);

function parseUsage(value: unknown): AssistantMessage['usage'] {
  if (!isObject(value)) return null;
  const [completion_tokens, prompt_tokens, total_tokens] = ['completion_tokens', 'prompt_tokens', 'total_tokens'].map((name) => numberOr(value[name], null));
  return { completion_tokens: completion_tokens ?? null, prompt_tokens: prompt_tokens ?? null, total_tokens: total_tokens ?? null };
}

function parseMessage(value: unknown): AssistantMessage {
  if (!isObject(value)) return EMPTY_MESSAGE;
  const toolCalls = arrayOr(value['toolCalls']).filter(isObject).map((call) => ({
    id: textOr(call['id'], ''), name: textOr(call['name'], ''), arguments: textOr(call['arguments'], ''),
  }));
  const state = textOr(value['state'], 'interrupted');
  return {
    id: textOr(value['id'], null), model: textOr(value['model'], null), fingerprint: textOr(value['fingerprint'], null),
    created: numberOr(value['created'], null), text: textOr(value['text'], ''), reasoning: textOr(value['reasoning'], ''), toolCalls,
    usage: parseUsage(value['usage']), tokensPerSecond: numberOr(value['tokensPerSecond'], null), finish_reason: textOr(value['finish_reason'], null),
    state: STATES.has(state) ? (state as AssistantMessage['state']) : 'interrupted', problem: null,
  };
}

function parseAnswer(id: string, value: JsonObject): AnswerTurn {
  const timing = isObject(value['timing']) ? value['timing'] : EMPTY_TIMING;
  const failure = isObject(value['failure']) ? value['failure'] : null;
  const phase = textOr(value['phase'], 'interrupted');
  return {
    id, role: 'assistant', model: textOr(value['model'], ''), message: parseMessage(value['message']),
    phase: PHASES.has(phase) ? (phase as AnswerPhase) : 'interrupted',
    timing: { firstMs: numberOr(timing.firstMs, null), textMs: numberOr(timing.textMs, null), endMs: numberOr(timing.endMs, null) },
    failure: failure && {
      message: textOr(failure['message'], 'unknown'), hint: textOr(failure['hint'], ''), status: numberOr(failure['status'], null),
      code: textOr(failure['code'], null), param: textOr(failure['param'], null), requestId: textOr(failure['requestId'], null),
    },
    sentAt: numberOr(value['sentAt'], 0), waitUntil: null,
  };
}

/** A stored turn; null if it is damaged. */
export function parseTurn(value: unknown): Turn | null {
  if (!isObject(value) || typeof value['id'] !== 'string') return null;
  if (value['role'] === 'assistant') return parseAnswer(value['id'], value);
  return value['role'] === 'user' && typeof value['content'] === 'string' ? { id: value['id'], role: 'user', content: value['content'] } : null;
}

export interface RestoredDesk {
  readonly desk: Desk;
  /** Something was damaged and left out. */
  readonly isDamaged: boolean;
}

/** The desk from its stored records; answers that were on their way are interrupted. Never throws. */
export function parseDesk(stored: unknown, storedTurns: readonly unknown[]): RestoredDesk {
  if (stored === undefined) return { desk: EMPTY_DESK, isDamaged: false };
  if (!isObject(stored) || stored['version'] !== 1 || !Array.isArray(stored['panes'])) return { desk: EMPTY_DESK, isDamaged: true };
  let isDamaged = false;
  const turns = new Map<string, Turn>();
  for (const value of storedTurns) {
    const turn = parseTurn(value);
    if (turn) turns.set(turn.id, turn);
    else isDamaged = true;
  }
  const toPanes = (list: unknown): readonly Pane[] => arrayOr(list).flatMap((value): Pane[] => {
    if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['model'] !== 'string') {
      isDamaged = true;
      return [];
    }
    const ids = arrayOr(value['turnIds']);
    const found = ids.flatMap((id) => (typeof id === 'string' ? (turns.get(id) ?? []) : []));
    if (found.length < ids.length) isDamaged = true;
    const parameters = isObject(value['parameters']) ? readParameters(value['parameters']) : null;
    return [{ id: value['id'], model: value['model'], parameters, turns: found }];
  });
  const desk: Desk = {
    panes: toPanes(stored['panes']), parked: toPanes(stored['parked']),
    draft: textOr(stored['draft'], ''), systemPrompt: textOr(stored['systemPrompt'], ''), parameters: readParameters(stored['parameters']),
  };
  return { desk: interruptAnswers(desk), isDamaged };
}
