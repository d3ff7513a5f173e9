import { expect, it } from 'vitest';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';
import { toAnswerTokens, toPercent, toPerplexity, toTokenText } from './answerTokens.ts';

const toEntry = (token: string, probability: number) => ({
  token,
  logprob: Math.log(probability),
  bytes: null,
  top_logprobs: [],
});
const toChunk = (tokens: readonly object[]): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, logprobs: { content: tokens } }] })}\n\n`;
const toRecord = (raw: string, type = 'text/event-stream', cut: Exchange['cut'] = null): Exchange => ({
  version: 1,
  sentAt: 0,
  attempt: 1,
  method: 'POST',
  path: '/',
  requestHeaders: [],
  requestBody: '{}',
  status: 200,
  headMs: 1,
  responseHeaders: [['content-type', type]],
  raw,
  ends: [raw.length],
  times: [2],
  cut,
});

const [a, b, c] = [toEntry('a', 0.5), toEntry(' b', 0.25), toEntry('c', 1)];

it('reads the tokens of a stream, also where several come at once or at its end', () => {
  expect(toAnswerTokens(toRecord(`${toChunk([a])}${toChunk([b, c])}data: [DONE]\n\n`))).toEqual([a, b, c]);
});

it('reads those before the part of a record that was left out', () => {
  const kept = toChunk([a]) + toChunk([b]).slice(0, 20);
  const cut = { at: kept.length, characters: 99 };
  expect(toAnswerTokens(toRecord(`${kept}rest of an event\n\n${toChunk([c])}`, 'text/event-stream', cut))).toEqual([a]);
});

it('reads those of an answer that is not streamed', () => {
  const body = { choices: [{ index: 0, message: { content: 'a b' }, logprobs: { content: [a, b] } }] };
  expect(toAnswerTokens(toRecord(JSON.stringify(body), 'application/json'))).toEqual([a, b]);
  expect(toAnswerTokens(toRecord('<html>', 'application/json'))).toEqual([]);
});

it('has no token of an entry that says none, as mlx_lm.server sends', () => {
  const choices = [{ index: 0, delta: {}, logprobs: { content: [{ id: 5, logprob: -1 }, {}, a] } }];
  expect(toAnswerTokens(toRecord(`data: ${JSON.stringify({ choices })}\n\n`))).toEqual([a]);
});

it.each([
  [0, '100 %'],
  [-1e-5, '>99.99 %'],
  [Math.log(0.9998), '99.98 %'],
  [Math.log(0.43), '43 %'],
  [Math.log(0.0213), '2.1 %'],
  [Math.log(0.0002), '0.020 %'],
  [-9999, '<0.01 %'],
])('a log probability of %d is %s', (logprob, text) => expect(toPercent(logprob)).toBe(text));

it('has marks for white space in a token', () => expect(toTokenText(' a\n')).toBe('␣a⏎'));

it('perplexity is the number of equally likely tokens', () => {
  expect(toPerplexity([toEntry('a', 0.25), toEntry('b', 0.25)])).toBeCloseTo(4, 9);
  expect(toPerplexity([a, b])).toBeCloseTo(Math.sqrt(8), 9);
});
