// One JSON object as a row, in the forms that people fine-tune with: chats (`messages`, `conversations`, a `prompt` of
// messages), Alpaca's instructions, else an object of variables. What can't be used is said, never changed in silence.
import type { ToolCall } from '../contract/chatMessage';
import { arrayOr, failRead, isObject, type JsonObject, type Read } from '../contract/reading';
import { failRow, toValueText, toVariableRow, type RowMessage, type RowRead } from './promptRow';
import { readToolCall, readToolCalls, toCallsJson } from './toolCalls';

const ROLES: Readonly<Record<string, RowMessage['role']>> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool' };
/** ShareGPT's names. */
const SPEAKERS: Readonly<Record<string, string>> = { human: 'user', gpt: 'assistant' };
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Parts are joined as services do it: a line each. */
function readContent(content: unknown, where: string): Read<string> {
  if (typeof content === 'string') return { ok: true, value: content };
  if (!Array.isArray(content)) return failRead(`${where} is not a text.`);
  const texts: string[] = [];
  for (const part of content as readonly unknown[]) {
    const text = isObject(part) && TEXT_PARTS.has(part['type']) ? part['text'] : part;
    if (typeof text !== 'string') return failRead(`${where} holds ${isObject(part) ? `a part of type ${toValueText(part['type'] ?? null)}` : 'a part that is no text'}; only texts can be asked.`);
    texts.push(text);
  }
  return { ok: true, value: texts.join('\n') };
}

/** Calls as they are sent: ids that are missing are counted on from `known`. */
function readSentCalls(values: readonly unknown[], known: number): Read<readonly ToolCall[]> {
  const calls: ToolCall[] = [];
  for (const [at, value] of values.entries()) {
    const read = readToolCall(value);
    if (!read.ok) return failRead(`tool_calls[${at}] can't be used: ${read.reason}.`);
    const given = isObject(value) ? value : {};
    const source = isObject(given['function']) ? given['function'] : given;
    const text = typeof source['arguments'] === 'string' ? source['arguments'] : JSON.stringify(read.value.arguments);
    calls.push({ id: typeof given['id'] === 'string' ? given['id'] : `call_${known + at + 1}`, type: 'function', function: { name: read.value.name, arguments: text } });
  }
  return { ok: true, value: calls };
}

/** ShareGPT's entries in the form of the API. */
const toEntry = (entry: JsonObject): JsonObject =>
  'role' in entry || !('from' in entry) ? entry : { ...entry, role: typeof entry['from'] === 'string' ? (SPEAKERS[entry['from']] ?? entry['from']) : entry['from'], content: entry['value'] };

function readMessage(value: unknown, where: string, before: readonly RowMessage[]): Read<RowMessage> {
  if (!isObject(value)) return failRead(`${where} is not an object.`);
  const entry = toEntry(value);
  const given = entry['role'];
  const role = typeof given === 'string' && Object.hasOwn(ROLES, given) ? ROLES[given] : undefined;
  if (role === undefined) return failRead(`${where}.${'role' in value ? 'role' : 'from' in value ? 'from' : 'role'} is ${toValueText(given ?? null)}; a row may hold system, developer, user, assistant and tool (human and gpt in ShareGPT's form).`);
  if (role === 'system' && before.length > 0) return failRead(`${where} is a system message; only the first may be one.`);
  const legacy = entry['function_call'];
  const values = role === 'assistant' ? (isObject(legacy) ? [legacy] : arrayOr(entry['tool_calls'])) : [];
  const sent = before.flatMap(({ tool_calls = [] }) => tool_calls);
  const calls = readSentCalls(values, sent.length);
  if (!calls.ok) return failRead(`${where}.${calls.reason}`);
  const content = readContent(calls.value.length > 0 ? (entry['content'] ?? '') : entry['content'], `${where}.${'role' in value ? 'content' : 'value'}`);
  if (!content.ok) return content;
  if (role !== 'tool') return { ok: true, value: { role, content: content.value, ...(calls.value.length > 0 && { tool_calls: calls.value }) } };
  // Without an id a result is that of the next call.
  const id = typeof entry['tool_call_id'] === 'string' ? entry['tool_call_id'] : sent[before.filter((message) => message.role === 'tool').length]?.id;
  return id === undefined ? failRead(`${where} is the result of a tool that was not called.`) : { ok: true, value: { role, content: content.value, tool_call_id: id } };
}

/** A chat without its last answer, which is what is expected. */
function readChat(entries: readonly unknown[], list: string): RowRead {
  const messages: RowMessage[] = [];
  for (const [at, entry] of entries.entries()) {
    const read = readMessage(entry, `${list}[${at}]`, messages);
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
  const row = { messages: prompt, variables: new Map<string, string>(), expected: read ? toCallsJson(read.value) : content };
  return { ok: true, row, ...(read && content?.trim() && { note: 'The text beside the expected tool calls is left out.' }) };
}

interface Chat {
  readonly list: string;
  readonly entries: readonly unknown[];
  /** Fields that are no part of the chat. */
  readonly rest: JsonObject;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isMessages = (value: unknown): value is readonly JsonObject[] => Array.isArray(value) && value.length > 0 && value.every((entry) => isObject(entry) && 'role' in entry);
const toSystem = (system: unknown): readonly JsonObject[] => (isText(system) && system.trim() !== '' ? [{ role: 'system', content: system }] : []);

/** Alpaca's form; null: it is none. `history` holds pairs of what was asked and answered before. */
function findAlpaca({ instruction, input, output, system, history, ...rest }: JsonObject): Chat | null {
  if (!isText(instruction) || !isText(output) || !(input == null || isText(input))) return null;
  const question = { role: 'user', content: input == null || input.trim() === '' ? instruction : `${instruction}\n\n${input}` };
  const before = arrayOr(history).flatMap((pair) => arrayOr(pair).map((content, at) => ({ role: at === 0 ? 'user' : 'assistant', content })));
  return { list: 'row', entries: [...toSystem(system), ...before, question, { role: 'assistant', content: output }], rest };
}

function findChat(value: JsonObject): Chat | null {
  const { messages, ...rest } = value;
  if (Array.isArray(messages)) return { list: 'messages', entries: messages, rest };
  const { conversations, system, ...others } = value;
  if (Array.isArray(conversations)) {
    const [first] = conversations as readonly unknown[];
    const hasSystem = isObject(first) && toEntry(first)['role'] === 'system';
    return { list: 'conversations', entries: [...(hasSystem ? [] : toSystem(system)), ...(conversations as readonly unknown[])], rest: hasSystem && system !== undefined ? { ...others, system } : others };
  }
  const { prompt, completion, ...more } = value;
  if (isMessages(prompt)) {
    const answer = isMessages(completion) ? completion : isText(completion) ? [{ role: 'assistant', content: completion }] : null;
    return { list: 'prompt', entries: [...prompt, ...(answer ?? [])], rest: answer || completion === undefined ? more : { ...more, completion } };
  }
  return findAlpaca(value);
}

/** A field `expected` outweighs the chat's last answer. */
export function readObjectRow(value: JsonObject): RowRead {
  const chat = findChat(value);
  if (!chat) return { ok: true, row: toVariableRow(Object.entries(value)) };
  const read = readChat(chat.entries, chat.list);
  if (!read.ok) return read;
  const { variables, expected } = toVariableRow(Object.entries(chat.rest));
  return { ...read, row: { ...read.row, variables, expected: expected ?? read.row.expected } };
}

/** A list that is a chat itself, not one of rows. */
export const isChatList = (values: readonly unknown[]): boolean => values.length > 0 && values.every((entry) => isObject(entry) && ('role' in entry ? 'content' in entry || 'tool_calls' in entry : 'from' in entry && 'value' in entry));
