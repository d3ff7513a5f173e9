import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { errorType, isErrorBody, readError, toErrorEnvelope } from './errors.ts';

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
    [
      'HTML with a style of its own',
      '<html><head><style>\nbody { color: red }\n</style></head><body>Bad gateway<script>go()</script></body></html>',
      'Bad gateway',
      null,
      null,
    ],
    ['HTML in the error', { error: '<b>no</b>' }, 'no', null, null],
    ['an empty text', '  \n ', 'fallback', null, null],
    ['an empty error', { error: '' }, 'fallback', null, null],
    ['an empty object', {}, 'fallback', null, null],
    ['an empty message', { error: { message: '', code: '' } }, 'fallback', null, null],
    ['an error that is a list', { error: ['no'] }, 'no', null, null],
    ['an error that is a number', { error: 5 }, 'fallback', null, null],
    ['a message that is an object', { error: { message: { a: 1 } } }, 'fallback', null, null],
    ['nothing', undefined, 'fallback', null, null],
    ['null', null, 'fallback', null, null],
    ['a list', ['no'], 'no', null, null],
    ['an empty list', [], 'fallback', null, null],
    // FastAPI's answer 422 to a body that its schema refuses: vLLM and SGLang send it.
    [
      "FastAPI's detail",
      { detail: [{ type: 'missing', loc: ['body', 'messages', 0, 'content'], msg: 'Field required', input: {} }] },
      'messages[0].content: Field required',
      null,
      'messages[0].content',
    ],
    [
      'more than one',
      { detail: [{ loc: ['body', 'top_p'], msg: 'Too large' }, { loc: ['body', 'seed'], msg: 'No' }, { msg: 'x' }] },
      'top_p: Too large (and 2 more)',
      null,
      'top_p',
    ],
    [
      'a place in the text',
      { detail: [{ type: 'json_invalid', loc: ['body', 17], msg: 'JSON decode error' }] },
      'JSON decode error',
      null,
      null,
    ],
    [
      "Mistral's detail in a message",
      {
        object: 'error',
        message: { detail: [{ type: 'float_type', loc: ['body', 'top_p'], msg: 'Input should be a valid number' }] },
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
      'top_p: Input should be a valid number',
      null,
      'top_p',
    ],
    [
      "Google's list",
      [{ error: { code: 400, message: 'Unknown name "reasoning".', status: 'INVALID_ARGUMENT', details: [] } }],
      'Unknown name "reasoning".',
      '400',
      null,
    ],
    ['a list of errors', { errors: [{ message: 'no', code: 'bad' }] }, 'no', 'bad', null],
    ['a list of texts', { errors: ['one', 'two'] }, 'one (and 1 more)', null, null],
    ['a code beside the error', { error: 'no', code: 'bad' }, 'no', 'bad', null],
    ['an error that is true', { error: true, message: 'no' }, 'no', null, null],
    ['a code without a message', { error: { code: 5 } }, 'fallback', '5', null],
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
      fc.property(
        fc.integer({ min: 400, max: 599 }),
        text,
        fc.option(text),
        fc.option(text),
        (status, message, param, code) => {
          expect(readError(toErrorEnvelope(status, message, { param, code }), 'fallback')).toEqual({
            message,
            param,
            code,
          });
        },
      ),
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

describe('isErrorBody', () => {
  it.each<[string, unknown, boolean]>([
    ['an error', { error: { message: 'no' } }, true],
    ['an error beside choices', { error: { message: 'no' }, choices: [] }, true],
    ['error null', { error: null, choices: [] }, false],
    ['object error', { object: 'error', message: 'no' }, true],
    ["Google's list", [{ error: { message: 'no' } }], true],
    ["FastAPI's text", { detail: 'Not Found' }, true],
    ["FastAPI's list", { detail: [{ msg: 'no' }] }, true],
    ['a list of errors', { errors: [{ message: 'no' }] }, true],
    ['no errors', { errors: [] }, false],
    ['an answer with a detail', { choices: [], detail: 'x' }, false],
    ['an answer', { choices: [{}] }, false],
    ['usage alone', { usage: {} }, false],
    ['an empty list', [], false],
    ['a text', 'error', false],
  ])('%s', (_what, body, expected) => expect(isErrorBody(body)).toBe(expected));
});

describe('the envelope', () => {
  it('has all four fields, always', () => {
    expect(toErrorEnvelope(404, 'No such project.')).toEqual({
      error: { message: 'No such project.', type: 'not_found_error', param: null, code: null },
    });
    expect(toErrorEnvelope(400, 'no', { param: 'model', code: 'bad' }).error).toMatchObject({
      param: 'model',
      code: 'bad',
    });
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
