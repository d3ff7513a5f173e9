import { describe, expect, it } from 'vitest';
import type { Tool } from '#core/contract/chatMessage.ts';
import type { Read } from '#core/contract/readJson.ts';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import type { AnswerPhase } from '#features/playground/web/desk/desk.ts';
import { judgeAnswer, judgeCall } from './judgeJson.ts';
import { toVerdictLook, type Verdict } from './verdict.ts';

const SCHEMA =
  '{"type":"object","properties":{"n":{"type":"integer"},"tags":{"type":"array","items":{"enum":["a"]}}},' +
  '"required":["n"]}';
const judge = (
  text: string,
  phase: AnswerPhase = 'done',
  finish_reason: string | null = 'stop',
  schema = SCHEMA,
): Verdict => judgeAnswer({ phase, message: { ...EMPTY_MESSAGE, text, finish_reason } }, schema);

describe('an answer', () => {
  it('is not judged while it is still arriving', () => {
    const whole = '{"n":1,"tags":["a"]}';
    for (let end = 0; end <= whole.length; end += 1)
      expect(judge(whole.slice(0, end), 'streaming')).toEqual({ state: 'open' });
    expect(judge('Sure!', 'sending')).toEqual({ state: 'open' });
  });

  it('is valid, or has violations with their paths', () => {
    expect(judge('{"n":1}')).toEqual({ state: 'valid' });
    const found = judge('{"n":"1","tags":["a","b"]}');
    expect(found.state === 'invalid' && found.problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/n', '/tags/1']),
    );
  });

  it('has one violation for a member that no branch allows', () => {
    const part = { type: 'object', properties: { n: {} }, additionalProperties: false };
    const found = judge('{"x":1}', 'done', 'stop', JSON.stringify({ anyOf: [part, part] }));
    expect(found.state === 'invalid' && found.problems.filter(({ path }) => path === '/x')).toEqual([
      { path: '/x', message: 'The schema does not allow this.' },
    ]);
  });

  it.each<[string, AnswerPhase, string | null, Verdict['state']]>([
    ['{"n":', 'done', 'stop', 'not-json'],
    ['{"n":', 'done', 'length', 'cut'],
    ['{"n":', 'stopped', null, 'cut'],
    ['{"n":', 'interrupted', null, 'cut'],
    ['{"n":1}', 'stopped', null, 'valid'],
    ['', 'done', 'stop', 'not-json'],
    ['Here: {"n":1}', 'done', 'stop', 'not-json'],
  ])('%j that is %s with %s: %s', (text, phase, reason, state) => expect(judge(text, phase, reason).state).toBe(state));

  it('that is not JSON names the place where it stops being JSON', () => {
    expect(judge('{"n":1,\n oops}')).toEqual({
      state: 'not-json',
      message: 'It is not valid JSON from line 2 on, at “oops}”.',
    });
    expect(judge('{"n":1')).toEqual({ state: 'not-json', message: 'The JSON ends too early, in line 1.' });
  });

  it.each([
    ['', 'Write the schema first.'],
    ['{\n,', 'The schema is not valid JSON at line 2.'],
    ['[]', 'A schema is a JSON object, or true or false.'],
    ['{"required":"n"}', 'The schema has a problem. “required” must be a list of names.'],
  ])('is not checked against %j', (schema, message) =>
    expect(judge('{"n":1}', 'done', 'stop', schema)).toEqual({ state: 'no-check', message }),
  );

  it('is checked against its own schema, however many there are', () => {
    const schemas = Array.from({ length: 40 }, (_, index) =>
      JSON.stringify({ type: 'object', properties: { n: { const: index } } }),
    );
    for (let round = 0; round < 2; round += 1) {
      for (const [index, schema] of schemas.entries()) {
        expect(judge(`{"n":${index}}`, 'done', 'stop', schema).state).toBe('valid');
        expect(judge(`{"n":${index + 1}}`, 'done', 'stop', schema).state).toBe('invalid');
      }
    }
  });
});

describe('a call', () => {
  const tools: Read<readonly Tool[]> = {
    ok: true,
    value: [
      {
        type: 'function',
        function: {
          name: 'get',
          parameters: {
            type: 'object',
            properties: { id: { type: 'string' } },
            required: ['id'],
            additionalProperties: false,
          },
        },
      },
      { type: 'function', function: { name: 'free' } },
    ],
  };
  const call = (name: string, args: string) => ({ id: 'c', name, arguments: args });

  it.each<[string, string, Verdict['state']]>([
    ['get', '{"id":"A"}', 'valid'],
    ['get', '{"id":5}', 'invalid'],
    ['get', '{"id":"A","x":1}', 'invalid'],
    ['get', '{}', 'invalid'],
    ['get', '[]', 'invalid'],
    ['get', '{"id":"A"', 'not-json'],
    ['get', '', 'not-json'],
    ['get', '```json\n{"id":"A"}\n```', 'not-json'],
    ['free', '{"x":1}', 'no-check'],
    ['other', '{}', 'no-check'],
  ])('of %s with %j: %s', (name, args, state) => expect(judgeCall(call(name, args), true, tools).state).toBe(state));

  it('is not judged before it is complete', () =>
    expect(judgeCall(call('get', '{"id":5}'), false, tools)).toEqual({ state: 'open' }));

  it('has the reason why it could not be checked', () => {
    const detailOf = (name: string, from: Read<readonly Tool[]>) =>
      toVerdictLook(judgeCall(call(name, '{}'), true, from)).detail;
    expect([
      detailOf('other', tools),
      detailOf('other', { ok: true, value: [] }),
      detailOf('get', { ok: false, reason: '' }),
      detailOf('free', tools),
    ]).toEqual([
      'No tool is called “other”.',
      'No tools are set.',
      'The tools can’t be read.',
      'The tool has no schema for its parameters.',
    ]);
  });
});

it('a verdict has a word', () => {
  const words = [judge('{"n":1}'), judge('{"n":""}'), judge('{'), judge('{', 'streaming'), judge('{', 'stopped')].map(
    (verdict) => toVerdictLook(verdict).word,
  );
  expect(words).toEqual(['valid', '1 violation', 'not JSON', 'not complete yet', 'incomplete']);
});
