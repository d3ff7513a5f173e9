// The sampling parameters of a request (SPEC 4.3) in llama.cpp's terms.
import { randomInt } from 'node:crypto';
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import {
  SAMPLING_NAMES,
  toSamplingValues,
  type SamplingName,
  type SamplingValues,
} from '#core/contract/samplingParameters.ts';

/** For llama.cpp, this seed means a random one. */
const RANDOM_SEED = 0xffff_ffff;

/** A lower temperature overflows the 32-bit logits. The most likely token wins anyway. */
const GREEDY_BELOW = 1e-6;

/**
 * Any safe integer as one of llama.cpp's 32-bit seeds, modulo 2^32 (ASSUMED: llama.cpp's range). Without a seed, a
 * random one. llama.cpp's value for "random", -1, becomes its neighbour.
 */
export function toSeed(seed: number | undefined): number {
  if (seed === undefined) return randomInt(RANDOM_SEED);
  const reduced = seed >>> 0;
  return reduced === RANDOM_SEED ? RANDOM_SEED - 1 : reduced;
}

interface SamplingContext {
  readonly values: SamplingValues;
  /** Read again for each token: penalties count the tokens generated so far, not the prompt (SPEC 4.3). */
  readonly generated: readonly Token[];
  /** Maximum number of tokens of the answer. */
  readonly limit: number;
}

// llama.cpp applies all penalties in one step. ASSUMED: their formula is the one that OpenAI documents.
function toPenalties({ values, generated, limit }: SamplingContext): SequenceEvaluateOptions {
  const {
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    repetition_penalty: penalty,
  } = values;
  if (frequencyPenalty === 0 && presencePenalty === 0 && penalty === 1) return {};
  return {
    repeatPenalty: {
      punishTokens: () => generated as Token[],
      penalty,
      maxPunishTokens: limit + 1,
      frequencyPenalty,
      presencePenalty,
    },
  };
}

/** Each parameter as an option of llama.cpp. ASSUMED: top_p is applied before temperature, as llama.cpp does. */
const OPTIONS: Readonly<Record<SamplingName, (context: SamplingContext) => SequenceEvaluateOptions>> = {
  // ASSUMED: a top_p of 0 leaves the most likely token, whatever the temperature.
  temperature: ({ values: { temperature, top_p } }) => ({
    temperature: top_p === 0 || temperature < GREEDY_BELOW ? 0 : temperature,
  }),
  top_p: ({ values: { top_p } }) => ({ topP: top_p === 0 ? 1 : top_p }),
  // 0 would sort the whole vocabulary for every token. node-llama-cpp drops null fields, so null skips the step.
  top_k: ({ values: { top_k } }) => ({ topK: top_k === 0 ? (null as unknown as number) : top_k }),
  min_p: ({ values: { min_p } }) => ({ minP: min_p }),
  frequency_penalty: toPenalties,
  presence_penalty: toPenalties,
  repetition_penalty: toPenalties,
};

/** Options for one answer. `generated`: its tokens so far; `limit`: its maximum number of tokens. */
export function toSampling(
  request: Partial<ChatRequest>,
  generated: readonly Token[],
  limit: number,
): SequenceEvaluateOptions {
  const context: SamplingContext = { values: toSamplingValues(request), generated, limit };
  const options: SequenceEvaluateOptions = {};
  for (const name of SAMPLING_NAMES) Object.assign(options, OPTIONS[name](context));
  return {
    ...options,
    seed: toSeed(request.seed),
    yieldEogToken: true,
  };
}
