// Reads single fields of a chunk or a completion (SPEC 2.4) of any service. A missing field is null.
import { arrayOr, isObject, numberOr, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { readContent } from './contentParts.ts';
import type { ReadUsage, TokenLogprob } from './events.ts';

/** The first choice of a chunk (its new text) or of a completion (its whole message). */
export interface ReadChoice {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: unknown;
  /** It holds a message, not a delta: each of its tool calls is complete. */
  readonly isWhole: boolean;
  readonly finish_reason: string | null;
  /** Entries without a token or a number are left out. */
  readonly logprobs: readonly TokenLogprob[];
}

function readLogprob(entry: unknown): Omit<TokenLogprob, 'top_logprobs'> | null {
  if (!isObject(entry)) return null;
  const { token, logprob, bytes } = entry;
  if (typeof token !== 'string' || typeof logprob !== 'number') return null;
  return { token, logprob, bytes: Array.isArray(bytes) ? bytes.filter((byte) => typeof byte === 'number') : null };
}

function readLogprobs(value: unknown): readonly TokenLogprob[] {
  if (!isObject(value)) return [];
  return arrayOr(value['content']).flatMap((entry) => {
    const read = readLogprob(entry);
    const top = isObject(entry) ? arrayOr(entry['top_logprobs']) : [];
    return read ? [{ ...read, top_logprobs: top.flatMap((other) => readLogprob(other) ?? []) }] : [];
  });
}

/** null if there is no choice 0. SPEC 8: one choice is typical. Others are skipped, so that two answers never mix. */
export function readChoice(chunk: JsonObject): ReadChoice | null {
  const choice = arrayOr(chunk['choices']).find((entry) => isObject(entry) && numberOr(entry['index'], 0) === 0);
  if (!isObject(choice)) return null;
  const isWhole = !isObject(choice['delta']);
  const message = isWhole ? choice['message'] : choice['delta'];
  const delta = isObject(message) ? message : {};
  const content = readContent(delta['content']);
  return {
    // ASSUMED: a model sends a refusal instead of content (OpenAI), so it is shown as text.
    text: content.text || textOr(delta['refusal'], ''),
    // ASSUMED: `reasoning_content` in DeepSeek and llama.cpp, `reasoning` in vLLM; some proxies send both, equal.
    reasoning: textOr(delta['reasoning_content'], '') || textOr(delta['reasoning'], '') || content.reasoning,
    toolCalls: delta['tool_calls'],
    isWhole,
    finish_reason: textOr(choice['finish_reason'], null),
    logprobs: readLogprobs(choice['logprobs']),
  };
}

/** SPEC 2.4: usage may be omitted. null if the service sent no count at all. */
export function readUsage(chunk: JsonObject): ReadUsage | null {
  const usage = chunk['usage'];
  if (!isObject(usage)) return null;
  const read: ReadUsage = {
    completion_tokens: numberOr(usage['completion_tokens'], null),
    prompt_tokens: numberOr(usage['prompt_tokens'], null),
    total_tokens: numberOr(usage['total_tokens'], null),
  };
  return Object.values(read).every((count) => count === null) ? null : read;
}

/** llama.cpp's own measure of its speed, in tokens per second. */
export function readTokensPerSecond(chunk: JsonObject): number | null {
  const timings = chunk['timings'];
  if (!isObject(timings)) return null;
  const rate = numberOr(timings['predicted_per_second'], null);
  return rate !== null && rate > 0 ? rate : null;
}
