// Chat messages, tools and tool calls on the wire (SPEC 2.3; tools ASSUMED: OpenAI's form).
import * as z from 'zod/mini';
import { isObject } from './readJson.ts';

const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

const toolCallOf = (name: z.ZodMiniString) =>
  z.object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name, arguments: z.string() }),
  });

export const toolCallSchema = toolCallOf(z.string());

// What `findMessageProblem` of chatRequest.ts asks for. Programs that make clients pass over `if`.
const hasText = (type: unknown): object => ({
  if: { properties: { role: { const: 'assistant' }, tool_calls: { minItems: 1 } }, required: ['tool_calls'] },
  else: { properties: { content: { type } }, required: ['content'] },
});
const NAMES_CALL = { if: { properties: { role: { not: { const: 'tool' } } } }, else: { required: ['tool_call_id'] } };

/** What is wrong with a content that is no text: the first part that is none, by its type. */
function toContentProblem(content: unknown): string {
  if (!Array.isArray(content)) return 'must be a text or a list of text parts';
  const at = content.findIndex((part) => !textPartSchema.safeParse(part).success);
  const type: unknown = isObject(content[at]) ? content[at]['type'] : undefined;
  return typeof type === 'string' && type !== 'text'
    ? `must be a text or a list of text parts: models here read no "${type}", which is part ${at}`
    : `must be a text or a list of text parts: part ${at} must be {"type":"text","text":…}`;
}

const textPartSchema = z.object({ type: z.literal('text'), text: z.string() });

/** ASSUMED: parts of text are joined by a line break, as vLLM and llama.cpp's server join them. */
const contentSchema = z.pipe(
  z.union([z.string(), z.array(textPartSchema)], { error: ({ input }) => toContentProblem(input) }),
  z.transform((content) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'))),
);

const shapeOf = <Call extends typeof toolCallSchema, Content extends z.ZodMiniType<string>>(
  call: Call,
  content: Content,
) => ({
  role: z.enum(MESSAGE_ROLES),
  // ASSUMED: null is allowed where an assistant message only calls tools.
  content: z.optional(z.nullable(content)),
  name: z.optional(z.string()),
  tool_calls: z.optional(z.array(call)),
  tool_call_id: z.optional(z.string()),
});

export const chatMessageSchema = z
  .object(shapeOf(toolCallSchema, contentSchema))
  .check(z.meta({ allOf: [hasText(['string', 'array']), NAMES_CALL] }));

/**
 * Of a row to train on: each call has a name, a result may name no call, and an answer may have thoughts. Marks such as
 * `weight` say which answers are learnt: `toChatRow` of shared/data reads them.
 */
export const rowMessageSchema = z
  .looseObject({
    ...shapeOf(toolCallOf(z.string().check(z.minLength(1))), z.string()),
    reasoning_content: z.optional(z.string()),
    thinking: z.optional(z.string()),
  })
  .check(z.meta({ allOf: [hasText('string')] }));

const jsonSchemaObject = z.record(z.string(), z.unknown());

/** The name of a function that a model may call. */
export const toolNameSchema = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9_.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "." or "-"'));

export const toolSchema = z.object({
  type: z.literal('function'),
  function: z.object({
    name: toolNameSchema,
    description: z.optional(z.string()),
    parameters: z.optional(jsonSchemaObject),
    strict: z.optional(z.nullable(z.boolean())),
  }),
});

export const toolChoiceSchema = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
  ],
  { error: 'must be "none", "auto", "required" or {"type":"function","function":{"name":…}}' },
);

export const responseFormatSchema = z.union(
  [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z.object({
      type: z.literal('json_schema'),
      json_schema: z.object({
        name: z.optional(z.string()),
        description: z.optional(z.string()),
        schema: jsonSchemaObject,
        strict: z.optional(z.nullable(z.boolean())),
      }),
    }),
    // llama.cpp's short form.
    z.object({ type: z.literal('json_schema'), schema: jsonSchemaObject }),
  ],
  {
    error:
      'must be {"type":"text"}, {"type":"json_object"} or {"type":"json_schema","json_schema":{"name":…,"schema":{…}}}',
  },
);

export type ToolCall = z.infer<typeof toolCallSchema>;
export type ChatMessage = z.infer<typeof chatMessageSchema>;
export type Tool = z.infer<typeof toolSchema>;
export type ToolChoice = z.infer<typeof toolChoiceSchema>;
export type ResponseFormat = z.infer<typeof responseFormatSchema>;
