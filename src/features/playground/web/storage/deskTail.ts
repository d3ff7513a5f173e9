// The tail of a desk: the part that the database may not hold yet, as plain data, and how the next page applies it. A
// page that closes may not finish its last write. Pure.
import { arrayOr, isObject, numberOr, textOr, type JsonObject } from '#core/contract/reading.ts';
import { parseTurn } from './answerRecords.ts';
import {
  isBusy,
  type Answer,
  type AnswerTurn,
  type Desk,
  type Pane,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { isSameRecord, toStoredDesk, type StoredDesk } from './deskRecords.ts';

/** Which page wrote last, and its number of writes. Tells which of two states is newer. */
export interface Mark {
  readonly life: string;
  readonly count: number;
}

/** A version that the database holds unchanged, or one whose texts start in the database. */
type TailVersion =
  | { readonly id: string }
  | {
      readonly id: string;
      readonly answer: Answer;
      readonly fromText: number;
      readonly fromReasoning: number;
      readonly isCut?: true;
    };

type TailTurn =
  | Exclude<Turn, AnswerTurn>
  | {
      readonly id: string;
      readonly role: 'assistant';
      readonly shown: number;
      readonly versions: readonly TailVersion[];
    };

export interface Tail {
  readonly version: 1;
  readonly desk: string;
  readonly mark: Mark;
  /** The mark in the database when this page read the desk; null: there was none. */
  readonly seen: Mark | null;
  /** null: the database has it. */
  readonly record: StoredDesk | null;
  readonly turns: readonly TailTurn[];
  readonly removed: readonly string[];
}

export function parseMark(value: unknown): Mark | null {
  return isObject(value) && typeof value['life'] === 'string' && typeof value['count'] === 'number'
    ? { life: value['life'], count: value['count'] }
    : null;
}

type Turns = ReadonlyMap<string, Turn>;

/** Turns by id of all panes except `skipped`. */
function turnsExcept({ panes, parked }: Desk, skipped: ReadonlySet<unknown>): Turns {
  return new Map(
    [...panes, ...parked].flatMap((pane) =>
      skipped.has(pane) ? [] : pane.turns.map((turn) => [turn.id, turn] as const),
    ),
  );
}

const findVersion = (turn: Turn | undefined, id: string): Answer | undefined =>
  turn?.role === 'assistant' ? turn.versions.find((version) => version.id === id) : undefined;

/** How many leading characters of the text all others hold; 0 unless each of them is a beginning of it. */
function sharedLength(text: string, others: readonly (string | undefined)[]): number {
  const isExtended = others.every((other) => other !== undefined && text.startsWith(other));
  return isExtended ? Math.min(...others.map((other) => other?.length ?? 0)) : 0;
}

function toTailVersion(answer: Answer, stored: readonly (Answer | undefined)[]): TailVersion {
  if (stored.every((old) => old === answer)) return { id: answer.id };
  const fromText = sharedLength(
    answer.message.text,
    stored.map((old) => old?.message.text),
  );
  const fromReasoning = sharedLength(
    answer.message.reasoning,
    stored.map((old) => old?.message.reasoning),
  );
  const message = {
    ...answer.message,
    text: answer.message.text.slice(fromText),
    reasoning: answer.message.reasoning.slice(fromReasoning),
  };
  return { id: answer.id, answer: { ...answer, message }, fromText, fromReasoning };
}

function toTailTurn(turn: Turn, stored: readonly (Turn | undefined)[]): TailTurn {
  if (turn.role !== 'assistant') return turn;
  const { id, role, shown, versions } = turn;
  return {
    id,
    role,
    shown,
    versions: versions.map((answer) =>
      toTailVersion(
        answer,
        stored.map((old) => findVersion(old, answer.id)),
      ),
    ),
  };
}

/**
 * The changes that turn each of `bases` into `now`; null if there are none. The bases are the states that the database
 * may hold: that of the last finished write, and those of unfinished ones. Its records may come from different bases.
 */
export function toTail(bases: readonly Desk[], now: Desk): Pick<Tail, 'record' | 'turns' | 'removed'> | null {
  if (bases.every((base) => base === now)) return null;
  const panes = [now, ...bases].map((desk) => new Set([...desk.panes, ...desk.parked]));
  // Skips panes that are the same everywhere: a long conversation costs nothing while another one streams.
  const unchanged = new Set([...(panes[0] ?? [])].filter((pane) => panes.every((each) => each.has(pane))));
  const turnsNow = turnsExcept(now, unchanged);
  const turnsThen = bases.map((base) => turnsExcept(base, unchanged));
  const turns = [...turnsNow.values()].flatMap((turn) => {
    const stored = turnsThen.map((each) => each.get(turn.id));
    return stored.every((old) => old === turn) ? [] : [toTailTurn(turn, stored)];
  });
  const removed = new Set(turnsThen.flatMap((each) => [...each.keys()].filter((id) => !turnsNow.has(id))));
  const record = bases.every((base) => isSameRecord(base, now)) ? null : toStoredDesk(now);
  return record === null && turns.length === 0 && removed.size === 0 ? null : { record, turns, removed: [...removed] };
}

type Texts = (text: string) => string;

/** Shortens the texts of answers at their ends. A shortened answer counts as interrupted. */
function mapTexts(tail: Tail, cut: Texts): Tail {
  const cutVersion = (version: TailVersion): TailVersion => {
    if (!('answer' in version)) return version;
    const { answer } = version;
    const message = { ...answer.message, text: cut(answer.message.text), reasoning: cut(answer.message.reasoning) };
    const isWhole =
      message.text.length === answer.message.text.length &&
      message.reasoning.length === answer.message.reasoning.length;
    if (isWhole) return version;
    const broken = { ...message, state: 'interrupted', finish_reason: null } as const;
    return {
      ...version,
      isCut: true,
      answer: { ...answer, message: broken, phase: isBusy(answer.phase) ? answer.phase : 'interrupted' },
    };
  };
  return {
    ...tail,
    turns: tail.turns.map((turn) =>
      turn.role === 'assistant' ? { ...turn, versions: turn.versions.map(cutVersion) } : turn,
    ),
  };
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

const toShare =
  (share: number): Texts =>
  (text) => {
    const end = Math.floor(text.length * share);
    return text.slice(0, end > 0 && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
  };

function countTexts({ turns }: Tail): number {
  const versions = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.versions : []));
  return versions.reduce(
    (sum, version) =>
      sum + ('answer' in version ? version.answer.message.text.length + version.answer.message.reasoning.length : 0),
    0,
  );
}

/** The tail as text of at most `most` characters; null if it doesn't fit even without the texts of answers. */
export function toTailText(tail: Tail, most: number): string | null {
  const count = countTexts(tail);
  // JSON escapes make a text longer, so the share shrinks until it fits.
  for (let share = Math.min(1, count === 0 ? 1 : most / count); share > 0.01; share *= 0.7) {
    const text = JSON.stringify(share === 1 ? tail : mapTexts(tail, toShare(share)));
    if (text.length <= most) return text;
  }
  const bare = JSON.stringify(mapTexts(tail, () => ''));
  return bare.length <= most ? bare : null;
}

/** Parses the text that a page left; null if there is none, or if it can't be read. */
export function parseTail(text: string | null): Tail | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    const mark = isObject(value) ? parseMark(value['mark']) : null;
    if (!isObject(value) || value['version'] !== 1 || typeof value['desk'] !== 'string' || mark === null) return null;
    return {
      version: 1,
      desk: value['desk'],
      mark,
      seen: parseMark(value['seen']),
      record: isObject(value['record']) ? (value['record'] as unknown as StoredDesk) : null,
      turns: arrayOr(value['turns']).filter(
        (turn): turn is TailTurn => isObject(turn) && typeof turn['id'] === 'string',
      ),
      removed: arrayOr(value['removed']).filter((id) => typeof id === 'string'),
    };
  } catch {
    return null;
  }
}

/** Whether the tail is newer than the database: neither another page nor a later write of the same page has written. */
export function isNewer({ mark, seen }: Tail, stored: Mark | null): boolean {
  if (stored?.life === mark.life) return stored.count < mark.count;
  return stored?.life === seen?.life && stored?.count === seen?.count;
}

/** The complete version in its stored form; undefined if it is missing. */
function toVersion(value: unknown, stored: Turn | undefined): unknown {
  if (!isObject(value)) return undefined;
  const old = findVersion(stored, textOr(value['id'], ''));
  const { answer } = value;
  if (!isObject(answer) || !isObject(answer['message'])) return old;
  const join = (name: 'text' | 'reasoning', from: number): string | null => {
    const before = old?.message[name] ?? '';
    return before.length < from ? null : before.slice(0, from) + textOr((answer['message'] as JsonObject)[name], '');
  };
  const [text, reasoning] = [
    join('text', numberOr(value['fromText'], 0)),
    join('reasoning', numberOr(value['fromReasoning'], 0)),
  ];
  if (text === null || reasoning === null) return old;
  // The database may hold more than a shortened text.
  const isShorter =
    value['isCut'] === true &&
    (old?.message.text.length ?? 0) + (old?.message.reasoning.length ?? 0) > text.length + reasoning.length;
  return isShorter ? old : { ...answer, message: { ...answer['message'], text, reasoning } };
}

function toCompleteTurn(entry: JsonObject, stored: Turn | undefined): Turn | null {
  if (entry['role'] !== 'assistant') return parseTurn(entry);
  return parseTurn({
    ...entry,
    versions: arrayOr(entry['versions'])
      .map((version) => toVersion(version, stored))
      .filter((version) => version !== undefined),
  });
}

export interface Restored {
  readonly record: unknown;
  readonly turns: readonly unknown[];
  /** Ids of the turns that come from the tail. */
  readonly changed: readonly string[];
}

/** The data that the database would hold if the page had finished its last write. */
export function applyTail(tail: Tail, record: unknown, turns: readonly unknown[]): Restored {
  const idOf = (turn: unknown): string => (isObject(turn) ? textOr(turn['id'], '') : '');
  const stored = new Map(turns.map((turn) => [idOf(turn), turn]));
  const changed = tail.turns.flatMap((entry) => {
    const turn = toCompleteTurn(entry as unknown as JsonObject, parseTurn(stored.get(entry.id)) ?? undefined);
    return turn ? [turn] : [];
  });
  const replaced = new Set([...tail.removed, ...changed.map(({ id }) => id)]);
  return {
    record: tail.record ?? record,
    turns: [...turns.filter((turn) => !replaced.has(idOf(turn))), ...changed],
    changed: changed.map(({ id }) => id),
  };
}

/** The desk with the same turn objects as `base`, except `changed` ones, so that unchanged turns aren't rewritten. */
export function shareTurns(desk: Desk, base: Desk, changed: ReadonlySet<string>): Desk {
  const old = turnsExcept(base, new Set());
  const share = (pane: Pane): Pane => ({
    ...pane,
    turns: pane.turns.map((turn) => (changed.has(turn.id) ? turn : (old.get(turn.id) ?? turn))),
  });
  return { ...desk, panes: desk.panes.map(share), parked: desk.parked.map(share) };
}
