// A chat request in the form for an OpenAI-compatible server: only the fields of SPEC 4.3. SPEC's defaults are written
// out, because such servers have other defaults. ASSUMED: what SPEC leaves open has OpenAI's form. Pure.
import type { ResponseFormat, Tool } from '#shared/contract/chatMessage.ts';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import {
  mapSampling,
  toSamplingValues,
  type SamplingName,
  type SamplingValues,
} from '#shared/contract/samplingParameters.ts';

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
const FIELDS: Readonly<Record<SamplingName, (values: SamplingValues) => number | undefined>> = {
  temperature: ({ temperature, top_p }) => (top_p === 0 ? 0 : temperature),
  top_p: ({ top_p }) => (top_p === 0 ? 1 : top_p),
  frequency_penalty: ({ frequency_penalty }) => frequency_penalty,
  presence_penalty: ({ presence_penalty }) => presence_penalty,
};

/** The body of `POST {base}/chat/completions`. JSON leaves undefined fields out. */
export function toUpstreamBody(request: ChatRequest): Readonly<Record<keyof ChatRequest | 'max_tokens', unknown>> {
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
    ...mapSampling((name) => FIELDS[name](values)),
    // Ollama and older servers know only `max_tokens`.
    max_completion_tokens: limit,
    max_tokens: limit,
    seed: request.seed,
    stop: request.stop,
    response_format: request.response_format === undefined ? undefined : toFormat(request.response_format),
    tools: request.tools === undefined || request.tools.length === 0 ? undefined : request.tools.map(toTool),
    tool_choice: request.tools === undefined || request.tools.length === 0 ? undefined : request.tool_choice,
    stream: true,
    stream_options: { include_usage: true },
  };
}
