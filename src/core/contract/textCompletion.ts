// Completions of a text. ASSUMED: not in SPEC; OpenAI's older form, which tools that evaluate base models use: only here are
// the log probabilities of a text that is already there.
import * as z from 'zod/mini';
import { samplingShape, seedSchema, stopSchema, streamOptionsSchema } from './chatRequest.ts';
import { usageSchema } from './completion.ts';
import { toIssue, type ParsedAs } from './issues.ts';
import { MAX_TOKENS_LIMITS, REQUEST_LIMITS } from './limits.ts';
import { countSchema, maxCharacters, only } from './schemas.ts';
import type { SamplingName } from './samplingParameters.ts';

/** Prompts of one request; the likeliest tokens that are named beside each. */
const MOST = { prompts: 128, logprobs: 20 };

const tokensSchema = z.array(countSchema).check(z.minLength(1));
const promptSchema = z.union(
  [
    z.string(),
    z.array(z.string()).check(z.minLength(1), z.maxLength(MOST.prompts)),
    tokensSchema,
    z.array(tokensSchema).check(z.minLength(1), z.maxLength(MOST.prompts)),
  ],
  { error: `must be a text, a list of token numbers, or a list of at most ${MOST.prompts} of one of them` },
);

const oneChoice =
  'an answer has one choice for each prompt here. Ask once for each answer, with another seed each time';

export const textRequestSchema = z.object({
  model: z.string().check(z.minLength(1), maxCharacters(REQUEST_LIMITS.modelCharacters)),
  prompt: promptSchema,
  ...samplingShape,
  max_tokens: z
    .optional(z.nullable(z.int().check(z.minimum(0), z.maximum(MAX_TOKENS_LIMITS.max))))
    .check(z.describe('16 if absent. 0 with `echo`: the prompt alone.')),
  seed: z.optional(z.nullable(seedSchema)),
  stop: z.optional(z.nullable(stopSchema)),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(streamOptionsSchema)),
  echo: z.optional(z.nullable(z.boolean().check(z.describe('The answer begins with the prompt.')))),
  logprobs: z
    .optional(z.nullable(z.int().check(z.minimum(0), z.maximum(MOST.logprobs))))
    .check(
      z.describe(
        'How many of the likeliest tokens are named beside each, with log probabilities in nats. Those of the prompt, and of ' +
          'text at temperature 0, are the model’s own; others are those that were drawn from, after `temperature` and `top_p`.',
      ),
    ),
  n: z.optional(z.nullable(only(z.int(), 1, oneChoice))),
  best_of: z.optional(z.nullable(only(z.int(), 1, oneChoice))),
  suffix: z.optional(z.nullable(only(z.string(), '', 'models here only go on with a text'))),
});

/** One prompt, as an engine gets it. */
export type TextRequest = Pick<z.infer<typeof textRequestSchema>, SamplingName> & {
  readonly prompt: string | readonly number[];
  readonly max_tokens: number;
  readonly seed?: number;
  readonly stop?: string | string[];
  readonly echo: boolean;
  /** null: none. */
  readonly logprobs: number | null;
};

/** A whole request: the same for each of its prompts. */
export interface TextRequests {
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly prompts: readonly TextRequest[];
}

const logprobsSchema = z.strictObject({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.nullable(z.number())),
  top_logprobs: z.array(z.nullable(z.record(z.string(), z.number()))),
  text_offset: z.array(countSchema),
});

const textChoice = (finish_reason: z.ZodMiniType) =>
  z.strictObject({
    text: z.string(),
    index: countSchema,
    logprobs: z.nullable(logprobsSchema),
    finish_reason,
  });
const reasonSchema = z.enum(['stop', 'length']);

const textFields = {
  id: z.string(),
  object: z.literal('text_completion'),
  created: z.int(),
  model: z.string(),
  system_fingerprint: z.optional(z.nullable(z.string())),
};

export const textCompletionSchema = z.strictObject({
  ...textFields,
  choices: z.array(textChoice(reasonSchema)),
  usage: z.optional(usageSchema),
});

export const textChunkSchema = z.strictObject({
  ...textFields,
  choices: z.array(textChoice(z.nullable(reasonSchema))),
  usage: z.optional(z.nullable(usageSchema)),
});

export type TextLogprobs = z.infer<typeof logprobsSchema>;

const DEFAULT_TOKENS = 16;

const toPrompts = (prompt: z.infer<typeof promptSchema>): readonly (string | readonly number[])[] =>
  typeof prompt === 'string' || typeof prompt[0] === 'number' ? [prompt as string | number[]] : (prompt as string[]);

type TextBody = z.infer<typeof textRequestSchema>;

/** Validates an unknown body. Pure; never throws. */
export function parseTextBody(body: unknown): ParsedAs<TextBody> {
  const parsed = textRequestSchema.safeParse(body, { reportInput: true });
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: toIssue(parsed.error.issues) };
}

/** The same, as engines get it. */
export function parseTextRequest(body: unknown): ParsedAs<TextRequests> {
  const parsed = parseTextBody(body);
  if (!parsed.ok) return parsed;
  const { prompt, model, stream, stream_options, n: _n, best_of: _best, suffix: _suffix, ...rest } = parsed.value;
  const { max_tokens, seed, stop, echo, logprobs, ...sampling } = rest;
  if (max_tokens === 0 && echo !== true)
    return {
      ok: false,
      problem: {
        param: 'max_tokens',
        message: 'max_tokens must be at least 1, because without echo the answer is empty.',
      },
    };
  const shared = {
    ...sampling,
    max_tokens: max_tokens ?? DEFAULT_TOKENS,
    ...(seed == null ? {} : { seed }),
    ...(stop == null ? {} : { stop }),
    echo: echo === true,
    logprobs: logprobs ?? null,
  };
  return {
    ok: true,
    value: {
      model,
      stream: stream === true,
      includeUsage: stream_options?.include_usage === true,
      prompts: toPrompts(prompt).map((each) => Object.assign({ prompt: each }, shared)),
    },
  };
}
