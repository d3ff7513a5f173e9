// How likely the model found a token, in the forms of both endpoints. Pure.
import type { Token } from 'node-llama-cpp';
import type { ScoredToken } from '#engine/engine.ts';
import type { Vocabulary } from '#engine/vocabulary.ts';
import type { TokenLogprob } from '#core/stream/events.ts';

/** Of the tokens that could come next, the likeliest first. */
export type Probabilities = ReadonlyMap<Token, number>;

/** The smallest that a 32-bit float holds. JSON has no negative infinity. */
const LEAST = 2 ** -149;

const toLog = (probability: number): number => Math.log(Math.max(probability, LEAST));

export function toScored(
  vocabulary: Vocabulary,
  token: Token,
  offset: number,
  probabilities: Probabilities | undefined,
  most: number,
): ScoredToken {
  const text = vocabulary.toTokenText(token);
  if (probabilities === undefined) return { text, offset, logprob: null, top: null };
  const logprob = toLog(probabilities.get(token) ?? 0);
  const top: [string, number][] = [];
  for (const [other, probability] of probabilities) {
    if (top.length >= most) break;
    top.push([vocabulary.toTokenText(other), toLog(probability)]);
  }
  return { text, offset, logprob, top };
}

/** A token that is part of a character is written as `bytes:\\x..`. */
const toBytes = (text: string): readonly number[] =>
  text.startsWith('bytes:\\x')
    ? [...text.matchAll(/\\x([\da-f]{2})/g)].map(([, byte = '']) => Number.parseInt(byte, 16))
    : [...Buffer.from(text, 'utf8')];

/** `most`: how many of the likeliest tokens are named. */
export function toTokenLogprob(
  vocabulary: Vocabulary,
  token: Token,
  probabilities: Probabilities,
  most: number,
): TokenLogprob {
  const { text, logprob, top } = toScored(vocabulary, token, 0, probabilities, most);
  const toEntry = (one: string, value: number) => ({ token: one, logprob: value, bytes: toBytes(one) });
  return {
    ...toEntry(text, logprob ?? toLog(0)),
    top_logprobs: (top ?? []).map(([other, value]) => toEntry(other, value)),
  };
}
