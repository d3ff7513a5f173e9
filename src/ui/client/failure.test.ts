import { describe, expect, it } from 'vitest';
import {
  ApiFailure,
  isMissing,
  isSignedOut,
  toAborted,
  toErrorWords,
  toHttpFailure,
  toNetworkFailure,
  toShapeFailure,
} from './failure.ts';

const none = new Headers();
const http = (status: number, text = '', headers: Record<string, string> = {}): ApiFailure =>
  toHttpFailure(status, new Headers(headers), text, 0);

describe('an HTTP failure', () => {
  it.each<[string, string, string, string | null]>([
    [
      "OpenAI's form",
      '{"error":{"message":"No such model.","param":"model","code":"model_not_found"}}',
      'No such model.',
      'model_not_found',
    ],
    ['a text as error', '{"error":"No such model."}', 'No such model.', null],
    ['a number as code', '{"error":{"message":"Bad token.","code":401}}', 'Bad token.', '401'],
    ['a message', '{"message":"No such model."}', 'No such model.', null],
    ['HTML', '<html><h1>502 Bad Gateway</h1></html>', '502 Bad Gateway', null],
    ['plain text', 'upstream timed out', 'upstream timed out', null],
    ['nothing', '', 'The service answered with status 500 and did not say why.', null],
  ])('reads %s', (_what, text, message, code) => {
    expect(http(500, text)).toMatchObject({ kind: 'http', status: 500, message, code });
  });

  it('carries what a person or a program needs to go on', () => {
    const failure = http(429, '{"error":{"message":"Slow down.","param":"model"}}', {
      'retry-after': '2',
      'x-request-id': 'req-1',
      'x-should-retry': 'false',
    });
    expect(failure).toMatchObject({ param: 'model', retryAfterMs: 2000, requestId: 'req-1', shouldRetry: false });
    expect(failure).toBeInstanceOf(Error);
    expect(http(500, '', { 'x-should-retry': 'true' }).shouldRetry).toBe(true);
    expect(http(500, '', { 'x-should-retry': 'maybe' }).shouldRetry).toBeNull();
  });

  it('always says what to do next', () => {
    for (let status = 400; status < 600; status += 1) expect(http(status).hint).toMatch(/^[A-Z].*\.$/);
    expect(http(401).hint).toContain('link');
    const readOnly = JSON.stringify({ error: { message: 'It may only read.', code: 'read_only_token' } });
    expect(http(403, readOnly).hint).toContain('a token that may change things');
    expect(http(418).hint).toBe(http(400).hint);
    expect(http(599).hint).toBe(http(500).hint);
  });
});

it.each([
  ['{"error":{"message":"`penalty` has to be positive.","code":"upstream_failed"}}', 'the engine'],
  ['{"error":{"message":"It did not follow the schema.","code":"schema_not_followed"}}', 'the engine'],
  ['{"error":{"message":"It is not reachable.","code":"remote_unreachable"}}', 'the remote studio'],
  ['{"error":{"message":"It is not known.","code":"remote_outcome_unknown"}}', 'the remote studio'],
  ['<html><h1>502 Bad Gateway</h1></html>', 'the proxy'],
])('a 502 says what to do with what has failed: %s', (text, failed) => {
  const { hint } = http(502, text);
  expect(['the engine', 'the remote studio', 'the proxy'].filter((each) => hint.includes(each))).toEqual([failed]);
});

it('speaks of a remote studio only where there is one', () => {
  for (let status = 400; status < 600; status += 1) expect(http(status).hint).not.toContain('remote');
});

it('tells the kinds apart', () => {
  expect(toNetworkFailure('Gone.')).toMatchObject({ kind: 'network', status: null, message: 'Gone.' });
  expect(toAborted()).toMatchObject({ kind: 'aborted', status: null });
  expect(toShapeFailure(200, none, 'it is empty')).toMatchObject({
    kind: 'shape',
    status: 200,
    message: 'The service answered, but it is empty.',
  });
});

it('knows the two answers that the dashboard treats in a way of their own', () => {
  expect([isMissing(http(404)), isMissing(http(401)), isMissing(new Error('404')), isMissing(null)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([isSignedOut(http(401)), isSignedOut(http(403)), isSignedOut(undefined)]).toEqual([true, false, false]);
});

it('a notice says the cause and what to do next, whatever was thrown', () => {
  expect(toErrorWords(toNetworkFailure('Gone.'))).toEqual({
    detail: 'Gone.',
    hint: 'Check that the studio is still running, then try again.',
  });
  expect(toErrorWords(new Error('Odd.'))).toEqual({ detail: 'Odd.', hint: 'Try again.' });
  expect(toErrorWords('text')).toEqual({ detail: 'text', hint: 'Try again.' });
});
