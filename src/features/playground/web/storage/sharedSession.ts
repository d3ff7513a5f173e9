// A session in a file or a link: how it is written, and how it is validated on import. Pure. Errors name the path of
// the wrong value. Imported sessions get new ids, so they never overwrite anything.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject, ownField, type JsonObject, type Read } from '#core/contract/readJson.ts';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { parseTurn, readOwnSettings, readSettings } from './answerRecords.ts';
import { interruptAnswers, type Desk, type Pane, type Turn } from '#features/playground/web/desk/desk.ts';
import { readValues } from './deskRecords.ts';
import { SETTING_NAMES, type OwnSettings, type Settings } from '#features/playground/web/desk/settings.ts';

/** More than any real session has. It stops a handmade file from slowing the page. */
const MAX_TURNS = 20_000;
/** Closed panes cost little: the page shows only their number. */
const MAX_CLOSED = 20_000;

/** Plain JSON. */
export interface ForeignDesk {
  readonly title?: string;
  readonly draft?: string;
  readonly settings: Settings;
  /** Each message is sent without the ones before it. */
  readonly each_message_alone?: true;
  readonly values?: Readonly<Record<string, string>>;
  readonly panes: readonly ForeignPane[];
  readonly closed_panes?: readonly ForeignPane[];
}

interface ForeignPane {
  readonly model: string;
  readonly own_settings?: OwnSettings;
  readonly turns?: readonly Turn[];
}

function toForeignPane({ model, own, turns }: Pane, hasMessages: boolean): ForeignPane {
  return {
    model,
    ...(Object.keys(own).length > 0 && { own_settings: own }),
    ...(hasMessages && turns.length > 0 && { turns }),
  };
}

/** The desk with panes and settings only. */
export function withoutMessages(desk: Desk): Desk {
  return { ...desk, panes: desk.panes.map((pane) => ({ ...pane, turns: [] })), parked: [], draft: '' };
}

/** The desk without closed panes: people share only what they see. */
export function withoutParked(desk: Desk): Desk {
  return desk.parked.length === 0 ? desk : { ...desk, parked: [] };
}

/** The session as plain JSON, with or without its messages. It contains nothing else of this browser. */
export function toForeignDesk(
  { title = '', draft, shared, isAlone, values = {}, panes, parked }: Desk,
  hasMessages: boolean,
): ForeignDesk {
  return {
    ...(title !== '' && { title }),
    ...(hasMessages && draft !== '' && { draft }),
    settings: shared,
    ...(isAlone && { each_message_alone: true }),
    ...(Object.keys(values).length > 0 && { values }),
    panes: panes.map((pane) => toForeignPane(pane, hasMessages)),
    ...(hasMessages && parked.length > 0 && { closed_panes: parked.map((pane) => toForeignPane(pane, hasMessages)) }),
  };
}

/** A validation error with its path. parseForeignDesk catches it; it never leaves this file. */
class Fault extends Error {}

const fail = (path: string, what: string): never => {
  throw new Fault(`${path}: ${what}`);
};

function takeObject(value: unknown, path: string): JsonObject {
  return isObject(value) ? value : fail(path, 'must be an object.');
}

function takeText(value: unknown, path: string, most = Infinity): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return fail(path, 'must be a text.');
  return value.length > most ? fail(path, `must have at most ${most} characters.`) : value;
}

function takeList(value: unknown, path: string, most: number): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return fail(path, 'must be a list.');
  return value.length > most ? fail(path, `can have ${most} entries at most.`) : value;
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Reads settings strictly: a setting that the reader drops is an error. */
function takeSettings<T extends object>(value: unknown, path: string, read: (value: unknown) => T): T {
  if (value === undefined) return read({});
  const source = takeObject(value, path);
  const settings = read(source);
  const dropped = SETTING_NAMES.find((name) => !isUnset(ownField(source, name)) && !Object.hasOwn(settings, name));
  return dropped === undefined ? settings : fail(`${path}.${dropped}`, 'is not a valid value.');
}

function checkVersions(turn: JsonObject, path: string): void {
  const versions = ownField(turn, 'versions');
  if (!Array.isArray(versions) || versions.length === 0)
    fail(`${path}.versions`, 'must be a list with at least one answer.');
  for (const [index, version] of takeList(versions, `${path}.versions`, MAX_TURNS).entries()) {
    const answer = takeObject(version, `${path}.versions[${index}]`);
    const message = takeObject(answer['message'], `${path}.versions[${index}].message`);
    if (typeof message['text'] !== 'string') fail(`${path}.versions[${index}].message.text`, 'must be a text.');
  }
}

function takeTurn(value: unknown, path: string, makeId: () => string): Turn {
  const turn = takeObject(value, path);
  const { role } = turn;
  if (role !== 'user' && role !== 'tool' && role !== 'assistant')
    fail(`${path}.role`, 'must be user, assistant or tool.');
  if (role === 'assistant') checkVersions(turn, path);
  else if (typeof turn['content'] !== 'string') fail(`${path}.content`, 'must be a text.');
  // The file has no records, so references to them are removed.
  const toVersion = (version: JsonObject): JsonObject => ({
    ...version,
    id: makeId(),
    recordId: undefined,
    repeats: undefined,
  });
  const versions = role === 'assistant' ? { versions: (turn['versions'] as readonly JsonObject[]).map(toVersion) } : {};
  return parseTurn({ ...turn, ...versions, id: makeId() }) ?? fail(path, 'is not a message.');
}

function takePane(value: unknown, path: string, makeId: () => string): Pane {
  const pane = takeObject(value, path);
  const model = takeText(pane['model'], `${path}.model`, REQUEST_LIMITS.modelCharacters);
  const own = takeSettings(pane['own_settings'], `${path}.own_settings`, readOwnSettings);
  const turns = takeList(pane['turns'], `${path}.turns`, MAX_TURNS).map((turn, index) =>
    takeTurn(turn, `${path}.turns[${index}]`, makeId),
  );
  return { id: makeId(), model, own, turns };
}

function takeDesk(value: unknown, path: string, makeId: () => string): Desk {
  const source = takeObject(value, path);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const takePanes = (name: string, most: number): readonly Pane[] =>
    takeList(source[name], at(name), most).map((pane, index) => takePane(pane, `${at(name)}[${index}]`, makeId));
  const panes = takePanes('panes', MAX_MODELS);
  if (panes.length === 0) fail(at('panes'), 'must be a list with at least one pane.');
  const values = source['values'] === undefined ? {} : takeObject(source['values'], at('values'));
  const invalid = Object.entries(values).find(([, entry]) => typeof entry !== 'string');
  if (invalid) fail(`${at('values')}.${invalid[0]}`, 'must be a text.');
  const title = takeText(source['title'], at('title')).slice(0, 500);
  return interruptAnswers({
    panes,
    parked: takePanes('closed_panes', MAX_CLOSED),
    draft: takeText(source['draft'], at('draft')),
    shared: takeSettings(source['settings'], at('settings'), readSettings),
    ...(source['each_message_alone'] === true && { isAlone: true }),
    ...(title.trim() !== '' && { title }),
    ...(Object.keys(values).length > 0 && { values: readValues(values) }),
  });
}

/** The session with new ids, or its first error. `path`: the path of `value` in the file. */
export function parseForeignDesk(value: unknown, path: string, makeId: () => string): Read<Desk> {
  try {
    return { ok: true, value: takeDesk(value, path, makeId) };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, reason: error.message };
    throw error;
  }
}
