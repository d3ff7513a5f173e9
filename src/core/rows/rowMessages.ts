// Reads the messages and tools of a row, in the spellings of common files.
import type { Tool, ToolCall } from '#core/contract/chatMessage.ts';
import { findJsonPlace, type JsonPath } from '#core/contract/jsonPlaces.ts';
import { JsonReader } from '#core/contract/jsonText.ts';
import { MESSAGE_LIMITS, REQUEST_LIMITS } from '#core/contract/limits.ts';
import { arrayOr, isObject, parseJson, type JsonObject } from '#core/contract/readJson.ts';
import { isDeeperThan, toTooDeepText } from '#core/json/valueDepth.ts';
import { failPart, type Part, type RowMessage, type RowNotes, type RowRole } from './chatRow.ts';
import { MARK_FIELDS, readMarks } from './learnMarks.ts';

/** Roles by their names in files: OpenAI's, ShareGPT's, LLaMA-Factory's, ms-swift's. */
const ROLES: ReadonlyMap<unknown, RowRole> = new Map<unknown, RowRole>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['function_call', 'assistant'],
  ['tool_call', 'assistant'],
  ['tool_response', 'tool'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['ipython', 'tool'],
]);
/** Thoughts of an answer. */
const THOUGHT_FIELDS = ['reasoning_content', 'thinking'] as const;
const MARKS: ReadonlySet<string> = new Set(MARK_FIELDS);
const COMMON_FIELDS = ['name', 'tool_calls', 'tool_call_id', ...MARK_FIELDS];
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'function_call', ...COMMON_FIELDS]);
const SPEAKER_FIELDS: ReadonlySet<string> = new Set(['from', 'value', ...COMMON_FIELDS]);
/** Their text is a call as JSON. */
const CALL_ROLES: ReadonlySet<unknown> = new Set(['function_call', 'tool_call']);
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);
/** Axolotl's marks of one part. */
const PART_MARKS = ['train', 'weight'] as const;
const MAX_DEPTH = REQUEST_LIMITS.jsonDepth;

const toShort = (value: unknown): string => {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
};

/** The role that a name in a file means; undefined if none. */
export const toRole = (name: unknown): RowRole | undefined =>
  ROLES.get(name) ?? (typeof name === 'string' ? ROLES.get(name.trim().toLowerCase()) : undefined);

/** A list that a table keeps as text. Other values as they are. */
export function readListText(value: unknown, path: JsonPath, notes: RowNotes): Part<unknown> {
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return { ok: true, value };
  const list = parseJson(value);
  if (Array.isArray(list)) {
    notes.isSame = false;
    return { ok: true, value: list };
  }
  if (list !== undefined || !/^\s*\[\s*\{\s*'/.test(value)) return { ok: true, value };
  return failPart(
    path,
    'The messages are a text as Python prints a list, not JSON. Write them with json.dumps(ast.literal_eval(text)).',
  );
}

/** A message that a table keeps as JSON text. Other values as they are. */
function readMessageText(value: unknown, notes: RowNotes): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  const message = parseJson(value);
  if (message === undefined) return value;
  notes.isSame = false;
  return message;
}

/** A text, or a list of text parts, which are joined with line ends as services do. */
function readContent(content: unknown, path: JsonPath, notes: RowNotes): Part<string> {
  if (typeof content === 'string') return { ok: true, value: content };
  if (!Array.isArray(content)) return failPart(path, `The text of a message is ${toShort(content)}.`);
  notes.isSame = false;
  const texts: string[] = [];
  for (const [at, part] of (content as readonly unknown[]).entries()) {
    const mark = isObject(part)
      ? PART_MARKS.find((name) => part[name] !== undefined && part[name] !== null)
      : undefined;
    if (mark !== undefined)
      return failPart(
        [...path, at],
        `A part of the message has a "${mark}". Say by "train_detail" of the message what is learnt.`,
      );
    const isTextPart =
      isObject(part) && (TEXT_PARTS.has(part['type']) || (part['type'] === undefined && 'text' in part));
    const text = isTextPart ? part['text'] : part;
    if (typeof text !== 'string') {
      const what = isObject(part) ? `of type ${toShort(part['type'])}` : toShort(part);
      return failPart([...path, at], `A part of the message is ${what}; only texts can be trained on.`);
    }
    texts.push(text);
  }
  return { ok: true, value: texts.join('\n') };
}

/** The calls of a chat and the ids that their results name. */
class CallIds {
  private readonly open: string[] = [];
  private calls = 0;

  toId(given: unknown, notes: RowNotes): string {
    this.calls += 1;
    if (typeof given !== 'string') notes.isSame = false;
    const id = typeof given === 'string' ? given : `call_${this.calls}`;
    this.open.push(id);
    return id;
  }

  /** A result without an id belongs to the next call; undefined if there is none. */
  toResultId(given: unknown, notes: RowNotes): string | undefined {
    const at = typeof given === 'string' ? this.open.indexOf(given) : 0;
    const [id] = at < 0 ? [] : this.open.splice(at, 1);
    if (typeof given === 'string') return given;
    if (id !== undefined) notes.isSame = false;
    return id;
  }
}

/** Numbers that JSON.stringify writes otherwise: 1.0, 1e2, ints beyond 2^53. */
const INEXACT = /\d[.eE]|\d{16}/;

/** The value as JSON text, with its numbers as the source writes them. */
function toExactText(value: unknown, path: JsonPath, source: string | null): string {
  const plain = JSON.stringify(value);
  if (source === null || !INEXACT.test(source)) return plain;
  const { from, to } = findJsonPlace(source, path);
  const reader = new JsonReader(source.slice(from, to));
  let exact = '';
  while (reader.next()) {
    const token = source.slice(from + reader.from, from + reader.to);
    exact += token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
  }
  // A path of an older form leads to no value of its own.
  return JSON.stringify(JSON.parse(exact)) === plain ? exact : plain;
}

/** Arguments as JSON text. A text stays as it is, also if it is broken. */
function readArguments(value: unknown, path: JsonPath, notes: RowNotes): Part<string> {
  if (typeof value === 'string') return { ok: true, value };
  notes.isSame = false;
  if (value === undefined || value === null) return { ok: true, value: '{}' };
  if (isDeeperThan(value, MAX_DEPTH)) return failPart(path, `The arguments are ${toTooDeepText(MAX_DEPTH)}.`);
  return { ok: true, value: toExactText(value, path, notes.source) };
}

/** One call in the form of the API, or only its name and arguments. */
function readCall(value: unknown, path: JsonPath, ids: CallIds, notes: RowNotes): Part<ToolCall> {
  const called = isObject(value) && isObject(value['function']) ? value['function'] : value;
  if (!isObject(value) || !isObject(called)) return failPart(path, `A tool call is ${toShort(value)}.`);
  if (called === value) notes.isSame = false;
  const { name } = called;
  if (typeof name !== 'string' || name === '') return failPart(path, 'A tool call has no name.');
  const inside = called === value ? path : [...path, 'function'];
  const text = readArguments(called['arguments'], [...inside, 'arguments'], notes);
  if (!text.ok) return text;
  const id = ids.toId(value['id'], notes);
  return { ok: true, value: { id, type: 'function', function: { name, arguments: text.value } } };
}

/** The calls of a message, and their place. The older form `function_call` holds one. */
function findCalls(value: JsonObject, path: JsonPath, notes: RowNotes): { list: readonly unknown[]; path: JsonPath } {
  const { tool_calls: calls, function_call: legacy } = value;
  if (isObject(legacy) && !Array.isArray(calls)) {
    notes.isSame = false;
    return { list: [legacy], path };
  }
  return { list: arrayOr(calls), path: [...path, 'tool_calls'] };
}

function readCalls(value: JsonObject, path: JsonPath, ids: CallIds, notes: RowNotes): Part<ToolCall[]> {
  const found = findCalls(value, path, notes);
  const calls: ToolCall[] = [];
  for (const [at, entry] of found.list.entries()) {
    const call = readCall(entry, found.path === path ? path : [...found.path, at], ids, notes);
    if (!call.ok) return call;
    calls.push(call.value);
  }
  return { ok: true, value: calls };
}

/** A message of LLaMA-Factory or ms-swift whose text is a call, or a list of calls, as JSON. */
function readCallText(text: unknown, path: JsonPath, ids: CallIds, notes: RowNotes): Part<ToolCall[]> {
  notes.isSame = false;
  const value = parseJson(typeof text === 'string' ? text : '');
  if (value === undefined) return failPart(path, 'The text of a function call is not JSON with name and arguments.');
  return readCalls({ tool_calls: Array.isArray(value) ? value : [value] }, path, ids, notes);
}

/** Notes each field that is not null and has no place in the normal form. Whether there are marks. */
function noteFields(
  value: JsonObject,
  known: ReadonlySet<string>,
  thoughts: Readonly<Record<string, string>>,
  notes: RowNotes,
): boolean {
  let hasMarks = false;
  for (const name of Object.keys(value)) {
    const isKept = known.has(name) || Object.hasOwn(thoughts, name);
    if (!isKept && value[name] !== null) notes.leaveOut(`messages[].${name}`);
    hasMarks ||= MARKS.has(name);
  }
  return hasMarks;
}

/** Roles that need no other field than a text. */
const PLAIN_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant']);

/** True for a message in the normal form without calls: nearly all are, and they are taken as they are. */
function isPlain(value: unknown): value is RowMessage {
  if (!isObject(value) || typeof value['content'] !== 'string' || !PLAIN_ROLES.has(value['role'])) return false;
  let place = 0;
  for (const name in value) {
    if (name !== (place === 0 ? 'role' : 'content') || place > 1) return false;
    place += 1;
  }
  return place === 2;
}

const NO_THOUGHTS = {};

function readThoughts(value: JsonObject, role: RowRole): Readonly<Record<string, string>> {
  if (role !== 'assistant') return NO_THOUGHTS;
  const thoughts: Record<string, string> = {};
  for (const name of THOUGHT_FIELDS) {
    const text = value[name];
    if (typeof text === 'string') thoughts[name] = text;
  }
  return thoughts;
}

function readMessage(given: unknown, path: JsonPath, ids: CallIds, notes: RowNotes): Part<RowMessage> {
  const value = readMessageText(given, notes);
  if (!isObject(value)) return failPart(path, `A message is ${toShort(value)}; it must be an object.`);
  const isSpeaker = !('role' in value) && 'from' in value;
  const roleField = isSpeaker ? 'from' : 'role';
  const textField = isSpeaker ? 'value' : 'content';
  const speaker = value[roleField];
  const role = toRole(speaker);
  if (role === undefined)
    return failPart(
      speaker === undefined ? path : [...path, roleField],
      `The role of a message is ${toShort(speaker)}; it must be system, developer, user, assistant or tool.`,
    );
  if (role !== speaker || isSpeaker) notes.isSame = false;
  const thoughts = readThoughts(value, role);
  const hasMarks = noteFields(value, isSpeaker ? SPEAKER_FIELDS : MESSAGE_FIELDS, thoughts, notes);
  const marks = hasMarks ? readMarks(value, role === 'assistant', path, notes) : null;
  if (marks?.ok === false) return marks;
  const isCallText = CALL_ROLES.has(speaker) && !Array.isArray(value['tool_calls']);
  const calls = isCallText
    ? readCallText(value[textField], [...path, textField], ids, notes)
    : role === 'assistant'
      ? readCalls(value, path, ids, notes)
      : ({ ok: true, value: [] } as const);
  if (!calls.ok) return calls;
  const text = isCallText ? '' : value[textField];
  const isNull = text === null || text === undefined;
  const hasCalls = calls.value.length > 0;
  if (isNull && !hasCalls) notes.isSame = false;
  const content: Part<string | null> = isNull
    ? { ok: true, value: hasCalls ? null : '' }
    : readContent(text, [...path, textField], notes);
  if (!content.ok) return content;
  if (isNull && !hasCalls && !(textField in value)) return failPart(path, `A message has no ${textField}.`);
  const id = role === 'tool' ? ids.toResultId(value['tool_call_id'], notes) : undefined;
  const { name } = value;
  return {
    ok: true,
    value: {
      role,
      content: content.value,
      ...(typeof name === 'string' && { name }),
      ...(hasCalls && { tool_calls: [...calls.value] }),
      ...(id !== undefined && { tool_call_id: id }),
      ...thoughts,
      ...marks?.value,
    },
  };
}

/** The messages at `path` of the row. */
export function readMessages(values: readonly unknown[], path: JsonPath, notes: RowNotes): Part<readonly RowMessage[]> {
  if (values.length === 0) return failPart(path, 'The list of messages is empty.');
  if (values.length > MESSAGE_LIMITS.max)
    return failPart(path, `There are ${values.length} messages; a row may have ${MESSAGE_LIMITS.max}.`);
  const ids = new CallIds();
  const messages: RowMessage[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (isPlain(value)) {
      messages.push(value);
      continue;
    }
    const read = readMessage(value, [...path, at], ids, notes);
    if (!read.ok) return read;
    messages.push(read.value);
  }
  return { ok: true, value: messages };
}

/** Tables keep parameters of different shapes as JSON text. */
function readParameters(definition: JsonObject, notes: RowNotes): JsonObject {
  const { parameters } = definition;
  const read = readMessageText(parameters, notes);
  return read === parameters ? definition : { ...definition, parameters: read };
}

/** Puts a system text before messages that have none. */
export function withSystem(system: unknown, messages: readonly unknown[]): readonly unknown[] {
  const [first] = messages;
  const hasOwn = isObject(first) && toRole(first['role'] ?? first['from']) === 'system';
  const isBlank = typeof system !== 'string' || system.trim() === '';
  return hasOwn || isBlank ? messages : [{ role: 'system', content: system }, ...messages];
}

/** An entry in the form of the API, or a bare function, as a tool of the API. */
function readTool(value: unknown, path: JsonPath, notes: RowNotes): Part<Tool> {
  const isWhole = isObject(value) && isObject(value['function']) && value['type'] === 'function';
  if (!isWhole) notes.isSame = false;
  const definition = isObject(value) && isObject(value['function']) ? value['function'] : value;
  if (!isObject(definition)) return failPart(path, `A tool is ${toShort(value)}; it must be an object.`);
  const { name } = definition;
  if (typeof name !== 'string' || name === '') return failPart(path, 'A tool has no name.');
  if (isDeeperThan(definition, MAX_DEPTH)) return failPart(path, `A tool is ${toTooDeepText(MAX_DEPTH)}.`);
  return { ok: true, value: { type: 'function', function: { ...readParameters(definition, notes), name } } };
}

/** The tools of a row: a list, or its JSON text. null: the row has none. */
export function readTools(given: unknown, path: JsonPath, notes: RowNotes): Part<readonly Tool[] | null> {
  let value = given;
  if (typeof given === 'string') {
    notes.isSame = false;
    value = given.trim() === '' ? null : parseJson(given);
    if (value === undefined) return failPart(path, 'The tools are a text that is not valid JSON.');
  }
  if (value === null || value === undefined) return { ok: true, value: null };
  if (!Array.isArray(value)) return failPart(path, `The tools are ${toShort(value)}; they must be a list.`);
  if (value.length === 0) notes.isSame = false;
  const tools: Tool[] = [];
  for (const [at, entry] of (value as readonly unknown[]).entries()) {
    const tool = readTool(entry, [...path, at], notes);
    if (!tool.ok) return tool;
    tools.push(tool.value);
  }
  return { ok: true, value: tools.length === 0 ? null : tools };
}
