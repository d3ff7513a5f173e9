// The chat request (SPEC 4.3): every field, every limit, and errors that name the field at fault.
// Parsing drops unknown fields, so engines and remote studios never see them.
import * as z from 'zod/mini';
import {
  chatMessageSchema,
  responseFormatSchema,
  toolChoiceSchema,
  toolSchema,
  type ChatMessage,
} from './chatMessage.ts';
import { toIssue, type ParsedAs, type RequestProblem } from './issues.ts';
import { MAX_TOKENS_LIMITS, MESSAGE_LIMITS, REQUEST_LIMITS, SEED_LIMITS } from './limits.ts';
import { maxCharacters, only } from './schemas.ts';
import { mapSampling, SAMPLING_PARAMETERS, type SamplingName } from './samplingParameters.ts';

const bounded = (limit: { min: number; max: number; isInteger?: boolean }) =>
  (limit.isInteger === true ? z.int() : z.number()).check(z.minimum(limit.min), z.maximum(limit.max));

const boundedInt = (limit: { min: number; max: number }) => z.int().check(z.minimum(limit.min), z.maximum(limit.max));

const stopSequence = z.string().check(z.minLength(1), maxCharacters(REQUEST_LIMITS.stopCharacters));

type SamplingShape = {
  readonly [Name in SamplingName]: z.ZodMiniOptional<
    (typeof SAMPLING_PARAMETERS)[Name]['isNullable'] extends true ? z.ZodMiniNullable<z.ZodMiniNumber> : z.ZodMiniNumber
  >;
};

// TypeScript can't follow `isNullable` of each parameter into its type.
export const samplingShape = mapSampling((name) => {
  const limit = SAMPLING_PARAMETERS[name];
  return z.optional(limit.isNullable ? z.nullable(bounded(limit)) : bounded(limit));
}) as SamplingShape;

/** What `findProblem` asks for, as far as JSON Schema has words: not that names of tools differ, and that the chosen one is there. */
const RULES = {
  messages: {
    allOf: [{ prefixItems: [{}], items: { properties: { role: { enum: ['user', 'assistant', 'tool'] } } } }],
  },
  request: {
    allOf: [
      {
        if: { properties: { tool_choice: { enum: ['none', 'auto'] } } },
        else: { properties: { tools: { minItems: 1 } }, required: ['tools'] },
      },
      {
        anyOf: [
          { properties: { top_logprobs: { anyOf: [{ type: 'null' }, { const: 0 }] } } },
          { properties: { logprobs: { const: true } }, required: ['logprobs'] },
        ],
      },
    ],
  },
};

/** The most of the likeliest tokens that are named beside each. */
const MAX_TOP_LOGPROBS = 20;

export const stopSchema = z.union(
  [stopSequence, z.array(stopSequence).check(z.maxLength(REQUEST_LIMITS.stopSequences))],
  {
    error:
      `must be a non-empty text or a list of at most ${REQUEST_LIMITS.stopSequences} of them, each of at most ` +
      `${REQUEST_LIMITS.stopCharacters} characters`,
  },
);

export const seedSchema = boundedInt(SEED_LIMITS);

// ASSUMED: not in SPEC; OpenAI's clients send it to get usage in a stream.
export const streamOptionsSchema = z.object({ include_usage: z.optional(z.boolean()) });

const chatFields = {
  messages: z
    .array(chatMessageSchema)
    .check(z.minLength(MESSAGE_LIMITS.min), z.maxLength(MESSAGE_LIMITS.max), z.meta(RULES.messages)),
  model: z.string().check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters)),
  ...samplingShape,
  max_completion_tokens: z.optional(z.nullable(boundedInt(MAX_TOKENS_LIMITS))),
  seed: z.optional(seedSchema),
  stop: z.optional(stopSchema),
  stream: z.optional(z.boolean()),
  stream_options: z.optional(streamOptionsSchema),
  response_format: z.optional(responseFormatSchema),
  tools: z.optional(
    z.array(toolSchema).check(z.maxLength(REQUEST_LIMITS.tools), z.describe('Each has a name of its own.')),
  ),
  // ASSUMED: not in SPEC; OpenAI's form.
  logprobs: z.optional(
    z
      .nullable(z.boolean())
      .check(
        z.describe(
          'The answer names its tokens, thinking and calls included, with log probabilities in nats. The built-in engine ' +
            'gives those that were drawn from, after `temperature` and what narrows it. Not every engine takes it.',
        ),
      ),
  ),
  top_logprobs: z.optional(
    z
      .nullable(z.int().check(z.minimum(0), z.maximum(MAX_TOP_LOGPROBS)))
      .check(z.describe('How many of the likeliest tokens are named beside each; above 0 only with `logprobs`.')),
  ),
  tool_choice: z.optional(toolChoiceSchema.check(z.describe('A function that it names is one of `tools`.'))),
};

/**
 * ASSUMED: not in SPEC, but sent by OpenAI's clients. None of them reaches an engine: the limit gets its newer name, and what
 * would change the answer is refused, because an answer without it looks as if it had it.
 */
const clientFields = {
  max_tokens: z.optional(
    z
      .nullable(boundedInt(MAX_TOKENS_LIMITS))
      .check(z.describe('The limit where `max_completion_tokens` is absent or null.')),
  ),
  n: z.optional(
    z.nullable(
      only(z.int(), 1, 'an answer has one choice here. Ask once for each answer, with a seed of its own each time'),
    ),
  ),
  /** Sent by scripts of the hosted studio. */
  project_id: z.optional(
    z.unknown().check(z.describe('The project that keeps the answer as a trace, if it keeps any. No model sees it.')),
  ),
};

export const chatRequestSchema = z.object({ ...chatFields, ...clientFields }).check(z.meta(RULES.request));

/** A request as engines get it. */
export type ChatRequest = Omit<z.infer<typeof chatRequestSchema>, keyof typeof clientFields>;

export type ParsedRequest = ParsedAs<ChatRequest>;

/** Rules that span fields. ASSUMED: `developer` is OpenAI's newer name for `system` and follows the same rule. */
function findMessageProblem(message: ChatMessage, index: number): RequestProblem | null {
  const at = `messages[${index}]`;
  if ((message.role === 'system' || message.role === 'developer') && index > 0) {
    return {
      param: `${at}.role`,
      message: 'A system message is allowed only as the first message. Join its text to that of the first message.',
    };
  }
  if (message.role === 'tool' && message.tool_call_id === undefined) {
    return { param: `${at}.tool_call_id`, message: 'A tool message must name the call it answers in tool_call_id.' };
  }
  const callsTools = message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0;
  if (typeof message.content !== 'string' && !callsTools) {
    return {
      param: `${at}.content`,
      message: `${at}.content must be a text or a list of text parts; only an assistant message with tool_calls may leave it out.`,
    };
  }
  return null;
}

function findProblem(request: ChatRequest): RequestProblem | null {
  for (const [index, message] of request.messages.entries()) {
    const problem = findMessageProblem(message, index);
    if (problem) return problem;
  }
  if ((request.top_logprobs ?? 0) > 0 && request.logprobs !== true)
    return { param: 'top_logprobs', message: 'top_logprobs needs "logprobs": true.' };
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  const duplicate = names.findIndex((name, index) => names.indexOf(name) < index);
  if (duplicate >= 0) {
    return {
      param: `tools[${duplicate}].function.name`,
      message: `The name "${names[duplicate] ?? ''}" is taken by an earlier tool. Give each tool a name of its own.`,
    };
  }
  const choice = request.tool_choice;
  if (choice === undefined || choice === 'none' || choice === 'auto') return null;
  if (choice === 'required' && names.length === 0) {
    return { param: 'tool_choice', message: 'tool_choice "required" needs at least one entry in tools.' };
  }
  if (choice !== 'required' && !names.includes(choice.function.name)) {
    return {
      param: 'tool_choice',
      message: `tool_choice names the tool "${choice.function.name}", which is not in tools.`,
    };
  }
  return null;
}

/** Validates an unknown body against SPEC 4.3. Pure; never throws. */
export function parseChatRequest(body: unknown): ParsedRequest {
  const parsed = chatRequestSchema.safeParse(body, { reportInput: true });
  if (!parsed.success) return { ok: false, problem: toIssue(parsed.error.issues) };
  const { max_tokens, n: _n, project_id: _projectId, ...sent } = parsed.data;
  const problem = findProblem(sent);
  if (problem) return { ok: false, problem };
  const { logprobs, top_logprobs, ...plain } = sent;
  const request = logprobs === true ? { ...plain, logprobs, top_logprobs: top_logprobs ?? 0 } : plain;
  const isLimited = typeof max_tokens === 'number' && typeof request.max_completion_tokens !== 'number';
  return { ok: true, value: isLimited ? { ...request, max_completion_tokens: max_tokens } : request };
}
