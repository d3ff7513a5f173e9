// The playground's state as stored records: one per conversation turn, so that only changes are written. Pure.
// Stored data is not trusted when it is read.
import { arrayOr, isObject, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { readParameters } from '#ui/client/chatParameters.ts';
import { parseTurn, readOwnSettings, readSettings } from './answerRecords.ts';
import {
  EMPTY_DESK,
  interruptAnswers,
  isBusy,
  NO_OWN,
  type Desk,
  type Pane,
  type Turn,
  type Values,
  shownAnswer,
} from '#features/playground/web/desk/desk.ts';
import {
  PARAMETER_NAMES,
  unlinkSettings,
  type OwnSettings,
  type Settings,
} from '#features/playground/web/desk/settings.ts';
import { readUnsaved, type Unsaved, NOTHING_UNSAVED } from '#features/playground/web/desk/unsaved.ts';
import { openCalls } from '#features/playground/web/desk/conversation.ts';
import { turnText } from '#features/playground/web/desk/turns.ts';

interface StoredPane {
  readonly id: string;
  readonly model: string;
  readonly own: OwnSettings;
  readonly turnIds: readonly string[];
}

/** Everything but the turns. */
interface StoredDesk {
  /** Version 1 kept the system prompt and the parameters beside the panes. A pane linked all parameters or none. */
  readonly version: 2;
  readonly panes: readonly StoredPane[];
  readonly parked: readonly StoredPane[];
  readonly draft: string;
  readonly shared: Settings;
  readonly isAlone?: true;
  readonly title?: string;
  readonly values?: Values;
  readonly unsaved?: readonly Unsaved[];
}

export interface DeskChanges {
  /** null: the stored data besides the turns is up to date. */
  readonly desk: StoredDesk | null;
  readonly turns: readonly Turn[];
  readonly removed: readonly string[];
}

const toStoredPane = ({ id, model, own, turns }: Pane): StoredPane => ({
  id,
  model,
  own,
  turnIds: turns.map((turn) => turn.id),
});

export function toStoredDesk(desk: Desk): StoredDesk {
  const { panes, parked, draft, shared, isAlone, title = '', values } = desk;
  const unsaved = toStoredUnsaved(desk);
  const extras = {
    ...(isAlone && { isAlone }),
    ...(title !== '' && { title }),
    ...(values && Object.keys(values).length > 0 && { values }),
    ...(unsaved.length > 0 && { unsaved }),
  };
  return { version: 2, panes: panes.map(toStoredPane), parked: parked.map(toStoredPane), draft, shared, ...extras };
}

/** Reads values of variables from stored or foreign data; drops values that are no text. */
export function readValues(value: unknown): Values {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}

/** No version of it is on its way, so it is in its final form. */
const isSettled = (turn: Turn): boolean =>
  turn.role !== 'assistant' || !turn.versions.some(({ phase }) => isBusy(phase));

function allTurns(desk: Desk): Map<string, Turn> {
  return new Map([...desk.panes, ...desk.parked].flatMap((pane) => pane.turns.map((turn) => [turn.id, turn])));
}

/** The changes that turn the stored `before` into `after`; null if there are none. */
export function toChanges(before: Desk, after: Desk): DeskChanges | null {
  if (before === after) return null;
  const old = allTurns(before);
  const now = allTurns(after);
  const turns = [...now.values()].filter((turn) => old.get(turn.id) !== turn);
  const removed = [...old.keys()].filter((id) => !now.has(id));
  const stored = toStoredDesk(after);
  const isSameDesk = JSON.stringify(toStoredDesk(before)) === JSON.stringify(stored);
  if (isSameDesk && turns.length === 0 && removed.length === 0) return null;
  // The desk's record carries the time of the last message, so it isn't rewritten while an answer streams.
  return { desk: isSameDesk && !turns.some(isSettled) ? null : stored, turns, removed };
}

/** Messages or panes were added, removed, moved or rewritten, or an answer ended. Typing and streaming don't count. */
export function isAct(before: Desk, after: Desk): boolean {
  if (before.panes === after.panes && before.parked === after.parked) return false;
  const old = [...before.panes, ...before.parked];
  const now = [...after.panes, ...after.parked];
  const isOther = (turn: Turn, previous: Turn | undefined): boolean =>
    turn !== previous && (turn.id !== previous?.id || isSettled(turn));
  return (
    now.length !== old.length ||
    now.some((pane, place) => {
      const previous = old[place];
      if (pane === previous) return false;
      if (pane.id !== previous?.id || pane.turns.length !== previous.turns.length) return true;
      return pane.turns.some((turn, at) => isOther(turn, previous.turns[at]));
    })
  );
}

/** The desk has no messages, settings, draft or title. An unreadable record doesn't count as blank. */
export function isBlankRecord(stored: unknown): boolean {
  if (!isObject(stored) || stored['version'] !== 2) return false;
  const { draft, shared, title, panes, parked } = stored;
  const isBare = (pane: unknown): boolean =>
    isObject(pane) &&
    arrayOr(pane['turnIds']).length === 0 &&
    isObject(pane['own']) &&
    Object.keys(pane['own']).length === 0;
  return (
    draft === '' &&
    title === undefined &&
    isObject(shared) &&
    Object.keys(shared).length === 0 &&
    arrayOr(panes).every(isBare) &&
    arrayOr(parked).length === 0
  );
}

/** How settings are read, by version of the stored format. */
interface Format {
  readonly readShared: (stored: JsonObject) => Settings;
  readonly readOwn: (pane: JsonObject) => OwnSettings;
}

const FORMATS: Readonly<Record<number, Format>> = {
  1: {
    readShared: (stored) =>
      readSettings({ ...readParameters(stored['parameters']), systemPrompt: stored['systemPrompt'] }),
    // An unlinked pane had all parameters as its own, including unset ones.
    readOwn: ({ parameters }) =>
      isObject(parameters) ? unlinkSettings(readParameters(parameters), NO_OWN, PARAMETER_NAMES) : NO_OWN,
  },
  2: { readShared: (stored) => readSettings(stored['shared']), readOwn: (pane) => readOwnSettings(pane['own']) },
};

export interface RestoredDesk {
  readonly desk: Desk;
  /** How much was unreadable: `none`, `some` or `all` of it. `newer`: a newer studio stored it. */
  readonly damage: 'none' | 'some' | 'all' | 'newer';
}

/**
 * Parses a desk from its stored records, in this or an earlier format. Answers on their way become interrupted. Never
 * throws. `isCopy`: another tab has the desk open.
 */
export function parseDesk(stored: unknown, storedTurns: readonly unknown[], isCopy = false): RestoredDesk {
  if (stored === undefined) return { desk: EMPTY_DESK, damage: 'none' };
  const version = isObject(stored) ? stored['version'] : undefined;
  const format = typeof version === 'number' ? FORMATS[version] : undefined;
  if (!isObject(stored) || !format || !Array.isArray(stored['panes'])) {
    return { desk: EMPTY_DESK, damage: typeof version === 'number' && version > 2 ? 'newer' : 'all' };
  }
  let isDamaged = false;
  const turns = new Map<string, Turn>();
  for (const value of storedTurns) {
    const turn = parseTurn(value);
    if (turn) turns.set(turn.id, turn);
    else isDamaged = true;
  }
  const shared = format.readShared(stored);
  const toPanes = (list: unknown): readonly Pane[] =>
    arrayOr(list).flatMap((value): Pane[] => {
      if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['model'] !== 'string') {
        isDamaged = true;
        return [];
      }
      const ids = arrayOr(value['turnIds']);
      const found = ids.flatMap((id) => (typeof id === 'string' ? (turns.get(id) ?? []) : []));
      if (found.length < ids.length) isDamaged = true;
      return [{ id: value['id'], model: value['model'], own: format.readOwn(value), turns: found }];
    });
  const values = readValues(stored['values']);
  const title = textOr(stored['title'], '');
  const desk: Desk = {
    panes: toPanes(stored['panes']),
    parked: toPanes(stored['parked']),
    draft: textOr(stored['draft'], ''),
    shared,
    ...(stored['isAlone'] === true && { isAlone: true }),
    ...(title !== '' && { title }),
    ...(Object.keys(values).length > 0 && { values }),
  };
  const unsaved = toStoredUnsaved({ ...desk, unsaved: readUnsaved(stored['unsaved']) });
  return {
    desk: interruptAnswers(unsaved.length > 0 ? { ...desk, unsaved } : desk, isCopy),
    damage: isDamaged ? 'some' : 'none',
  };
}

// Selects the unsaved texts to store for a reload: changed texts of existing messages and calls. Memory keeps the
// others, so that a restored message gets its unsaved text back. Pure.

function isChanged(turn: Turn, { content, name, tool_call_id }: Unsaved['text']): boolean {
  const saved = turnText(turn);
  return (
    content !== saved.content ||
    (name ?? saved.name) !== saved.name ||
    (tool_call_id ?? saved.tool_call_id) !== saved.tool_call_id
  );
}

/** The call has no result. Calls of a hidden version count as open, because results follow the shown version only. */
function isOpenCall(turns: readonly Turn[], answerId: string, callId: string): boolean {
  const index = turns.findIndex((turn) => turn.role === 'assistant' && turn.versions.some(({ id }) => id === answerId));
  const turn = turns[index];
  if (turn?.role !== 'assistant') return false;
  return shownAnswer(turn).id !== answerId || openCalls(turns, index).some(({ id }) => id === callId);
}

export function toStoredUnsaved({ panes, parked, unsaved = NOTHING_UNSAVED }: Desk): readonly Unsaved[] {
  if (unsaved.length === 0) return NOTHING_UNSAVED;
  const conversations = [...panes, ...parked].map((pane) => pane.turns);
  const turns = new Map(conversations.flat().map((turn) => [turn.id, turn]));
  return unsaved.filter((entry) => {
    if (entry.kind === 'result')
      return conversations.some((conversation) => isOpenCall(conversation, entry.answerId, entry.callId));
    const turn = turns.get(entry.turnId);
    if (!turn) return false;
    return entry.kind === 'edit' ? isChanged(turn, entry.text) : Object.values(entry.text).some((text) => text !== '');
  });
}
