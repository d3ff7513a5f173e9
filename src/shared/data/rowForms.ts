// Reads an object as a row in one of the known forms of files.
import { arrayOr, isObject, type JsonObject } from '#shared/contract/reading.ts';
import { failPart, ROW_FORMS, type ChatRow, type Part, type RowForm, type RowNotes } from './chatRow.ts';
import { readMessages, readTools, toRole } from './rowMessages.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isBlank = (value: unknown): boolean => value === null || value === undefined || (isText(value) && !value.trim());

/** The fields of each form, without those that the row says nothing by. */
const FIELDS: Readonly<Record<RowForm, ReadonlySet<string>>> = {
  chat: new Set(['messages', 'tools', 'functions']),
  sharegpt: new Set(['conversations', 'system', 'tools']),
  alpaca: new Set(['instruction', 'input', 'output', 'system', 'history', 'tools']),
  'prompt-completion': new Set(['prompt', 'completion', 'system', 'tools']),
};

/** Notes the fields that `known` does not have. Tables write null for fields that only other rows have. */
export function noteFields(value: JsonObject, known: ReadonlySet<string>, notes: RowNotes): void {
  for (const name in value) if (!known.has(name) && value[name] !== null) notes.leaveOut(name);
}

/** Puts a system text before messages that have none. */
export function withSystem(system: unknown, messages: readonly unknown[]): readonly unknown[] {
  const [first] = messages;
  const hasOwn = isObject(first) && toRole(first['role'] ?? first['from']) === 'system';
  return hasOwn || !isText(system) || isBlank(system) ? messages : [{ role: 'system', content: system }, ...messages];
}

/** Messages that were put together from fields, and the row's tools. */
export function toRow(messages: readonly unknown[], tools: unknown, notes: RowNotes): Part<ChatRow> {
  notes.isSame = false;
  const read = readMessages(messages, [], notes);
  if (!read.ok) return failPart([], read.reason);
  return addTools(read.value, tools, 'tools', notes);
}

function addTools(messages: ChatRow['messages'], given: unknown, field: string, notes: RowNotes): Part<ChatRow> {
  if (given === undefined || given === null) return { ok: true, value: { messages } };
  const tools = readTools(given, [field], notes);
  if (!tools.ok) return tools;
  return { ok: true, value: tools.value === null ? { messages } : { messages, tools: tools.value } };
}

function readChat(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  const { messages, tools, functions } = value;
  if (!Array.isArray(messages)) return failPart([], 'The row has no list "messages".');
  const read = readMessages(messages, ['messages'], notes);
  if (!read.ok) return read;
  const isLegacy = (tools === undefined || tools === null) && functions !== undefined;
  if (isLegacy) notes.isSame = false;
  else if (functions !== undefined && functions !== null) notes.leaveOut('functions');
  return addTools(read.value, isLegacy ? functions : tools, isLegacy ? 'functions' : 'tools', notes);
}

function readShareGpt(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  const { conversations, system, tools } = value;
  if (!Array.isArray(conversations)) return failPart([], 'The row has no list "conversations".');
  notes.isSame = false;
  const entries = withSystem(system, conversations);
  if (entries === conversations && !isBlank(system)) notes.leaveOut('system');
  const read = readMessages(entries, ['conversations'], notes);
  if (read.ok) return addTools(read.value, tools, 'tools', notes);
  const [list = '', at, ...rest] = read.path;
  const shift = entries.length - conversations.length;
  return typeof at === 'number' ? failPart([list, at - shift, ...rest], read.reason) : read;
}

function readAlpaca(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  const { instruction, input, output, system, history, tools } = value;
  if (!isText(instruction)) return failPart(['instruction'], 'The field "instruction" must be a text.');
  if (!isText(output)) return failPart(['output'], 'The field "output" must be a text.');
  if (!(isText(input) || isBlank(input))) return failPart(['input'], 'The field "input" must be a text.');
  const question = isText(input) && !isBlank(input) ? `${instruction}\n\n${input}` : instruction;
  const before: unknown[] = [];
  for (const [turn, pair] of arrayOr(history).entries()) {
    const [asked, answered] = arrayOr(pair);
    if (!isText(asked) || !isText(answered))
      return failPart(['history', turn], 'An entry of "history" must be a list of a question and an answer.');
    before.push({ role: 'user', content: asked }, { role: 'assistant', content: answered });
  }
  const turns = [...before, { role: 'user', content: question }, { role: 'assistant', content: output }];
  return toRow(withSystem(system, turns), tools, notes);
}

/** A text as one message, or a list of messages; null if it is neither. */
const toMessages = (value: unknown, role: 'user' | 'assistant'): readonly unknown[] | null =>
  isText(value) ? [{ role, content: value }] : Array.isArray(value) ? (value as readonly unknown[]) : null;

function readPrompt(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  const { prompt, completion, system, tools } = value;
  const asked = toMessages(prompt, 'user');
  const answered = toMessages(completion, 'assistant');
  if (!asked) return failPart(['prompt'], 'The field "prompt" must be a text or a list of messages.');
  if (!answered) return failPart(['completion'], 'The field "completion" must be a text or a list of messages.');
  return toRow(withSystem(system, [...asked, ...answered]), tools, notes);
}

const READERS: Readonly<Record<RowForm, (value: JsonObject, notes: RowNotes) => Part<ChatRow>>> = {
  chat: readChat,
  sharegpt: readShareGpt,
  alpaca: readAlpaca,
  'prompt-completion': readPrompt,
};

/** Whether an object has the fields of a form. In the order in which forms are looked for. */
const TESTS: Readonly<Record<RowForm, (value: JsonObject) => boolean>> = {
  chat: ({ messages }) => Array.isArray(messages),
  sharegpt: ({ conversations }) => Array.isArray(conversations),
  alpaca: ({ instruction, output }) => isText(instruction) && isText(output),
  'prompt-completion': ({ prompt, completion }) =>
    toMessages(prompt, 'user') !== null && toMessages(completion, 'assistant') !== null,
};

/** The form that an object has by its fields; null if none. */
export const findForm = (value: JsonObject): RowForm | null => ROW_FORMS.find((form) => TESTS[form](value)) ?? null;

const ROW_NAMES: Readonly<Record<RowForm, readonly [one: string, many: string]>> = {
  chat: ['a chat row', 'chat rows'],
  sharegpt: ['a ShareGPT row', 'ShareGPT rows'],
  alpaca: ['an Alpaca row', 'Alpaca rows'],
  'prompt-completion': ['a row of prompt and completion', 'rows of prompt and completion'],
};

/** Reads a row in a known form. */
export function readForm(value: JsonObject, form: RowForm, notes: RowNotes): Part<ChatRow> {
  noteFields(value, FIELDS[form], notes);
  const read = READERS[form](value, notes);
  const other = read.ok || TESTS[form](value) ? null : findForm(value);
  if (other === null) return read;
  const [one] = ROW_NAMES[other];
  const [, many] = ROW_NAMES[form];
  return failPart(
    [],
    `This is ${one}, but the others are read as ${many}. Import it from a file of its own, or rewrite it.`,
  );
}
