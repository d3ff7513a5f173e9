// Reads an object as a row in one of the known forms of files.
import { arrayOr, isObject, type JsonObject } from '#core/contract/readJson.ts';
import { failPart, FOUND_FORMS, type ChatRow, type Part, type RowForm, type RowNotes } from './chatRow.ts';
import { GEMINI_FIELDS, readGemini } from './geminiRow.ts';
import {
  isKto,
  isPreference,
  KTO_FIELDS,
  PREFERENCE_FIELDS,
  readKto,
  readPreference,
  readPreferred,
  toAlpacaQuestion,
} from './preferenceRows.ts';
import { readListText, readMessages, readTools, withSystem } from './rowMessages.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isBlank = (value: unknown): boolean => value === null || value === undefined || (isText(value) && !value.trim());

type OneForm = Exclude<RowForm, 'mixed'>;

/** The fields of each form, without those that the row says nothing by. */
const FIELDS: Readonly<Record<OneForm, ReadonlySet<string>>> = {
  preference: PREFERENCE_FIELDS,
  kto: KTO_FIELDS,
  preferred: new Set([...PREFERENCE_FIELDS, ...KTO_FIELDS]),
  gemini: GEMINI_FIELDS,
  // The last one says that the row is of Amazon Nova.
  chat: new Set(['messages', 'system', 'tools', 'functions', 'schemaVersion']),
  sharegpt: new Set(['conversations', 'system', 'tools']),
  alpaca: new Set(['instruction', 'input', 'output', 'system', 'history', 'tools']),
  'prompt-completion': new Set(['prompt', 'completion', 'system', 'tools']),
};

/** Notes the fields that `known` does not have. Tables write null for fields that only other rows have. */
export function noteFields(value: JsonObject, known: ReadonlySet<string>, notes: RowNotes): void {
  for (const name in value) if (!known.has(name) && value[name] !== null) notes.leaveOut(name);
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

/** A list of messages with a system text beside it. Places are those of the list. */
function readConversation(given: unknown, system: unknown, field: string, notes: RowNotes): Part<ChatRow['messages']> {
  const list = readListText(given, [field], notes);
  if (!list.ok) return list;
  if (!Array.isArray(list.value)) return failPart([], `The row has no list "${field}".`);
  const turns = list.value as readonly unknown[];
  // Amazon Nova has a list of texts.
  const text = Array.isArray(system) ? system.map((part) => (isObject(part) ? part['text'] : part)).join('\n') : system;
  const entries = withSystem(text, turns);
  if (entries !== turns) notes.isSame = false;
  else if (!isBlank(text)) notes.leaveOut('system');
  // Places within a text can't be shown.
  const path = list.value === given ? [field] : [];
  const read = readMessages(entries, path, notes);
  if (read.ok || path.length === 0 || entries === turns) return read;
  const [, at, ...rest] = read.path;
  return typeof at === 'number' ? failPart([field, at - 1, ...rest], read.reason) : read;
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** A pair, or an answer with a label, as the studio itself writes it. */
const isNormalComparison = ({ messages, chosen, rejected, completion, label }: JsonObject): boolean =>
  Array.isArray(messages) &&
  ((isFilled(chosen) && isFilled(rejected)) || (isFilled(completion) && typeof label === 'boolean'));

function readChat(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  if (isNormalComparison(value))
    return Array.isArray(value['chosen']) ? readPreference(value, notes) : readKto(value, notes);
  const { messages, system, tools, functions, schemaVersion } = value;
  if (schemaVersion !== undefined) notes.isSame = false;
  const read = readConversation(messages, system, 'messages', notes);
  if (!read.ok) return read;
  const isLegacy = (tools === undefined || tools === null) && functions !== undefined;
  if (isLegacy) notes.isSame = false;
  else if (functions !== undefined && functions !== null) notes.leaveOut('functions');
  return addTools(read.value, isLegacy ? functions : tools, isLegacy ? 'functions' : 'tools', notes);
}

function readShareGpt(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  notes.isSame = false;
  const read = readConversation(value['conversations'], value['system'], 'conversations', notes);
  return read.ok ? addTools(read.value, value['tools'], 'tools', notes) : read;
}

function readAlpaca(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  const { instruction, input, output, system, history, tools } = value;
  if (!isText(instruction)) return failPart(['instruction'], 'The field "instruction" must be a text.');
  if (!isText(output)) return failPart(['output'], 'The field "output" must be a text.');
  if (!(isText(input) || isBlank(input))) return failPart(['input'], 'The field "input" must be a text.');
  const question = toAlpacaQuestion(instruction, input);
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

const READERS: Readonly<Record<OneForm, (value: JsonObject, notes: RowNotes) => Part<ChatRow>>> = {
  preference: readPreference,
  kto: readKto,
  preferred: readPreferred,
  gemini: readGemini,
  chat: readChat,
  sharegpt: readShareGpt,
  alpaca: readAlpaca,
  'prompt-completion': readPrompt,
};

/** A list, or one that a table keeps as text. */
const isList = (value: unknown): boolean =>
  Array.isArray(value) || (isText(value) && value.trimStart().startsWith('['));

/** Whether an object has the fields of a form. */
const TESTS: Readonly<Record<OneForm, (value: JsonObject) => boolean>> = {
  preference: isPreference,
  kto: isKto,
  preferred: (row) => isPreference(row) || isKto(row),
  gemini: ({ contents }) => Array.isArray(contents),
  chat: ({ messages }) => isList(messages),
  sharegpt: ({ conversations }) => isList(conversations),
  alpaca: ({ instruction, output }) => isText(instruction) && isText(output),
  'prompt-completion': ({ prompt, completion }) =>
    toMessages(prompt, 'user') !== null && toMessages(completion, 'assistant') !== null,
};

/** The form that an object has by its fields; null if none. */
export const findForm = (value: JsonObject): (typeof FOUND_FORMS)[number] | null =>
  FOUND_FORMS.find((form) => TESTS[form](value)) ?? null;

const ROW_NAMES: Readonly<Record<OneForm, readonly [one: string, many: string]>> = {
  preference: ['a pair of answers for DPO', 'pairs of answers for DPO'],
  kto: ['an answer with a label for KTO', 'answers with labels for KTO'],
  preferred: ['a row for DPO or KTO', 'rows for DPO or KTO'],
  gemini: ['a row of Gemini', 'rows of Gemini'],
  chat: ['a chat row', 'chat rows'],
  sharegpt: ['a ShareGPT row', 'ShareGPT rows'],
  alpaca: ['an Alpaca row', 'Alpaca rows'],
  'prompt-completion': ['a row of prompt and completion', 'rows of prompt and completion'],
};

/** Rows that compare answers are for other trainings than conversations, and are never mixed with them. */
export const isConversation = (form: RowForm): boolean => form !== 'preference' && form !== 'kto';

/** How rows of a form are called: `ShareGPT rows`; one: `ShareGPT row`. */
export const toRowsName = (form: OneForm, count: number): string =>
  count === 1 ? ROW_NAMES[form][0].replace(/^an? /, '') : ROW_NAMES[form][1];

function readMixed(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  const form = findForm(value);
  // Only of chat rows the places are those of the line.
  if (form !== 'chat') notes.source = null;
  if (form !== null && isConversation(form)) return readForm(value, form, notes);
  return failPart(
    [],
    form === null
      ? 'The row has none of the known forms: "messages", "conversations", "instruction" and "output", "prompt" and "completion", ' +
          'or "contents".'
      : `This is ${ROW_NAMES[form][0]}, and the others are conversations. Import it from a file of its own.`,
  );
}

/** Reads a row in a known form. */
export function readForm(value: JsonObject, form: RowForm, notes: RowNotes): Part<ChatRow> {
  if (form === 'mixed') return readMixed(value, notes);
  noteFields(value, form === 'chat' && isNormalComparison(value) ? FIELDS.preferred : FIELDS[form], notes);
  const read = READERS[form](value, notes);
  const other = read.ok || TESTS[form](value) ? null : findForm(value);
  if (other === null) return read;
  const [one] = ROW_NAMES[other];
  const [, many] = ROW_NAMES[form];
  return failPart(
    [],
    `This is ${one}, but the others are read as ${many}. ` +
      (isConversation(form) && isConversation(other)
        ? 'Convert it too (form "mixed"), or import it from a file of its own.'
        : 'Import it from a file of its own, or rewrite it.'),
  );
}
