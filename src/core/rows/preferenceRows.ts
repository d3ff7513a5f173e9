// Rows for DPO and KTO: two answers to one prompt, or one answer and whether it is wanted. In the normal form `messages` are
// the prompt alone, so that whoever knows nothing of such rows learns nothing of them.
import type { JsonPath } from '#core/contract/jsonPlaces.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { failPart, type ChatRow, type Part, type RowMessage, type RowNotes } from './chatRow.ts';
import { readListText, readMessages, readTools, withSystem } from './rowMessages.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The fields of pairs: OpenAI's, TRL's and Axolotl's, LLaMA-Factory's, ms-swift's. */
const namesOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
export const PREFERENCE_FIELDS = namesOf(
  'input preferred_output non_preferred_output prompt messages conversations chosen rejected instruction history system ' +
    'tools rejected_response rejected_messages',
);
export const KTO_FIELDS = namesOf(
  'prompt completion messages conversations label kto_tag instruction input output history system tools',
);

const isAnswer = (value: unknown): boolean =>
  (isText(value) && value !== '') || isObject(value) || (Array.isArray(value) && value.length > 0);
const isMessages = (value: unknown): boolean => Array.isArray(value) || isListText(value);
const isListText = (value: unknown): boolean => isText(value) && value.trimStart().startsWith('[');

export const isPreference = (row: JsonObject): boolean =>
  (isAnswer(row['preferred_output']) && isAnswer(row['non_preferred_output'])) ||
  (isAnswer(row['chosen']) && isAnswer(row['rejected'])) ||
  (isMessages(row['messages']) && (isAnswer(row['rejected_response']) || isAnswer(row['rejected_messages'])));

const findLabel = ({ label, kto_tag: tag }: JsonObject): unknown => (isGiven(label) ? label : tag);

export const isKto = (row: JsonObject): boolean =>
  typeof findLabel(row) === 'boolean' &&
  ((isAnswer(row['prompt']) && isAnswer(row['completion'])) ||
    isMessages(row['messages']) ||
    isMessages(row['conversations']) ||
    (isText(row['instruction']) && isText(row['output'])));

/** A text as a message, a message, or a list of them. */
const toMessages = (value: unknown, role: 'user' | 'assistant'): readonly unknown[] | null => {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (isText(value)) return [{ role, content: value }];
  return isObject(value) ? [value] : null;
};

/** What comes before the last answer, which may be several messages: calls, their results, and what is said of them. */
function cutAnswer(
  messages: readonly RowMessage[],
): readonly [before: readonly RowMessage[], answer: readonly RowMessage[]] {
  const user = messages.findLastIndex(({ role }) => role !== 'assistant' && role !== 'tool');
  return [messages.slice(0, user + 1), messages.slice(user + 1)];
}

function readSide(
  value: unknown,
  role: 'user' | 'assistant',
  path: JsonPath,
  notes: RowNotes,
): Part<readonly RowMessage[]> {
  const listed = readListText(value, path, notes);
  if (!listed.ok) return listed;
  const messages = toMessages(listed.value, role);
  if (messages === null)
    return failPart(path, `The field ${JSON.stringify(path.at(-1))} must be a text, a message or a list of messages.`);
  if (!Array.isArray(value)) notes.isSame = false;
  return readMessages(messages, messages === listed.value ? path : [], notes);
}

/** Instruction and input as one question, with one line end, as LLaMA-Factory and ms-swift make it. */
export const toAlpacaQuestion = (instruction: string, input: unknown): string =>
  isText(input) && input.trim() !== '' ? `${instruction}\n${input}` : instruction;

/** The turns of LLaMA-Factory's Alpaca rows; null: the row has no instruction. */
function toAlpacaPrompt({ instruction, input, history }: JsonObject): readonly unknown[] | null {
  if (!isText(instruction)) return null;
  const before = (Array.isArray(history) ? (history as readonly unknown[]) : []).flatMap((pair) =>
    Array.isArray(pair)
      ? [
          { role: 'user', content: pair[0] as unknown },
          { role: 'assistant', content: pair[1] as unknown },
        ]
      : [],
  );
  return [...before, { role: 'user', content: toAlpacaQuestion(instruction, input) }];
}

/** The prompt of a row, under whichever name; null: it has none of its own. */
function readPrompt(row: JsonObject, notes: RowNotes): Part<readonly RowMessage[] | null> {
  const name = ['messages', 'conversations', 'prompt'].find((field) => isGiven(row[field]));
  const given = name === undefined ? toAlpacaPrompt(row) : row[name];
  if (given === null) return { ok: true, value: null };
  if (name !== 'messages') notes.isSame = false;
  const read = readSide(given, 'user', name === undefined ? [] : [name], notes);
  if (!read.ok || !isText(row['system']) || row['system'].trim() === '') return read;
  notes.isSame = false;
  return { ok: true, value: withSystem(row['system'], read.value) as readonly RowMessage[] };
}

const isOpening = (messages: readonly RowMessage[]): boolean => {
  const role = messages[0]?.role;
  return role !== 'assistant' && role !== 'tool';
};

/** How many messages two conversations have in common at their start. */
function countCommon(one: readonly RowMessage[], other: readonly RowMessage[]): number {
  let count = 0;
  while (count < one.length - 1 && JSON.stringify(one[count]) === JSON.stringify(other[count])) count += 1;
  return count;
}

type Pair = Required<Pick<ChatRow, 'messages' | 'chosen' | 'rejected'>>;

/** Two whole conversations, as TRL and ms-swift have them. */
function toPair(chosen: readonly RowMessage[], rejected: readonly RowMessage[]): Part<Pair> {
  const common = countCommon(chosen, rejected);
  if (common === 0) return failPart([], 'The two conversations have no prompt in common.');
  return {
    ok: true,
    value: { messages: chosen.slice(0, common), chosen: chosen.slice(common), rejected: rejected.slice(common) },
  };
}

function readSwiftPair(row: JsonObject, notes: RowNotes): Part<Pair> {
  notes.isSame = false;
  const whole = readPrompt(row, notes);
  if (!whole.ok) return whole;
  const messages = whole.value ?? [];
  const field = isGiven(row['rejected_messages']) ? 'rejected_messages' : 'rejected_response';
  const rejected = readSide(row[field], 'assistant', [field], notes);
  if (!rejected.ok) return rejected;
  if (field === 'rejected_messages') return toPair(messages, rejected.value);
  const [before, chosen] = cutAnswer(messages);
  if (chosen.length === 0) return failPart(['messages'], 'The messages have no answer that is preferred.');
  return { ok: true, value: { messages: before, chosen, rejected: rejected.value } };
}

function readPair(row: JsonObject, notes: RowNotes): Part<Pair> {
  const isOpenAi = isGiven(row['preferred_output']);
  const [good, bad] = isOpenAi ? ['preferred_output', 'non_preferred_output'] : ['chosen', 'rejected'];
  if (!isGiven(row[good])) return readSwiftPair(row, notes);
  if (isOpenAi) notes.isSame = false;
  const chosen = readSide(row[good], 'assistant', [good], notes);
  if (!chosen.ok) return chosen;
  const rejected = readSide(row[bad], 'assistant', [bad], notes);
  if (!rejected.ok) return rejected;
  if (isOpening(chosen.value)) {
    notes.isSame = false;
    return toPair(chosen.value, rejected.value);
  }
  const prompt = readPrompt(isOpenAi && isObject(row['input']) ? row['input'] : row, notes);
  if (!prompt.ok) return prompt;
  if (prompt.value === null)
    return failPart([], `The row has no prompt: it needs "prompt", or both answers as lists of all messages.`);
  return { ok: true, value: { messages: prompt.value, chosen: chosen.value, rejected: rejected.value } };
}

function addTools<Row extends ChatRow>(row: Row, given: unknown, notes: RowNotes): Part<ChatRow> {
  if (!isGiven(given)) return { ok: true, value: row };
  const tools = readTools(given, ['tools'], notes);
  if (!tools.ok) return tools;
  const { messages, ...answers } = row;
  return { ok: true, value: { messages, ...(tools.value !== null && { tools: tools.value }), ...answers } };
}

/** A pair of answers. */
export function readPreference(row: JsonObject, notes: RowNotes): Part<ChatRow> {
  const pair = readPair(row, notes);
  if (!pair.ok) return pair;
  const { input } = row;
  return addTools(pair.value, row['tools'] ?? (isObject(input) ? input['tools'] : null), notes);
}

/** An answer with its label. */
export function readKto(row: JsonObject, notes: RowNotes): Part<ChatRow> {
  const label = findLabel(row);
  if (typeof label !== 'boolean') return failPart(['label'], 'The field "label" must be true or false.');
  if (row['label'] !== label) notes.isSame = false;
  const answer = isText(row['instruction']) && !isGiven(row['completion']) ? row['output'] : row['completion'];
  const prompt = readPrompt(row, notes);
  if (!prompt.ok) return prompt;
  if (isGiven(answer)) {
    const completion = readSide(answer, 'assistant', ['completion'], notes);
    if (!completion.ok) return completion;
    if (prompt.value === null) return failPart([], 'The row has no prompt.');
    return addTools({ messages: prompt.value, completion: completion.value, label }, row['tools'], notes);
  }
  notes.isSame = false;
  const [messages, completion] = cutAnswer(prompt.value ?? []);
  if (completion.length === 0 || messages.length === 0)
    return failPart([], 'The row needs a prompt, and an answer that its label is about.');
  return addTools({ messages, completion, label }, row['tools'], notes);
}

/** Whether a row in the normal form is a pair, or an answer with a label. */
export const isComparison = ({ chosen, completion }: ChatRow): boolean =>
  chosen !== undefined || completion !== undefined;

/** Each answer that DPO and KTO compare, as a chat of which it alone is learnt. Of other rows: none. */
export function toAnswerChats({ messages, tools, chosen, rejected, completion, label }: ChatRow): readonly {
  readonly chat: ChatRow;
  readonly isWanted: boolean;
}[] {
  const toRead = (message: RowMessage): RowMessage =>
    message.role === 'assistant' ? { ...message, weight: 0 } : message;
  const toChat = (answer: readonly RowMessage[], isWanted: boolean) => ({
    chat: { messages: [...messages.map(toRead), ...answer], ...(tools && { tools }) },
    isWanted,
  });
  if (chosen !== undefined && rejected !== undefined) return [toChat(chosen, true), toChat(rejected, false)];
  return completion !== undefined && label !== undefined ? [toChat(completion, label)] : [];
}

/** The row as a chat with the preferred answer; one that is not wanted is not learnt. Other rows as they are. */
export function toPreferred(row: ChatRow): ChatRow {
  const { messages, tools, chosen, completion, label } = row;
  const answer = chosen ?? completion;
  if (answer === undefined) return row;
  const toSaid = (message: RowMessage): RowMessage => {
    const isUnwanted = label === false && message.role === 'assistant';
    return isUnwanted ? { ...message, weight: 0 } : message;
  };
  return { messages: [...messages, ...answer.map(toSaid)], ...(tools && { tools }) };
}

/** All messages of a row, those of a rejected answer too. */
export const toAllMessages = ({ messages, chosen, rejected, completion }: ChatRow): readonly RowMessage[] =>
  chosen === undefined && rejected === undefined && completion === undefined
    ? messages
    : [messages, chosen, rejected, completion].flatMap((part) => part ?? []);

/** The form that a row is read by, to become a chat with its preferred answer. */
export function readPreferred(row: JsonObject, notes: RowNotes): Part<ChatRow> {
  notes.isSame = false;
  const read = isPreference(row) ? readPreference(row, notes) : readKto(row, notes);
  return read.ok ? { ok: true, value: toPreferred(read.value) } : read;
}
