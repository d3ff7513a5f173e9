import { describe, expect, it } from 'vitest';
import { toCut, toForbidden, toRefusal, toTimeout, toUnreachable } from './upstreamFailure.ts';

const ORIGIN = 'https://studio.example';
const failure = (code?: string): NodeJS.ErrnoException =>
  Object.assign(new Error('connect with key sk-secret'), code === undefined ? {} : { code });

describe('a remote that can not be asked', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ECONNRESET', 'closed the connection'],
    ['EPIPE', 'closed the connection'],
    ['ENOTFOUND', 'host name is not known'],
    ['EAI_AGAIN', 'could not be looked up'],
    ['EHOSTUNREACH', 'no route'],
    ['ENETUNREACH', 'no route'],
    ['ETIMEDOUT', 'in time'],
    ['EPROTO', 'TLS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['HPE_INVALID_CONSTANT', 'https://'],
    ['ESOMETHING', 'ESOMETHING'],
    [undefined, 'the connection failed'],
  ])('%s', (code, reason) => {
    const problem = toUnreachable(ORIGIN, failure(code));
    expect(problem).toMatchObject({ status: 502, code: 'remote_unreachable' });
    expect(problem.message).toContain(reason);
    expect(problem.message).toContain(ORIGIN);
    expect(problem.message).not.toContain('sk-secret');
  });

  it('says how long it was waited for, and for what', () => {
    const problem = toTimeout(ORIGIN, 'connection', 10_000);
    expect(problem).toMatchObject({ status: 502, code: 'remote_timeout' });
    expect(problem.message).toContain('no connection within 10 s');
  });

  it('an answer that breaks off', () => {
    expect(toCut(ORIGIN)).toMatchObject({ status: 502, code: 'remote_cut' });
  });
});

describe('answers that are not passed on', () => {
  it("401: the key is bad, not the caller's cookie", () => {
    const problem = toRefusal(ORIGIN, 401, undefined);
    expect(problem).toMatchObject({ status: 502, code: 'remote_refused_key' });
    expect(problem?.message).toContain('STUDIO_API_KEY');
    expect(problem?.message).toContain('401');
  });

  it.each([
    [301, 'https://other.example/login?next=secret', 'https://other.example'],
    [302, '/elsewhere', ORIGIN],
    [307, undefined, ORIGIN],
    [308, 'http://[', 'not a URL'],
  ])('%i to %s', (status, location, shown) => {
    const problem = toRefusal(ORIGIN, status, location);
    expect(problem).toMatchObject({ status: 502, code: 'remote_redirect' });
    expect(problem?.message).toContain(shown);
    expect(problem?.message).not.toContain('secret');
  });

  it.each([200, 204, 304, 400, 404, 409, 422, 429, 500, 503])('%i is', (status) => {
    expect(toRefusal(ORIGIN, status, undefined)).toBeNull();
  });
});

describe('a 403', () => {
  const redact = (text: string): string => text.replaceAll('sk-"secret', '…');
  it.each([
    [
      '{"error":{"message":"The model is not in your plan.","code":"plan","param":"model"}}',
      'The model is not in your plan.',
      'plan',
      'model',
    ],
    ['{"error":"Not yours."}', 'Not yours.', 'remote_forbidden', null],
    ['<h1>Blocked</h1>', 'Blocked', 'remote_forbidden', null],
    ['', 'did not say why', 'remote_forbidden', null],
    ['the key sk-"secret may not', 'the key … may not', 'remote_forbidden', null],
    ['{"error":{"message":"sk-\\"secret may not","code":"sk-\\"secret"}}', '… may not', '…', null],
  ])('%s is passed on in its own words, without the key', (text, message, code, param) => {
    const problem = toForbidden(ORIGIN, text, redact);
    expect(problem).toMatchObject({ status: 403, code, param, message: expect.stringContaining(message) as string });
    expect(problem.message).toContain(ORIGIN);
    expect(problem.message).not.toContain('secret');
  });
});
