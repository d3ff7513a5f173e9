// The Responses API, for texts and calls of functions. ASSUMED: not in SPEC; OpenAI's newer form, which some clients use by
// default. Each request becomes one of chats, so that both have the same rules. Nothing is kept between requests.
import * as z from 'zod/mini';
import { toolNameSchema } from './chatMessage.ts';
import { parseChatRequest, samplingShape, type ChatRequest } from './chatRequest.ts';
import { toIssue, type ParsedAs } from './issues.ts';
import { MAX_TOKENS_LIMITS, MESSAGE_LIMITS, REQUEST_LIMITS } from './limits.ts';
import { maxCharacters, only } from './schemas.ts';

const textSchema = z.union(
  [z.string(), z.array(z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }))],
  { error: 'must be a text or a list of text parts ({"type":"input_text","text":…}): models here read text only' },
);

const messageSchema = z.object({
  type: z.optional(z.literal('message')),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: textSchema,
});
const callSchema = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
const outputSchema = z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: textSchema });
/** What a model thought before: templates drop it. */
const thoughtSchema = z.object({ type: z.literal('reasoning') });

const itemSchema = z.union([messageSchema, callSchema, outputSchema, thoughtSchema], {
  error:
    'must be a message with text, a function_call with call_id, name and arguments, a function_call_output with call_id ' +
    'and output, or reasoning',
});

const toolSchema = z.object({
  type: z.literal('function'),
  name: toolNameSchema,
  description: z.optional(z.nullable(z.string())),
  parameters: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  strict: z.optional(z.nullable(z.boolean())),
});

const choiceSchema = z.union(
  [z.enum(['none', 'auto', 'required']), z.object({ type: z.literal('function'), name: z.string() })],
  { error: 'must be "none", "auto", "required" or {"type":"function","name":…}' },
);

const formatSchema = z.union(
  [
    z.object({ type: z.enum(['text', 'json_object']) }),
    z.object({
      type: z.literal('json_schema'),
      name: z.optional(z.string()),
      description: z.optional(z.nullable(z.string())),
      schema: z.record(z.string(), z.unknown()),
      strict: z.optional(z.nullable(z.boolean())),
    }),
  ],
  { error: 'must be {"type":"text"}, {"type":"json_object"} or {"type":"json_schema","name":…,"schema":{…}}' },
);

const nothing = (why: string) =>
  z.optional(
    z.unknown().check(
      z.refine((value) => value === null, `must be null: ${why}`),
      z.meta({ type: 'null' }),
    ),
  );

export const responsesRequestSchema = z.object({
  model: z.string().check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters)),
  input: z.union([z.string(), z.array(itemSchema).check(z.minLength(1), z.maxLength(MESSAGE_LIMITS.max))]),
  instructions: z.optional(z.nullable(z.string())),
  max_output_tokens: z.optional(
    z.nullable(z.int().check(z.minimum(MAX_TOKENS_LIMITS.min), z.maximum(MAX_TOKENS_LIMITS.max))),
  ),
  temperature: samplingShape.temperature,
  top_p: samplingShape.top_p,
  tools: z.optional(z.nullable(z.array(toolSchema).check(z.maxLength(REQUEST_LIMITS.tools)))),
  tool_choice: z.optional(z.nullable(choiceSchema)),
  text: z.optional(z.nullable(z.object({ format: z.optional(z.nullable(formatSchema)) }))),
  stream: z.optional(z.nullable(z.boolean())),
  metadata: z.optional(z.nullable(z.record(z.string(), z.string()))),
  previous_response_id: nothing('this studio keeps no responses. Send the whole conversation as input'),
  conversation: nothing('this studio keeps no conversations. Send the whole conversation as input'),
  background: z.optional(z.nullable(only(z.boolean(), false, 'this studio answers while you wait'))),
});

type ResponsesBody = z.infer<typeof responsesRequestSchema>;

/** A request as an engine gets it, and what the answer repeats of it. */
export interface ResponsesRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly chat: ChatRequest;
  readonly asked: ResponsesBody;
}

type Text = z.infer<typeof textSchema>;
const toText = (text: Text): string => (typeof text === 'string' ? text : text.map((part) => part.text).join('\n'));

interface Draft {
  role: string;
  content?: string | null;
  tool_calls?: object[];
  tool_call_id?: string;
}

/** Calls that follow each other, or a text of the assistant, are of one message. */
function toMessages({ input, instructions }: ResponsesBody): readonly Draft[] {
  const messages: Draft[] = [];
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  for (const item of items) {
    const last = messages.at(-1);
    if ('role' in item) messages.push({ role: item.role, content: toText(item.content) });
    else if (item.type === 'function_call') {
      const call = { id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } };
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    } else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', content: toText(item.output), tool_call_id: item.call_id });
  }
  if (instructions == null || instructions === '') return messages;
  const [first, ...rest] = messages;
  const isSystem = first?.role === 'system' || first?.role === 'developer';
  return isSystem
    ? [{ ...first, content: `${instructions}\n\n${first.content ?? ''}` }, ...rest]
    : [{ role: 'system', content: instructions }, ...messages];
}

function toFormat(text: ResponsesBody['text']): object | undefined {
  const format = text?.format;
  if (format == null) return undefined;
  if (format.type !== 'json_schema') return format;
  const { name, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, schema, strict } };
}

function toChoice(choice: ResponsesBody['tool_choice']): unknown {
  return typeof choice === 'object' && choice !== null ? { type: 'function', function: { name: choice.name } } : choice;
}

/** The place in a chat request, as it is called here. */
function toOwnParam(param: string | null): string | null {
  if (param === null) return null;
  if (param.startsWith('messages')) return 'input';
  if (param.startsWith('response_format')) return 'text.format';
  if (param === 'max_completion_tokens') return 'max_output_tokens';
  return param.replace(/^(tools\[\d+\])\.function/, '$1');
}

/** Without the fields that say nothing, which a chat request may not have as null. */
const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Validates an unknown body. Pure; never throws. */
export function parseResponsesBody(body: unknown): ParsedAs<ResponsesBody> {
  const parsed = responsesRequestSchema.safeParse(body, { reportInput: true });
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: toIssue(parsed.error.issues) };
}

/** The same, as engines get it. */
export function parseResponsesRequest(body: unknown): ParsedAs<ResponsesRequest> {
  const read = parseResponsesBody(body);
  if (!read.ok) return read;
  const asked = read.value;
  const { model, temperature, top_p, max_output_tokens, tools, tool_choice, text } = asked;
  const chat = parseChatRequest(
    withoutNulls({
      model,
      messages: toMessages(asked),
      temperature,
      top_p,
      max_completion_tokens: max_output_tokens,
      tools: tools?.map(({ type, ...called }) => ({ type, function: withoutNulls(called) })),
      tool_choice: toChoice(tool_choice),
      response_format: toFormat(text),
      stream: asked.stream,
    }),
  );
  if (!chat.ok) return { ok: false, problem: { ...chat.problem, param: toOwnParam(chat.problem.param) } };
  return { ok: true, value: { model, stream: asked.stream === true, chat: chat.value, asked } };
}

const statusSchema = z.enum(['in_progress', 'completed', 'incomplete']);

const messageItemSchema = z.strictObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: statusSchema,
  content: z.array(
    z.strictObject({
      type: z.literal('output_text'),
      text: z.string(),
      annotations: z.array(z.never()),
      logprobs: z.array(z.never()),
    }),
  ),
});
const callItemSchema = z.strictObject({
  id: z.string(),
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: statusSchema,
});
const thoughtItemSchema = z.strictObject({
  id: z.string(),
  type: z.literal('reasoning'),
  summary: z.array(z.never()),
  content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })),
  status: statusSchema,
});

export const responsesAnswerSchema = z.strictObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: statusSchema,
  error: z.null(),
  incomplete_details: z.nullable(z.strictObject({ reason: z.enum(['max_output_tokens', 'content_filter']) })),
  instructions: z.nullable(z.string()),
  max_output_tokens: z.nullable(z.int()),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  output: z.array(z.union([thoughtItemSchema, messageItemSchema, callItemSchema])),
  parallel_tool_calls: z.literal(true),
  previous_response_id: z.null(),
  store: z.literal(false),
  temperature: z.nullable(z.number()),
  text: z.strictObject({ format: formatSchema }),
  tool_choice: choiceSchema,
  tools: z.array(toolSchema),
  top_p: z.nullable(z.number()),
  truncation: z.literal('disabled'),
  usage: z.nullable(
    z.strictObject({
      input_tokens: z.int(),
      input_tokens_details: z.strictObject({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    }),
  ),
});

export type ResponsesAnswer = z.infer<typeof responsesAnswerSchema>;
export type OutputItem = ResponsesAnswer['output'][number];
