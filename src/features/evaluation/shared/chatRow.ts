// Reads one JSON object as a row, in the usual forms of fine-tuning data: chats (`messages`, `conversations`, a
// `prompt` of messages), Alpaca's instructions, else an object of variables. Unusable parts are reported, never
// silently changed.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { arrayOr, failRead, isObject, type JsonObject, type Read } from '#core/contract/readJson.ts';
import { failRow, toValueText, toVariableRow, type RowMessage, type RowRead } from './promptRow.ts';
import { openSentCalls, type SentCalls } from './sentCalls.ts';
import { readToolCalls, toExpectedJson } from './toolCalls.ts';
import { isDeeperThan, toTooDeepText } from '#core/json/valueDepth.ts';

const ROLES: Readonly<Record<string, RowMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};
/** A row may nest as deeply as a request. */
const MAX_DEPTH = REQUEST_LIMITS.jsonDepth;
/** ShareGPT's names. */
const SPEAKERS: Readonly<Record<string, string>> = { human: 'user', gpt: 'assistant' };
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Joins parts with line ends, as services do. */
function readContent(content: unknown, where: string): Read<string> {
  if (typeof content === 'string') return { ok: true, value: content };
  if (!Array.isArray(content)) return failRead(`${where} is not a text.`);
  const texts: string[] = [];
  for (const part of content as readonly unknown[]) {
    const text = isObject(part) && TEXT_PARTS.has(part['type']) ? part['text'] : part;
    if (typeof text !== 'string')
      return failRead(
        `${where} holds ` +
          `${isObject(part) ? `a part of type ${toValueText(part['type'] ?? null)}` : 'a part that is not text'}; ` +
          'only texts can be asked.',
      );
    texts.push(text);
  }
  return { ok: true, value: texts.join('\n') };
}

/** An entry of a chat. `where`: its place in the row, for messages to people. */
interface Entry {
  readonly where: string;
  readonly value: unknown;
  /** The entry comes from a field of the row: `where` is the place of its text. */
  readonly isField?: boolean;
}

/** ShareGPT's speaker -> a role of the API. */
const toRole = (from: unknown): unknown =>
  typeof from === 'string' && Object.hasOwn(SPEAKERS, from) ? SPEAKERS[from] : from;
/** ShareGPT's entry -> a message of the API. */
const toMessageForm = (entry: JsonObject): JsonObject =>
  'role' in entry || !('from' in entry) ? entry : { ...entry, role: toRole(entry['from']), content: entry['value'] };
/** The tool calls of a message. The older form `function_call` holds one. */
const toCallsForm = ({ function_call: legacy, tool_calls: calls }: JsonObject): readonly unknown[] =>
  isObject(legacy) ? [legacy] : arrayOr(calls);

function readRole(value: JsonObject, given: unknown, where: string): Read<RowMessage['role']> {
  const role = typeof given === 'string' && Object.hasOwn(ROLES, given) ? ROLES[given] : undefined;
  if (role !== undefined) return { ok: true, value: role };
  const field = 'from' in value && !('role' in value) ? 'from' : 'role';
  return failRead(
    `${where}.${field} is ${toValueText(given ?? null)}; a row may hold system, developer, user, assistant and ` +
      "tool (human and gpt in ShareGPT's form).",
  );
}

function readMessage({ where, value, isField }: Entry, isFirst: boolean, sent: SentCalls): Read<RowMessage> {
  if (!isObject(value)) return failRead(`${where} is not an object.`);
  const entry = toMessageForm(value);
  const role = readRole(value, entry['role'], where);
  if (!role.ok) return role;
  if (role.value === 'system' && !isFirst) return failRead(`${where} is a system message; only the first may be one.`);
  const calls = sent.readCalls(role.value === 'assistant' ? toCallsForm(entry) : []);
  if (!calls.ok) return failRead(`${where}.${calls.reason}`);
  const place = isField === true ? where : `${where}.${'role' in value ? 'content' : 'value'}`;
  const content = readContent(calls.value.length > 0 ? (entry['content'] ?? '') : entry['content'], place);
  if (!content.ok) return content;
  const message = { role: role.value, content: content.value };
  if (message.role !== 'tool')
    return { ok: true, value: { ...message, ...(calls.value.length > 0 && { tool_calls: calls.value }) } };
  const id = sent.readResult(entry['tool_call_id']);
  return id.ok ? { ok: true, value: { ...message, tool_call_id: id.value } } : failRead(`${where}${id.reason}`);
}

/** The ids of tool calls in the data. */
function toCallIds(entries: readonly Entry[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { value } of entries) {
    for (const call of isObject(value) ? toCallsForm(value) : [])
      if (isObject(call) && typeof call['id'] === 'string') ids.add(call['id']);
  }
  return ids;
}

/** A chat row. Its last answer becomes the expected answer. */
function readChat(entries: readonly Entry[], list: string): RowRead {
  const messages: RowMessage[] = [];
  const sent = openSentCalls(toCallIds(entries));
  for (const entry of entries) {
    const read = readMessage(entry, messages.length === 0, sent);
    if (!read.ok) return failRow(read.reason);
    messages.push(read.value);
  }
  const last = messages.at(-1);
  const answer = last?.role === 'assistant' ? last : null;
  const prompt = answer === null ? messages : messages.slice(0, -1);
  const end = prompt.at(-1)?.role;
  if (end !== 'user' && end !== 'tool') return failRow(`No user message to answer at the end of ${list}.`);
  const { tool_calls: calls = [], content = null } = answer ?? {};
  const read = calls.length === 0 ? null : readToolCalls(calls);
  if (read && !read.ok) return failRow(`The expected ${read.reason}.`);
  const row = {
    messages: prompt,
    variables: new Map<string, string>(),
    expected: read ? toExpectedJson(read.value) : content,
  };
  return {
    ok: true,
    row,
    ...(read && content?.trim() && { note: 'The text beside the expected tool calls is left out.' }),
  };
}

interface Chat {
  readonly list: string;
  readonly entries: readonly Entry[];
  /** The fields beside the chat. */
  readonly rest: JsonObject;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isMessages = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => isObject(entry) && 'role' in entry);
const toEntries = (list: string, values: readonly unknown[]): readonly Entry[] =>
  values.map((value, at) => ({ where: `${list}[${at}]`, value }));
/** A field of the row that is a whole message. */
const toEntry = (where: string, role: RowMessage['role'], content: unknown): Entry => ({
  where,
  value: { role, content },
  isField: true,
});
const toSystem = (system: unknown): readonly Entry[] =>
  isText(system) && system.trim() !== '' ? [toEntry('system', 'system', system)] : [];

/** The chat of a row in Alpaca's form; null for other rows. `history` holds earlier pairs of question and answer. */
function findAlpaca({ instruction, input, output, system, history, ...rest }: JsonObject): Chat | null {
  if (!isText(instruction) || !isText(output) || !(input == null || isText(input))) return null;
  const question = input == null || input.trim() === '' ? instruction : `${instruction}\n\n${input}`;
  const before = arrayOr(history).flatMap((pair, turn) =>
    arrayOr(pair).map((content, at) => toEntry(`history[${turn}][${at}]`, at === 0 ? 'user' : 'assistant', content)),
  );
  return {
    list: 'row',
    entries: [
      ...toSystem(system),
      ...before,
      toEntry('instruction', 'user', question),
      toEntry('output', 'assistant', output),
    ],
    rest,
  };
}

function findChat(value: JsonObject): Chat | null {
  const { messages, ...rest } = value;
  if (Array.isArray(messages)) return { list: 'messages', entries: toEntries('messages', messages), rest };
  const { conversations, system, ...others } = value;
  if (Array.isArray(conversations)) {
    const [first] = conversations as readonly unknown[];
    const hasSystem = isObject(first) && toMessageForm(first)['role'] === 'system';
    return {
      list: 'conversations',
      entries: [...(hasSystem ? [] : toSystem(system)), ...toEntries('conversations', conversations)],
      rest: hasSystem && system !== undefined ? { ...others, system } : others,
    };
  }
  const { prompt, completion, ...more } = value;
  if (isMessages(prompt)) {
    const answer = isMessages(completion)
      ? toEntries('completion', completion)
      : isText(completion)
        ? [toEntry('completion', 'assistant', completion)]
        : null;
    return {
      list: 'prompt',
      entries: [...toEntries('prompt', prompt), ...(answer ?? [])],
      rest: answer || completion === undefined ? more : { ...more, completion },
    };
  }
  return findAlpaca(value);
}

/** A field `expected` takes precedence over the chat's last answer. */
export function readObjectRow(value: JsonObject): RowRead {
  if (isDeeperThan(value, MAX_DEPTH))
    return failRow(`The row is ${toTooDeepText(MAX_DEPTH)}. Make it flatter, or write what is nested as a text.`);
  const chat = findChat(value);
  if (!chat) return { ok: true, row: toVariableRow(Object.entries(value)) };
  const read = readChat(chat.entries, chat.list);
  if (!read.ok) return read;
  const { variables, expected } = toVariableRow(Object.entries(chat.rest));
  return { ...read, row: { ...read.row, variables, expected: expected ?? read.row.expected } };
}

/** True if the list is one chat, not a list of rows. */
export const isChatList = (values: readonly unknown[]): boolean =>
  values.length > 0 &&
  values.every(
    (entry) =>
      isObject(entry) &&
      ('role' in entry ? 'content' in entry || 'tool_calls' in entry : 'from' in entry && 'value' in entry),
  );
