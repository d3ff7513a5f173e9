import { assert, integer, property, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import { openRecorder, type Exchange } from '#features/playground/web/storage/exchange.ts';
import { toEventLines, toGist, toWireEvents } from './wireEvents.ts';

function record(
  pieces: readonly string[],
  { type = 'text/event-stream; charset=utf-8', kept }: { type?: string; kept?: number } = {},
): Exchange {
  let ms = 0;
  const { tap, read } = openRecorder({
    attempt: 1,
    now: () => ms,
    wallClock: () => 0,
    ...(kept === undefined ? {} : { kept }),
  });
  tap.onSent({ method: 'POST', path: '/', headers: {}, body: '{}' });
  tap.onHead({ status: 200, headers: new Headers({ 'content-type': type }) });
  for (const piece of pieces) {
    ms += 10;
    tap.onText(piece);
  }
  const found = read();
  if (!found) throw new Error('nothing recorded');
  return found;
}

it.each(['\n', '\r\n', '\r'])('splits at blank lines, whatever the line ends: %j', (end) => {
  const body = ['event: a', 'data: 1', '', 'data: 2', '', ''].join(end);
  expect(toWireEvents(record([body])).map(({ text }) => text)).toEqual([`event: a${end}data: 1`, 'data: 2']);
});

it('gives an event the time at which its end came', () => {
  expect(toWireEvents(record(['data: 1\n', '\ndata: 2\n\nda', 'ta: 3\n\n']))).toEqual([
    { ms: 20, text: 'data: 1' },
    { ms: 20, text: 'data: 2' },
    { ms: 30, text: 'data: 3' },
  ]);
});

it('shows what was cut off as it came', () => {
  expect(toWireEvents(record(['data: 1\n\n', 'data: {"ha']))).toEqual([
    { ms: 10, text: 'data: 1' },
    { ms: 20, text: 'data: {"ha' },
  ]);
});

it('takes a body that is no stream as one event', () => {
  expect(toWireEvents(record(['{"error":', '"a\n\nb"}'], { type: 'application/json' }))).toEqual([
    { ms: 20, text: '{"error":"a\n\nb"}' },
  ]);
  expect(toWireEvents(record([]))).toEqual([]);
});

it('says where something was left out', () => {
  const events = toWireEvents(
    record(
      Array.from({ length: 20 }, (_, index) => `data: ${index}\n\n`),
      { kept: 27 },
    ),
  );
  expect(events[0]).toEqual({ ms: 10, text: 'data: 0' });
  expect(events.filter(({ ms }) => ms === null)).toHaveLength(1);
  expect(events.at(-1)).toEqual({ ms: 200, text: 'data: 19' });
});

it('gives the same events wherever the network cuts', () => {
  const body = 'data: one\n\nevent: x\r\ndata: two\r\n\r\n: note\n\ndata: three';
  const expected = toWireEvents(record([body])).map(({ text }) => text);
  assert(
    property(uniqueArray(integer({ min: 1, max: body.length - 1 })), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), body.length];
      const pieces = places.slice(1).map((end, index) => body.slice(places[index], end));
      expect(toWireEvents(record(pieces)).map(({ text }) => text)).toEqual(expected);
    }),
  );
});

it('goes out a line each', () =>
  expect(
    toEventLines([
      { ms: 1.23456, text: 'a\nb' },
      { ms: null, text: '' },
    ]),
  ).toBe('{"ms":1.235,"raw":"a\\nb"}\n{"ms":null,"raw":""}\n'));

it.each([
  ['data: {"id":"x","choices":[{"delta":{"content":"Hi"},"finish_reason":null}]}', '{"content":"Hi"}'],
  ['data: {"choices":[{"delta":{},"finish_reason":"stop"}]}', 'finish_reason: stop'],
  ['data: {"choices":[],"usage":{"total_tokens":3}}', 'usage: {"total_tokens":3}'],
  ['data: {"error":{"message":"no"}}', 'data: {"error":{"message":"no"}}'],
  ['data: [DONE]', 'data: [DONE]'],
  ['event: error\ndata: {"a":1', 'event: error ⏎ data: {"a":1'],
  ['data: {broken}', 'data: {broken}'],
])('%s in one line: %s', (text, gist) => expect(toGist(text)).toBe(gist));
