// What OpenAI-compatible servers take beyond SPEC 4.3, and under which names. Servers that don't know a field ignore it, so
// only those that are known to take it, or say so, get it. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { ModelEntry } from '#core/contract/completion.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import { OWN_PARAMETERS, readSupported, type OwnParameter } from '#core/contract/samplingParameters.ts';
import { EngineError } from '#engine/engine.ts';

interface Server {
  readonly takes: readonly OwnParameter[];
  /** The server's own names. */
  readonly names?: { readonly [Name in OwnParameter]?: string };
  /** What stands for "all tokens" in `top_k`, if 0 does not. */
  readonly allTokens?: number;
}

/** By `owned_by` of their lists. */
const SERVERS: ReadonlyMap<string, Server> = new Map<string, Server>([
  // vLLM before 0.9 and SGLang refuse a `top_k` of 0.
  ['vllm', { takes: OWN_PARAMETERS, allTokens: -1 }],
  ['sglang', { takes: OWN_PARAMETERS, allTokens: -1 }],
  ['llamacpp', { takes: OWN_PARAMETERS, names: { repetition_penalty: 'repeat_penalty' } }],
  // Ollama, from 0.12.11 on.
  ['library', { takes: ['logprobs'] }],
]);

/** mlx_lm.server 0.32. Its log probabilities name tokens that it did not choose. */
const MLX: readonly OwnParameter[] = ['top_k', 'min_p', 'repetition_penalty'];

/**
 * The parameters that a server takes for a model, by the model's entry and the `Server` header of its list. Nothing if that
 * is not known.
 */
export function toSupported(entry: JsonObject, header: string): Pick<ModelEntry, 'supported_parameters'> {
  const said = readSupported(entry);
  if (said.supported_parameters) return said;
  // Python's plain HTTP server, and a model without an owner: only mlx_lm.server has both.
  const isMlx = entry['owned_by'] === undefined && header.startsWith('BaseHTTP/');
  const takes = isMlx ? MLX : SERVERS.get(String(entry['owned_by']))?.takes;
  return takes ? { supported_parameters: [...takes] } : {};
}

const listAsked = (request: ChatRequest): readonly OwnParameter[] =>
  OWN_PARAMETERS.filter((name) => (name === 'logprobs' ? request.logprobs === true : request[name] != null));

/** Throws EngineError 400 for a parameter that the server is not known to take. `origin` names the server. */
export function assertSupported(request: ChatRequest, { supported_parameters = [] }: ModelEntry, origin: string): void {
  const refused = listAsked(request).find((name) => !supported_parameters.includes(name));
  if (refused === undefined) return;
  throw new EngineError(
    `The engine at ${origin} is not known to take ${refused} for this model, and would ignore it. Send the request ` +
      'without it.',
    400,
    'unsupported_parameter',
    refused,
  );
}

/** Those of a request that are set, under the server's names. */
export function toOwnFields(request: ChatRequest, owner: string): Readonly<Record<string, unknown>> {
  const { names = {}, allTokens = 0 } = SERVERS.get(owner) ?? {};
  const fields = listAsked(request).map((name) => [
    names[name] ?? name,
    name === 'top_k' && request[name] === 0 ? allTokens : request[name],
  ]);
  return {
    ...Object.fromEntries(fields),
    // For llama-server 0 means that no probabilities are asked for.
    ...(request.logprobs === true && {
      top_logprobs: Math.max(owner === 'llamacpp' ? 1 : 0, request.top_logprobs ?? 0),
    }),
  };
}
