// The tokens of an answer with their log probabilities, from the record of the answer. Pure.
import { deltaReader } from '#core/stream/deltas.ts';
import type { StreamEvent, TokenLogprob } from '#core/stream/events.ts';
import { sseDecoder } from '#core/stream/sseDecode.ts';
import { isEventStream } from '#features/playground/web/inspector/wireEvents.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';

function readEvents(exchange: Exchange): readonly StreamEvent[] {
  // What comes after a part that was left out can't be put in its place.
  const text = exchange.raw.slice(0, exchange.cut?.at);
  const deltas = deltaReader();
  if (isEventStream(exchange)) return sseDecoder().push(text).flatMap(deltas.push);
  try {
    return deltas.pushCompletion(JSON.parse(text));
  } catch {
    return [];
  }
}

/** In their order; empty: the record has none. */
export const toAnswerTokens = (exchange: Exchange): readonly TokenLogprob[] =>
  readEvents(exchange).flatMap((event) => (event.type === 'logprobs' ? event.tokens : []));

/** "43 %", "99.9 %", "0.02 %", "<0.01 %": of a natural logarithm. Only what is certain is 100 %. */
export function toPercent(logprob: number): string {
  const percent = Math.exp(logprob) * 100;
  if (percent < 0.01) return '<0.01 %';
  if (percent > 99 && percent < 100) return percent > 99.99 ? '>99.99 %' : `${percent.toPrecision(4)} %`;
  return `${percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
}

/** With marks for what can't be seen. */
export const toTokenText = (token: string): string =>
  token === '' ? '∅' : token.replaceAll('\n', '⏎').replaceAll('\t', '⇥').replaceAll(' ', '␣');

/** How surprised the model is by its answer on average, as a number of equally likely tokens. */
export const toPerplexity = (tokens: readonly TokenLogprob[]): number =>
  Math.exp(-tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length);
