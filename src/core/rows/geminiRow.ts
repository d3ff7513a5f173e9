// Reads rows of Gemini: contents in parts, with the system text and the tools beside them.
import { arrayOr, isObject, type JsonObject } from '#core/contract/readJson.ts';
import { failPart, type ChatRow, type Part, type RowNotes } from './chatRow.ts';
import { readMessages, readTools } from './rowMessages.ts';

export const GEMINI_FIELDS: ReadonlySet<string> = new Set([
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
]);

const eitherOf = (value: JsonObject, one: string, other: string): unknown => value[one] ?? value[other];
const textOf = (part: unknown): unknown => (isObject(part) ? part['text'] : part);
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** The messages of one entry: results of calls are messages of their own. */
function toMessages(content: JsonObject): readonly unknown[] {
  const parts = arrayOr(content['parts']).filter(isObject);
  const results = parts.flatMap((part) => {
    const response = eitherOf(part, 'functionResponse', 'function_response');
    return isObject(response) ? [{ role: 'tool', content: toText(response['response']) }] : [];
  });
  if (results.length > 0) return results;
  const calls = parts.flatMap((part) => {
    const call = eitherOf(part, 'functionCall', 'function_call');
    return isObject(call) ? [{ name: call['name'], arguments: call['args'] ?? {} }] : [];
  });
  const rest = parts.filter((part) => !isObject(eitherOf(part, 'functionCall', 'function_call')));
  const texts = rest.map((part) => (typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : part));
  return [
    {
      role: content['role'] ?? 'user',
      content: texts.length === 0 ? null : texts,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

export function readGemini(value: JsonObject, notes: RowNotes): Part<ChatRow> {
  notes.isSame = false;
  const contents = value['contents'];
  if (!Array.isArray(contents)) return failPart([], 'The row has no list "contents".');
  const turns: unknown[] = [];
  for (const [at, content] of (contents as readonly unknown[]).entries()) {
    if (!isObject(content)) return failPart(['contents', at], 'An entry of "contents" must be an object.');
    turns.push(...toMessages(content));
  }
  const system = eitherOf(value, 'systemInstruction', 'system_instruction');
  const texts = isObject(system) ? arrayOr(system['parts']).map(textOf) : [textOf(system)];
  const said = texts.filter((text) => typeof text === 'string' && text.trim() !== '').join('\n');
  const read = readMessages([...(said === '' ? [] : [{ role: 'system', content: said }]), ...turns], [], notes);
  if (!read.ok) return failPart(['contents'], read.reason);
  const declared = arrayOr(value['tools']).flatMap((tool) =>
    isObject(tool) ? arrayOr(eitherOf(tool, 'functionDeclarations', 'function_declarations')) : [],
  );
  const tools = readTools(declared, ['tools'], notes);
  if (!tools.ok) return tools;
  return { ok: true, value: { messages: read.value, ...(tools.value && { tools: tools.value }) } };
}
