// The sampling parameters of a request (SPEC 4.3) in llama.cpp's terms.
import { randomInt } from 'node:crypto';
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { SAMPLING_LIMITS } from '#shared/contract/limits.ts';

/** llama.cpp reads this seed as "take a random one". */
const RANDOM_SEED = 0xffff_ffff;

/** Below this, dividing logits overflows their 32-bit floats; the most likely token wins anyway. */
const GREEDY_BELOW = 1e-6;

/**
 * Any safe integer as one of llama.cpp's 32-bit seeds, modulo 2^32 (ASSUMED: llama.cpp's range); without a seed a
 * random one. -1 would be llama.cpp's "random" and takes its neighbour's place.
 */
export function toSeed(seed: number | undefined): number {
  if (seed === undefined) return randomInt(RANDOM_SEED);
  const reduced = seed >>> 0;
  return reduced === RANDOM_SEED ? RANDOM_SEED - 1 : reduced;
}

/**
 * Options for one answer. `generated` is read anew for each token: penalties count what was generated so far,
 * not the prompt (SPEC 4.3). ASSUMED: their formula is the one that OpenAI documents; top_p is applied before
 * temperature, as llama.cpp does. `limit`: most tokens this answer can have.
 */
export function toSampling(request: ChatRequest, generated: readonly Token[], limit: number): SequenceEvaluateOptions {
  const topP = request.top_p ?? SAMPLING_LIMITS.top_p.fallback;
  // ASSUMED: a top_p of 0 leaves the most likely token, whatever the temperature.
  const temperature = topP === 0 ? 0 : (request.temperature ?? SAMPLING_LIMITS.temperature.fallback);
  const frequencyPenalty = request.frequency_penalty ?? SAMPLING_LIMITS.frequency_penalty.fallback;
  const presencePenalty = request.presence_penalty ?? SAMPLING_LIMITS.presence_penalty.fallback;
  const hasPenalty = frequencyPenalty !== 0 || presencePenalty !== 0;
  return {
    temperature: temperature < GREEDY_BELOW ? 0 : temperature,
    topP: topP === 0 ? 1 : topP,
    // 0 would sort the whole vocabulary for every token; null leaves the step out (node-llama-cpp drops null fields).
    topK: null as unknown as number,
    seed: toSeed(request.seed),
    yieldEogToken: true,
    ...(hasPenalty
      ? {
          repeatPenalty: {
            punishTokens: () => generated as Token[],
            penalty: 1,
            maxPunishTokens: limit + 1,
            frequencyPenalty,
            presencePenalty,
          },
        }
      : {}),
  };
}
