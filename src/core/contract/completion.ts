// Completions, stream chunks and the list of models (SPEC 2.4, 6; chunk and list ASSUMED: OpenAI's form).
import * as z from 'zod/mini';
import { toolCallSchema } from './chatMessage.ts';
import { OWN_PARAMETERS, SAMPLING_NAMES } from './samplingParameters.ts';
import { countSchema } from './schemas.ts';

/** ASSUMED: ours. */
const omittedSchema = z
  .optional(z.array(z.enum(SAMPLING_NAMES)))
  .check(z.describe('Defaults that the server of --engine refuses for this model, so that its own held.'));

/** `content_filter` comes from upstream engines only. */
const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
/** The reasons that our engines send. Readers accept any text. */
export type FinishReason = (typeof FINISH_REASONS)[number];

export const usageSchema = z.strictObject({
  completion_tokens: countSchema,
  prompt_tokens: countSchema,
  total_tokens: countSchema,
});

const logprobFields = { token: z.string(), logprob: z.number(), bytes: z.nullable(z.readonly(z.array(countSchema))) };

/** ASSUMED: OpenAI's form, one entry for each token that was generated. */
const logprobsSchema = z.optional(
  z.strictObject({
    content: z.readonly(
      z.array(z.strictObject({ ...logprobFields, top_logprobs: z.readonly(z.array(z.strictObject(logprobFields))) })),
    ),
  }),
);

export const completionSchema = z.strictObject({
  id: z.string(),
  choices: z.array(
    z.strictObject({
      finish_reason: z
        .nullable(z.enum(FINISH_REASONS))
        .check(z.describe('null: the server of --engine did not say why the answer ended.')),
      index: countSchema,
      message: z.strictObject({
        role: z.literal('assistant'),
        content: z.nullable(z.string()),
        // ASSUMED: the field of DeepSeek and llama.cpp for a model's thinking.
        reasoning_content: z.optional(z.string()),
        tool_calls: z.optional(z.array(toolCallSchema)),
      }),
      logprobs: logprobsSchema,
    }),
  ),
  created: z.int(),
  model: z.string(),
  object: z.literal('chat.completion'),
  omitted_defaults: omittedSchema,
  system_fingerprint: z.optional(z.nullable(z.string())),
  usage: z.optional(usageSchema),
});

const toolCallDeltaSchema = z.strictObject({
  index: countSchema,
  id: z.optional(z.string()),
  type: z.optional(z.literal('function')),
  function: z.optional(z.strictObject({ name: z.optional(z.string()), arguments: z.optional(z.string()) })),
});

export const chunkSchema = z.strictObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  omitted_defaults: omittedSchema,
  created: z.int(),
  model: z.string(),
  system_fingerprint: z.optional(z.nullable(z.string())),
  choices: z.array(
    z.strictObject({
      index: countSchema,
      delta: z.strictObject({
        role: z.optional(z.literal('assistant')),
        content: z.optional(z.nullable(z.string())),
        reasoning_content: z.optional(z.string()),
        tool_calls: z.optional(z.array(toolCallDeltaSchema)),
      }),
      logprobs: logprobsSchema,
      finish_reason: z.nullable(z.enum(FINISH_REASONS)),
    }),
  ),
  usage: z.optional(z.nullable(usageSchema)),
});

/** One event of a stream, for the document: OpenAPI 3.1 has no words for many of them, so this is the `itemSchema` of 3.2. */
export const chatEventSchema = z
  .object({
    data: z.string().check(
      z.meta({
        description: 'A chunk as JSON, or an error; at the end `[DONE]`.',
        anyOf: [
          {
            contentMediaType: 'application/json',
            contentSchema: {
              anyOf: [{ $ref: '#/components/schemas/Chunk' }, { $ref: '#/components/schemas/Error' }],
            },
          },
          { const: '[DONE]' },
        ],
      }),
    ),
  })
  .check(z.describe('One of the server-sent events of a stream.'));

export const modelSchema = z.strictObject({
  id: z.string(),
  created: z.int(),
  object: z.literal('model'),
  owned_by: z.string(),
  // ASSUMED: OpenRouter's name.
  supported_parameters: z
    .optional(z.array(z.enum(OWN_PARAMETERS)))
    .check(z.describe('The parameters beyond SPEC 4.3 that it takes, as far as that is known.')),
});

export const modelListSchema = z.strictObject({ object: z.literal('list'), data: z.array(modelSchema) });

export type Usage = z.infer<typeof usageSchema>;
export type Completion = z.infer<typeof completionSchema>;
export type Chunk = z.infer<typeof chunkSchema>;
export type ModelEntry = z.infer<typeof modelSchema>;
