import { expect, it } from 'vitest';
import { ApiFailure, toHttpFailure, toNetworkFailure } from '#ui/client/failure.ts';
import type { StreamEvent } from '#core/stream/events.ts';
import { openAsk } from './askCell.ts';

const REQUEST = { model: 'm', messages: [] };
const text = (value: string): StreamEvent => ({ type: 'text-delta', text: value });
const END: StreamEvent = { type: 'message-end', finish_reason: 'stop' };

/** Sends a request to a service that streams these batches and then throws `error`. */
async function ask(batches: readonly (readonly StreamEvent[])[], error: unknown = null) {
  let time = 0;
  const asking = openAsk({
    now: () => (time += 10),
    date: () => 1_000_000 + time,
    open: async function* (_request, { onQueue }) {
      onQueue(true);
      onQueue(false);
      yield* batches;
      if (error !== null) throw error;
    },
  });
  return asking(REQUEST, new AbortController().signal);
}

it('gives the whole answer, timed from when it had a connection', async () => {
  expect(
    await ask([
      [text('a')],
      [text('b'), { type: 'usage', usage: { completion_tokens: 2, prompt_tokens: 1, total_tokens: 3 } }, END],
    ]),
  ).toEqual({
    kind: 'answered',
    answer: {
      text: 'ab',
      toolCalls: [],
      finish_reason: 'stop',
      prompt_tokens: 1,
      completion_tokens: 2,
      asked_at: 1_000_030,
      ms: 10,
    },
  });
});

it('an answer that breaks off may be asked for again; what had arrived is kept', async () => {
  const broken = { kind: 'faulty', text: 'half', waitMs: null };
  expect(await ask([[text('half'), { type: 'stream-interrupted', reason: 'gone' }]])).toEqual({
    ...broken,
    message: 'gone',
  });
  expect(await ask([[text('half')]], toNetworkFailure('cut'))).toEqual({ ...broken, message: 'cut' });
});

it.each([
  ['shutting_down', { kind: 'postponed', cause: 'away', message: 'M.', waitMs: null }],
  ['503', { kind: 'postponed', cause: 'away' }],
  ['context_length_exceeded', { kind: 'failed', message: 'M.', text: 'half' }],
  [null, { kind: 'failed', message: 'M.', text: 'half' }],
])('an error with the code %s in the stream', async (code, result) =>
  expect(await ask([[text('half'), { type: 'stream-error', message: 'M.', code, param: null }]])).toMatchObject(result),
);

const http = (status: number, askedWaitMs: number | null = null): ApiFailure =>
  new ApiFailure({ kind: 'http', message: 'M.', hint: 'H.', status, askedWaitMs });

it.each([
  ['no studio', toNetworkFailure('No answer.'), { kind: 'postponed', cause: 'away', waitMs: null }],
  ['signed out', http(401), { kind: 'halted', message: 'M. H.' }],
  ['busy', http(429, 700), { kind: 'postponed', cause: 'busy', message: 'M.', waitMs: 700 }],
  [
    'busy for two hours',
    toHttpFailure(429, new Headers({ 'retry-after': '7200' }), '', 0),
    { kind: 'postponed', cause: 'busy', waitMs: 7_200_000 },
  ],
  ['busy without a word', http(429), { kind: 'postponed', waitMs: null }],
  ['a gateway whose service is gone', http(502), { kind: 'postponed', cause: 'away', message: 'M. H.', waitMs: null }],
  ['starting', http(503, 5000), { kind: 'postponed', cause: 'away', waitMs: 5000 }],
  ['a fault', http(500), { kind: 'faulty', message: 'M.', text: '', waitMs: null }],
  ['no such model', http(404), { kind: 'failed', message: 'M.', text: '' }],
  ['a fault of ours', new Error('x'), { kind: 'failed', message: 'The answer could not be read: x' }],
])('%s', async (_what, error, result) => expect(await ask([], error)).toMatchObject(result));
