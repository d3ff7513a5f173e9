// A chat request in the form for an OpenAI-compatible server: the fields of SPEC 4.3, and of ours those
// that are set. SPEC's defaults are written out, because such servers have other defaults. ASSUMED: what SPEC leaves open has OpenAI's form. Pure.
import type { ResponseFormat, Tool } from '#core/contract/chatMessage.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import {
  isOwnSampling,
  SAMPLING_NAMES,
  SAMPLING_PARAMETERS,
  toSamplingValues,
  type SamplingName,
  type SamplingValues,
  type SpecSamplingName,
} from '#core/contract/samplingParameters.ts';
import { toOwnFields } from './serverParameters.ts';

/** llama.cpp's short form becomes OpenAI's form, which requires a name. */
function toFormat(format: ResponseFormat): unknown {
  if (format.type !== 'json_schema') return { type: format.type };
  const source = 'json_schema' in format ? format.json_schema : { schema: format.schema };
  const { name = 'answer', schema } = source as { name?: string; schema: unknown };
  const strict = 'json_schema' in format ? format.json_schema.strict : undefined;
  return { type: 'json_schema', json_schema: { name, schema, strict: strict ?? true } };
}

function toTool({ function: called }: Tool): unknown {
  const { name, description, parameters, strict } = called;
  return { type: 'function', function: { name, description, parameters, strict: strict ?? undefined } };
}

/**
 * The value of each parameter for the server; undefined: not sent. ASSUMED: a `top_p` of 0, which SPEC 4.3 allows, means
 * the most likely token, as in llama.cpp and OpenAI's API. vLLM and SGLang refuse 0, so temperature 0 and `top_p` 1 are
 * sent, which mean the same everywhere.
 */
const FIELDS: Readonly<Record<SpecSamplingName, (values: SamplingValues) => number | undefined>> = {
  temperature: ({ temperature, top_p }) => (top_p === 0 ? 0 : temperature),
  top_p: ({ top_p }) => (top_p === 0 ? 1 : top_p),
  frequency_penalty: ({ frequency_penalty }) => frequency_penalty,
  presence_penalty: ({ presence_penalty }) => presence_penalty,
};

const SPEC_NAMES = SAMPLING_NAMES.filter((name) => !isOwnSampling(name));

/** Fields that a caller did not ask for, so that an answer without them is still what was asked for. */
const LIMITS = ['max_tokens', 'max_completion_tokens'] as const;
export type OwnField = SamplingName | (typeof LIMITS)[number] | 'stream_options';

/** Those of a request, as it is sent without `left`: SPEC's defaults, one of both limits, and the wish for usage. */
function listOwn(request: ChatRequest, left: ReadonlySet<OwnField>): readonly OwnField[] {
  const isGreedy = request.top_p === 0;
  const names = SPEC_NAMES.filter((name) => request[name] == null && !(name === 'temperature' && isGreedy));
  const limits = LIMITS.filter((name) => !left.has(name));
  const hasBoth = request.max_completion_tokens != null && limits.length === LIMITS.length;
  return [...names, ...(hasBoth ? limits : []), 'stream_options' as const].filter((name) => !left.has(name));
}

/** SPEC's defaults that were not sent with a request: the server's own hold instead. */
export const listOmitted = (request: ChatRequest, left: ReadonlySet<OwnField>): SamplingName[] =>
  SPEC_NAMES.filter((name) => left.has(name) && request[name] == null);

/**
 * The field that a server refused and that only we set; null: what it refused was asked for. `param` and `message` are the
 * server's. Of both limits the older name goes first: its refusals name the newer one too.
 */
export function findRefused(
  request: ChatRequest,
  left: ReadonlySet<OwnField>,
  { param, message }: { readonly param: string | null; readonly message: string },
): OwnField | null {
  const own = listOwn(request, left);
  const isNamed = (name: OwnField): boolean => param === name || new RegExp(`\\b${name}\\b`).test(message);
  const byParam = own.find((name) => param === name);
  const isBoth = LIMITS.every(isNamed);
  if (isBoth && own.includes('max_tokens')) return 'max_tokens';
  return byParam ?? own.find(isNamed) ?? null;
}

/**
 * The body of `POST {base}/chat/completions`, without the fields that the server has refused, unless they were asked for.
 * `owner`: the `owned_by` of its models. JSON leaves undefined fields out.
 */
export function toUpstreamBody(
  request: ChatRequest,
  left: ReadonlySet<OwnField> = new Set(),
  owner = '',
): Readonly<Record<string, unknown>> {
  const isSent = (name: OwnField): boolean =>
    !left.has(name) || (name in SAMPLING_PARAMETERS && request[name as SamplingName] != null);
  const values = toSamplingValues(request);
  const limit = request.max_completion_tokens ?? undefined;
  return {
    model: request.model,
    messages: request.messages.map(({ role, content, name, tool_calls, tool_call_id }) => ({
      // Not every server knows `developer`, OpenAI's newer name for `system`.
      role: role === 'developer' ? 'system' : role,
      content: content ?? (tool_calls === undefined ? '' : null),
      name,
      tool_calls,
      tool_call_id,
    })),
    ...Object.fromEntries(SPEC_NAMES.map((name) => [name, isSent(name) ? FIELDS[name](values) : undefined])),
    ...toOwnFields(request, owner),
    // Ollama and older servers know only `max_tokens`.
    max_completion_tokens: isSent('max_completion_tokens') ? limit : undefined,
    max_tokens: isSent('max_tokens') ? limit : undefined,
    seed: request.seed,
    stop: request.stop,
    response_format: request.response_format === undefined ? undefined : toFormat(request.response_format),
    tools: request.tools === undefined || request.tools.length === 0 ? undefined : request.tools.map(toTool),
    tool_choice: request.tools === undefined || request.tools.length === 0 ? undefined : request.tool_choice,
    stream: true,
    stream_options: isSent('stream_options') ? { include_usage: true } : undefined,
  };
}
