import { describe, expect, it } from 'vitest';
import { openRecorder, parseExchange, type Exchange, type Recorder } from './exchange.ts';

interface Clock {
  ms: number;
}

function open(kept?: number): { readonly recorder: Recorder; readonly clock: Clock } {
  const clock = { ms: 1000 };
  const recorder = openRecorder({
    attempt: 1,
    now: () => clock.ms,
    wallClock: () => 5_000_000,
    ...(kept === undefined ? {} : { kept }),
  });
  recorder.tap.onSent({
    method: 'POST',
    path: '/chat',
    headers: { accept: 'text/event-stream', Authorization: 'Bearer secret', Cookie: 'sid=secret' },
    body: '{"seed":1}',
  });
  return { recorder, clock };
}

const read = (recorder: Recorder): Exchange => {
  const found = recorder.read();
  if (!found) throw new Error('nothing recorded');
  return found;
};

describe('a record', () => {
  it('is none before anything is sent', () =>
    expect(openRecorder({ attempt: 1, now: () => 0, wallClock: () => 0 }).read()).toBeNull());

  it('holds the request as it was sent, and no secret', () => {
    const found = read(open().recorder);
    expect(found).toMatchObject({
      method: 'POST',
      path: '/chat',
      requestBody: '{"seed":1}',
      requestHeaders: [['accept', 'text/event-stream']],
      status: null,
      sentAt: 5_000_000,
      raw: '',
    });
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('takes the headers of an answer by name', () => {
    const { recorder, clock } = open();
    clock.ms = 1012;
    recorder.tap.onHead({
      status: 429,
      headers: new Headers({
        'Content-Type': 'text/plain',
        'X-Request-Id': 'r',
        'Retry-After': '3',
        'x-ratelimit-remaining-tokens': '0',
        'X-Internal-Key': 'secret',
      }),
    });
    expect(read(recorder)).toMatchObject({
      status: 429,
      headMs: 12,
      responseHeaders: [
        ['content-type', 'text/plain'],
        ['retry-after', '3'],
        ['x-ratelimit-remaining-tokens', '0'],
        ['x-request-id', 'r'],
      ],
    });
  });

  it('holds each piece of the body with its time', () => {
    const { recorder, clock } = open();
    for (const text of ['ab', 'c', 'def']) {
      clock.ms += 10;
      recorder.tap.onText(text);
    }
    expect(read(recorder)).toMatchObject({ raw: 'abcdef', ends: [2, 3, 6], times: [10, 20, 30], cut: null });
  });
});

describe('a body that is too long', () => {
  it('keeps its beginning and its end, and counts what it leaves out', () => {
    const { recorder } = open(10);
    const whole = Array.from({ length: 50 }, (_, index) => String(index % 10)).join('');
    for (let at = 0; at < whole.length; at += 3) recorder.tap.onText(whole.slice(at, at + 3));
    const { raw, cut, ends } = read(recorder);
    expect(cut?.at).toBe(10);
    expect(raw.slice(0, 10)).toBe(whole.slice(0, 10));
    expect(raw.length - 10).toBeGreaterThanOrEqual(10);
    expect(raw.length - 10).toBeLessThan(13);
    expect(whole.endsWith(raw.slice(10))).toBe(true);
    expect(raw.length + (cut?.characters ?? 0)).toBe(whole.length);
    expect(ends.at(-1)).toBe(raw.length);
  });

  it('is cut the same where it comes at once', () => {
    const { recorder } = open(10);
    recorder.tap.onText('0123456789'.repeat(10));
    expect(read(recorder)).toMatchObject({ raw: '01234567890123456789', cut: { at: 10, characters: 80 } });
  });

  it('stays bounded however much comes', () => {
    const { recorder } = open(100);
    for (let count = 0; count < 20_000; count += 1) recorder.tap.onText('x'.repeat(7));
    const { raw, cut, times } = read(recorder);
    expect(raw.length).toBeLessThan(210);
    expect(times.length).toBeLessThan(40);
    expect(raw.length + (cut?.characters ?? 0)).toBe(140_000);
  });
});

describe('a stored record', () => {
  it('is read back as it was', () => {
    const { recorder } = open(4);
    recorder.tap.onHead({ status: 200, headers: new Headers({ 'content-type': 'application/json' }) });
    recorder.tap.onText('0123456789');
    const found = read(recorder);
    expect(parseExchange(structuredClone(found))).toEqual(found);
  });

  it.each([
    null,
    5,
    {},
    { version: 2, requestBody: '' },
    { version: 1 },
    { version: 1, requestBody: '{}', ends: [1], times: [] },
  ])('%j is none', (value) => expect(parseExchange(value)).toBeNull());
});
