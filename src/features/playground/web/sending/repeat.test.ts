import { expect, it } from 'vitest';
import { openRecorder, type Exchange } from '#features/playground/web/storage/exchange.ts';
import { toRepeat, withSeed } from './repeat.ts';

function record(body: string): Exchange | null {
  const { tap, read } = openRecorder({ attempt: 1, now: () => 0, wallClock: () => 0 });
  tap.onSent({ method: 'POST', path: '/', headers: {}, body });
  return read();
}

const SEEDED =
  '{"model":"m","messages":[{"role":"user","content":"Hi"}],"seed":4,"unknown":{"b":1,"a":2},"stream":true}';

it('sends the very same text again', () => {
  const repeat = toRepeat(record(SEEDED), 'recorded');
  expect(repeat.ok && [JSON.stringify(repeat.request), repeat.seed]).toEqual([SEEDED, 4]);
});

it('asks before it repeats a request without a seed', () => {
  const body = '{"model":"m","messages":[]}';
  expect(toRepeat(record(body), 'recorded')).toEqual({ ok: false, reason: 'no-seed' });
  expect(toRepeat(record(body), 'anyway')).toMatchObject({ ok: true, seed: null });
  expect(toRepeat(record(body), 9)).toEqual({ ok: true, seed: 9, request: { model: 'm', messages: [], seed: 9 } });
});

it.each([null, record('{"model":'), record('[]'), record('{"model":5,"messages":[]}')])(
  'has nothing to repeat in %j',
  (exchange) => {
    expect(toRepeat(exchange, 'anyway')).toEqual({ ok: false, reason: 'no-record' });
  },
);

it('gives a sample its seed as long as JSON carries it exactly', () => {
  const request = { model: 'm', messages: [], seed: 1 };
  expect(withSeed(request, null)).toEqual({ ok: true, request });
  expect(withSeed(request, 7)).toEqual({ ok: true, request: { ...request, seed: 7 } });
  expect(withSeed(request, Number.MAX_SAFE_INTEGER + 1)).toMatchObject({ ok: false });
});
