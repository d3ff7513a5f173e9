import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { errorType, readError, toErrorEnvelope } from './errors';

describe('readError', () => {
  it.each<[string, unknown, string, string | null, string | null]>([
    ["OpenAI's form", { error: { message: 'no', type: 't', param: 'model', code: 'bad' } }, 'no', 'bad', 'model'],
    ['nulls', { error: { message: 'no', param: null, code: null } }, 'no', null, null],
    ['a text', { error: 'no' }, 'no', null, null],
    ['a message', { message: 'no' }, 'no', null, null],
    ['a detail', { detail: 'no' }, 'no', null, null],
    ['a detail inside', { error: { detail: 'no' } }, 'no', null, null],
    ['a code that is a number', { error: { message: 'no', code: 401 } }, 'no', '401', null],
    ['the message beside an empty error', { error: {}, message: 'no' }, 'no', null, null],
    ['a plain text', 'no', 'no', null, null],
    ['HTML', '<html><body><h1>502 Bad Gateway</h1>\n<p>nginx</p></body></html>', '502 Bad Gateway nginx', null, null],
    ['HTML with a style of its own', '<html><head><style>\nbody { color: red }\n</style></head><body>Bad gateway<script>go()</script></body></html>', 'Bad gateway', null, null],
    ['HTML in the error', { error: '<b>no</b>' }, 'no', null, null],
    ['an empty text', '  \n ', 'fallback', null, null],
    ['an empty error', { error: '' }, 'fallback', null, null],
    ['an empty object', {}, 'fallback', null, null],
    ['an empty message', { error: { message: '', code: '' } }, 'fallback', null, null],
    ['an error that is a list', { error: ['no'] }, 'fallback', null, null],
    ['an error that is a number', { error: 5 }, 'fallback', null, null],
    ['a message that is an object', { error: { message: { a: 1 } } }, 'fallback', null, null],
    ['nothing', undefined, 'fallback', null, null],
    ['null', null, 'fallback', null, null],
    ['a list', ['no'], 'fallback', null, null],
  ])('reads %s', (_what, body, message, code, param) => {
    expect(readError(body, 'fallback')).toEqual({ message, code, param });
  });

  it('shortens a page to something a person reads', () => {
    const { message } = readError(`<p>${'word '.repeat(1000)}</p>`, 'fallback');
    expect(message.length).toBe(501);
    expect(message.endsWith('…')).toBe(true);
    expect(readError('x'.repeat(500), 'fallback').message).toBe('x'.repeat(500));
  });

  it('reads back every envelope of ours', () => {
    const text = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), text, fc.option(text), fc.option(text), (status, message, param, code) => {
        expect(readError(toErrorEnvelope(status, message, { param, code }), 'fallback')).toEqual({ message, param, code });
      }),
    );
  });

  it('never throws and always has a message', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(readError(body, 'fallback').message).not.toBe('');
        expect(readError({ error: body }, 'fallback').message).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
});

describe('the envelope', () => {
  it('has all four fields, always', () => {
    expect(toErrorEnvelope(404, 'No such project.')).toEqual({
      error: { message: 'No such project.', type: 'not_found_error', param: null, code: null },
    });
    expect(toErrorEnvelope(400, 'no', { param: 'model', code: 'bad' }).error).toMatchObject({ param: 'model', code: 'bad' });
  });

  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [409, 'invalid_request_error'],
    [413, 'invalid_request_error'],
    [415, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [499, 'invalid_request_error'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('gives %i the type %s', (status, type) => expect(errorType(status)).toBe(type));
});
