// The sampling parameters of a request (SPEC 4.3) in llama.cpp's terms.
import { randomInt } from 'node:crypto';
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import {
  SAMPLING_NAMES,
  toSamplingValues,
  type SamplingName,
  type SamplingValues,
} from '#shared/contract/samplingParameters.ts';

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

interface Answer {
  readonly values: SamplingValues;
  /** Read anew for each token: penalties count what was generated so far, not the prompt (SPEC 4.3). */
  readonly generated: readonly Token[];
  /** Most tokens that the answer can have. */
  readonly limit: number;
}

// llama.cpp takes both penalties in one step. ASSUMED: their formula is the one that OpenAI documents.
function toPenalties({ values, generated, limit }: Answer): SequenceEvaluateOptions {
  const { frequency_penalty: frequencyPenalty, presence_penalty: presencePenalty } = values;
  if (frequencyPenalty === 0 && presencePenalty === 0) return {};
  return {
    repeatPenalty: {
      punishTokens: () => generated as Token[],
      penalty: 1,
      maxPunishTokens: limit + 1,
      frequencyPenalty,
      presencePenalty,
    },
  };
}

/** What llama.cpp gets of each parameter. ASSUMED: top_p is applied before temperature, as llama.cpp does. */
const OPTIONS: Readonly<Record<SamplingName, (answer: Answer) => SequenceEvaluateOptions>> = {
  // ASSUMED: a top_p of 0 leaves the most likely token, whatever the temperature.
  temperature: ({ values: { temperature, top_p } }) => ({
    temperature: top_p === 0 || temperature < GREEDY_BELOW ? 0 : temperature,
  }),
  top_p: ({ values: { top_p } }) => ({ topP: top_p === 0 ? 1 : top_p }),
  frequency_penalty: toPenalties,
  presence_penalty: toPenalties,
};

/** Options for one answer. `generated`: its tokens so far; `limit`: most tokens that it can have. */
export function toSampling(request: ChatRequest, generated: readonly Token[], limit: number): SequenceEvaluateOptions {
  const answer: Answer = { values: toSamplingValues(request), generated, limit };
  const options: SequenceEvaluateOptions = {};
  for (const name of SAMPLING_NAMES) Object.assign(options, OPTIONS[name](answer));
  return {
    ...options,
    // 0 would sort the whole vocabulary for every token; null leaves the step out (node-llama-cpp drops null fields).
    topK: null as unknown as number,
    seed: toSeed(request.seed),
    yieldEogToken: true,
  };
}
