// Rows in the forms of trainers and services, each with its own way to say which answers are learnt. A row that a form can't
// express is refused with the reason: left out or written otherwise it would train something else.
import type { ToolCall } from '#core/contract/chatMessage.ts';
import type { TrainerForm } from '#features/datasets/shared/contract/filteredFile.ts';
import { parseJson, type JsonObject } from '#core/contract/readJson.ts';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { isLearnt } from '#core/rows/learnMarks.ts';

/** Lines of a file, or why the row has no place in it. */
export type TrainerRows =
  | { readonly ok: true; readonly rows: readonly JsonObject[] }
  | { readonly ok: false; readonly reason: string };

type Messages = readonly RowMessage[];
type Written = readonly JsonObject[] | string;

interface FormRules {
  readonly name: string;
  /** Why it takes no such chat; null: it does. */
  readonly findMisfit?: (row: ChatRow) => string | null;
  readonly toChat: (row: ChatRow) => Written;
  /** Absent: the trainer has no DPO, or no KTO. */
  readonly toPair?: (row: ChatRow & { readonly chosen: Messages; readonly rejected: Messages }) => Written;
  readonly toLabelled?: (row: ChatRow & { readonly completion: Messages; readonly label: boolean }) => Written;
}

const isMasked = (message: RowMessage): boolean => message.role === 'assistant' && !isLearnt(message);
const withoutField = (message: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(message).filter(([name]) => name !== field));
const withTools = ({ tools }: ChatRow): JsonObject => (tools ? { tools } : {});

/** A message without what only the studio and some trainers know. */
function toPlain({ role, content, name, tool_calls, tool_call_id }: RowMessage): JsonObject {
  return {
    role,
    content,
    ...(name !== undefined && { name }),
    ...(tool_calls && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  };
}

/** As services have it: thoughts have no place, and a weight says what is not learnt. */
const toWeighed = (message: RowMessage): JsonObject => ({
  ...toPlain(message),
  ...(isMasked(message) && { weight: 0 }),
});

/** As chat templates read it: with thoughts, and arguments as objects. */
function toTemplated(message: RowMessage): JsonObject {
  const { reasoning_content, thinking, tool_calls: calls } = message;
  const toCall = ({ function: called, ...call }: ToolCall): JsonObject => ({
    ...call,
    function: { name: called.name, arguments: parseJson(called.arguments, called.arguments) },
  });
  return {
    ...toPlain(message),
    ...(calls && { tool_calls: calls.map(toCall) }),
    ...(reasoning_content !== undefined && { reasoning_content }),
    ...(thinking !== undefined && { thinking }),
  };
}

/** A row for each answer that is learnt, with what was said before it. */
const cutAtAnswers = (
  { messages }: ChatRow,
  toRow: (before: Messages, answer: RowMessage) => JsonObject,
): readonly JsonObject[] =>
  messages.flatMap((message, at) => (isLearnt(message) && at > 0 ? [toRow(messages.slice(0, at), message)] : []));

function toSpeaker({ role, content, tool_calls: calls }: RowMessage): JsonObject {
  if (calls) return { from: 'function_call', value: JSON.stringify(calls.map((call) => readCall(call))) };
  const from = { system: 'system', developer: 'system', user: 'human', assistant: 'gpt', tool: 'observation' }[role];
  return { from, value: content ?? '' };
}
const readCall = ({ function: { name, arguments: text } }: ToolCall): JsonObject => ({
  name,
  arguments: parseJson(text, text),
});
/**
 * Calls and tools are JSON text: objects with other fields in each row would share one type, with nulls where a row has none,
 * and arguments of two types end the training.
 */
const toLlamaFactory = (message: RowMessage): JsonObject =>
  message.tool_calls
    ? { role: 'function', content: JSON.stringify(message.tool_calls.map((call) => readCall(call))) }
    : { ...toTemplated(message), role: message.role === 'developer' ? 'system' : message.role };
const toShareGpt = (messages: Messages, row: ChatRow): JsonObject => ({
  conversations: messages.map(toSpeaker),
  ...(row.tools && { tools: JSON.stringify(row.tools) }),
});

/** The two answers of a pair, where each is one message. */
function toOnePair(
  { chosen, rejected }: { readonly chosen: Messages; readonly rejected: Messages },
  toMessage: (message: RowMessage) => JsonObject,
  prompt: JsonObject,
): Written {
  const [good, ...more] = chosen;
  const [bad, ...others] = rejected;
  if (!good || !bad || more.length + others.length > 0) return 'its pairs have answers of one message each';
  return [{ ...prompt, chosen: toMessage(good), rejected: toMessage(bad) }];
}

const endsWithAnswer = ({ messages }: ChatRow): string | null =>
  messages.at(-1)?.role === 'assistant' ? null : 'its last message must be of the assistant';

function hasDeveloper({ messages }: ChatRow): string | null {
  return messages.some(({ role }) => role === 'developer') ? 'it has no role "developer"; write "system"' : null;
}

/** Which roles may follow one. */
const MISTRAL_TURNS: Readonly<Record<string, readonly string[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
};

/** Results follow their calls, all of them before the next answer. A row may end with calls. */
function findMistralMisfit({ messages }: ChatRow): string | null {
  const open = new Map<string, string>();
  for (const [at, { role, tool_calls: calls = [], tool_call_id: id = '' }] of messages.entries()) {
    const before = messages[at - 1]?.role;
    if (before !== undefined && !MISTRAL_TURNS[before]?.includes(role))
      return `no message of the ${role} may follow one of the ${before}`;
    if (role === 'tool' && !open.delete(id)) return 'it wants each result after its call, once';
    if (role !== 'assistant') continue;
    const [missing] = open.values();
    if (missing !== undefined) return `it wants the result of each call, and that of ${missing} is missing`;
    for (const call of calls) open.set(call.id, call.function.name);
  }
  return null;
}

/** Whoever begins. */
function isAlternating({ messages }: ChatRow): string | null {
  const spoken = messages.filter(({ role }) => role !== 'system');
  const odd = spoken.findIndex(({ role }, at) => role === 'tool' || role === spoken[at - 1]?.role);
  return odd < 0 ? null : 'user and assistant must alternate, and nobody else may speak';
}

/** OpenAI's pairs, which Together takes too. */
const toOpenAiPair: FormRules['toPair'] = ({ messages, chosen, rejected, ...row }) => [
  {
    input: { messages: messages.map(toPlain), ...withTools({ messages, ...row }) },
    preferred_output: chosen.map(toPlain),
    non_preferred_output: rejected.map(toPlain),
  },
];
const toOpenAiChat = (row: ChatRow): Written => [{ messages: row.messages.map(toWeighed), ...withTools(row) }];

const isSystem = ({ role }: RowMessage): boolean => role === 'system' || role === 'developer';
const toSystem = ({ messages }: ChatRow): string =>
  messages
    .filter(isSystem)
    .map(({ content }) => content ?? '')
    .join('\n\n');
const NO_MARKS = 'it has no mark for answers that are not learnt';

const toResponse = (text: string): unknown => {
  const value = parseJson(text, text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { result: text };
};

/** A result names its tool, not its call. */
function toGeminiContent(message: RowMessage, names: ReadonlyMap<string, string>): JsonObject {
  const { role, content, tool_calls: calls = [], tool_call_id: id = '' } = message;
  if (role === 'tool') {
    const response = { name: names.get(id) ?? message.name ?? id, response: toResponse(content ?? '') };
    return { role: 'user', parts: [{ functionResponse: response }] };
  }
  const parts = calls.map(({ function: { name, arguments: text } }) => ({
    functionCall: { name, args: parseJson(text, text) },
  }));
  return {
    role: role === 'assistant' ? 'model' : 'user',
    parts: [...(content === null || (content === '' && parts.length > 0) ? [] : [{ text: content }]), ...parts],
  };
}

function toGemini(row: ChatRow): Written {
  if (row.messages.some(isMasked)) return NO_MARKS;
  const names = new Map(
    row.messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ id, function: { name } }) => [id, name] as const),
    ),
  );
  const system = toSystem(row);
  return [
    {
      ...(system !== '' && { systemInstruction: { role: 'system', parts: [{ text: system }] } }),
      contents: row.messages.filter((message) => !isSystem(message)).map((message) => toGeminiContent(message, names)),
      ...(row.tools && { tools: [{ functionDeclarations: row.tools.map(({ function: declared }) => declared) }] }),
    },
  ];
}

/** Forms with `system` beside the messages, and no calls. */
function findPlainMisfit(row: ChatRow): string | null {
  if (row.messages.some(isMasked)) return NO_MARKS;
  if (row.tools || row.messages.some(({ tool_calls: calls, role }) => calls || role === 'tool'))
    return 'the studio writes no tools in it';
  const spoken = row.messages.filter((message) => !isSystem(message));
  if (spoken[0]?.role !== 'user') return 'its first message must be of the user';
  return isAlternating({ messages: spoken }) ?? endsWithAnswer(row);
}

const toSystemChat = (row: ChatRow, toContent: (text: string) => unknown): JsonObject => ({
  ...(toSystem(row) !== '' && { system: toContent(toSystem(row)) }),
  messages: row.messages
    .filter((message) => !isSystem(message))
    .map(({ role, content }) => ({ role, content: toContent(content ?? '') })),
});

const RULES: Readonly<Record<TrainerForm, FormRules>> = {
  axolotl: {
    name: 'Axolotl',
    toChat: ({ messages, ...row }) => [
      { messages: messages.map((message) => withoutField({ ...message }, 'marks_disagree')), ...row },
    ],
    toPair: (row) => toOnePair(row, toPlain, { messages: row.messages.map(toPlain), ...withTools(row) }),
    toLabelled: ({ messages, completion, label }) => {
      const [ask, ...more] = messages.filter((message) => !isSystem(message));
      const system = toSystem({ messages });
      if (!ask || more.length > 0 || completion.length > 1) return 'its rows for KTO have one question and one answer';
      return [
        { ...(system !== '' && { system }), prompt: ask.content, completion: completion[0]?.content ?? '', label },
      ];
    },
  },
  'llama-factory': {
    name: 'LLaMA-Factory',
    toChat: (row) =>
      cutAtAnswers(row, (before, answer) => ({
        messages: [...before, answer].map(toLlamaFactory),
        ...(row.tools && { tools: JSON.stringify(row.tools) }),
      })),
    toPair: (row) => toOnePair(row, toSpeaker, toShareGpt(row.messages, row)),
    toLabelled: ({ messages, completion, label, ...row }) => [
      { ...toShareGpt([...messages, ...completion], { messages, ...row }), label },
    ],
  },
  trl: {
    name: 'TRL',
    toChat: (row) =>
      cutAtAnswers(row, (before, answer) => ({
        prompt: before.map(toTemplated),
        completion: [toTemplated(answer)],
        ...withTools(row),
      })),
    toPair: ({ chosen, rejected, ...row }) => [
      {
        prompt: row.messages.map(toTemplated),
        chosen: chosen.map(toTemplated),
        rejected: rejected.map(toTemplated),
        ...withTools(row),
      },
    ],
    toLabelled: ({ completion, label, ...row }) => [
      { prompt: row.messages.map(toTemplated), completion: completion.map(toTemplated), label, ...withTools(row) },
    ],
  },
  'ms-swift': {
    name: 'ms-swift',
    toChat: (row) => [
      {
        messages: row.messages.map((message) => ({
          ...toPlain(message),
          ...(message.role === 'assistant' && { loss: isLearnt(message) }),
        })),
        ...withTools(row),
      },
    ],
    toPair: ({ messages, chosen, rejected, ...row }) => [
      {
        messages: [...messages, ...chosen].map(toPlain),
        rejected_messages: [...messages, ...rejected].map(toPlain),
        ...withTools({ messages, ...row }),
      },
    ],
    toLabelled: ({ messages, completion, label, ...row }) => [
      { messages: [...messages, ...completion].map(toPlain), label, ...withTools({ messages, ...row }) },
    ],
  },
  openai: { name: 'OpenAI', findMisfit: endsWithAnswer, toChat: toOpenAiChat, toPair: toOpenAiPair },
  together: {
    name: 'Together',
    findMisfit: (row) => hasDeveloper(row) ?? (row.tools ? 'it takes no "tools"' : null) ?? isAlternating(row),
    toChat: toOpenAiChat,
    toPair: toOpenAiPair,
  },
  mistral: {
    name: 'Mistral',
    findMisfit: (row) => hasDeveloper(row) ?? endsWithAnswer(row) ?? findMistralMisfit(row),
    // It forbids a name.
    toChat: (row) => [
      { messages: row.messages.map((message) => withoutField(toWeighed(message), 'name')), ...withTools(row) },
    ],
  },
  gemini: { name: 'Gemini', toChat: toGemini },
  nova: {
    name: 'Amazon Nova',
    findMisfit: findPlainMisfit,
    toChat: (row) => [{ schemaVersion: 'bedrock-conversation-2024', ...toSystemChat(row, (text) => [{ text }]) }],
  },
  claude: {
    name: 'Claude on Bedrock',
    findMisfit: findPlainMisfit,
    toChat: (row) => [toSystemChat(row, (text) => text)],
  },
};

export const toTrainerName = (form: TrainerForm): string => RULES[form].name;

function write(row: ChatRow, { toChat, toPair, toLabelled, findMisfit }: FormRules): Written {
  const { chosen, rejected, completion, label } = row;
  if (chosen && rejected) return toPair?.({ ...row, chosen, rejected }) ?? 'it has no pairs for DPO';
  if (completion && label !== undefined)
    return toLabelled?.({ ...row, completion, label }) ?? 'it has no labels for KTO';
  if (!row.messages.some(isLearnt)) return 'no answer of the row is learnt';
  return findMisfit?.(row) ?? toChat(row);
}

/** A row in the form of a trainer or service. */
export function toTrainerRows(row: ChatRow, form: TrainerForm): TrainerRows {
  const rules = RULES[form];
  const fail = (reason: string): TrainerRows => ({ ok: false, reason: `${rules.name}: ${reason}.` });
  if (form !== 'axolotl' && row.messages.some(({ train_detail: details }) => details !== undefined))
    return fail('it learns whole answers, and "train_detail" forbids a part of one');
  const written = write(row, rules);
  return typeof written === 'string' ? fail(written) : { ok: true, rows: written };
}
