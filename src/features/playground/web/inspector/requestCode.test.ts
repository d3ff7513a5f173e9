import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { CODE_LANGUAGES, toRequestCode, TOKEN_VARIABLE, toPython, toTypeScript } from './requestCode.ts';
import * as fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';

/** Evaluates the literal; only in tests, and only of what was just written. */
const evaluate = (code: string): unknown => runInNewContext(`(${code})`);

describe('TypeScript', () => {
  it('gives any JSON back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        expect(evaluate(toTypeScript(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps hostile texts and keys', () => {
    const value = { __proto__x: 1, "a'b": '`${1}` \\ " \n\r\t\0 \u2028 🚀 \uD800', $ok: [true, null, -0.5, 1e21] };
    expect(evaluate(toTypeScript(value))).toEqual(JSON.parse(JSON.stringify(value)));
    const own = evaluate(toTypeScript(JSON.parse('{"__proto__":{"a":1}}'))) as object;
    expect(Object.keys(own)).toEqual(['__proto__']);
  });

  it('leaves out what is undefined', () => expect(toTypeScript({ a: undefined, b: 1 })).toBe('{\n  b: 1,\n}'));
});

describe('Python', () => {
  it.each([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    [1e-7, '1e-7'],
    ['a"b\\c\n', '"a\\"b\\\\c\\n"'],
    ['🚀 é', '"🚀 é"'],
    ['\uD800', '"\\ud800"'],
    ['\0\u007f', '"\\u0000\\x7f"'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: [1, 'x'] }, '{\n  "a": [\n    1,\n    "x",\n  ],\n}'],
  ])('%j is %s', (value, code) => expect(toPython(value)).toBe(code));
});

const REQUEST: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: "it's\nEND_OF_REQUEST\n$HOME `id` 🚀" }],
  temperature: 0.2,
  stop: ['\n'],
  stream: true,
};
const codeOf = (language: (typeof CODE_LANGUAGES)[number]['id'], request = REQUEST) =>
  toRequestCode(language, { request, origin: 'http://127.0.0.1:4600' });

it.each(CODE_LANGUAGES.map(({ id }) => id))('%s holds every field of the request', (language) => {
  for (const name of Object.keys(REQUEST)) expect(codeOf(language)).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each(['curl', 'python', 'typescript'] as const)('%s reads the token from the environment', (language) =>
  expect(codeOf(language)).toContain(TOKEN_VARIABLE),
);

it('Python puts what OpenAI’s client does not know into extra_body, and only that', () => {
  const code = codeOf('python', { ...REQUEST, top_k: 20, repetition_penalty: 1.1, logprobs: true, top_logprobs: 5 });
  expect(code).toContain('    extra_body={\n      "top_k": 20,\n      "repetition_penalty": 1.1,\n    },\n');
  expect(code).toContain('    logprobs=True,\n    top_logprobs=5,\n');
  expect(codeOf('python')).not.toContain('extra_body');
});

it('JSON is the body itself', () => expect(JSON.parse(codeOf('json'))).toEqual(REQUEST));

describe('curl', () => {
  it('has one end of its here-document, and the body before it', () => {
    const lines = codeOf('curl').split('\n');
    const start = lines.findIndex((line) => line.includes("<<'END_OF_REQUEST'"));
    expect(lines.filter((line) => line === 'END_OF_REQUEST')).toHaveLength(1);
    expect(JSON.parse(lines.slice(start + 1, lines.indexOf('END_OF_REQUEST')).join('\n'))).toEqual(REQUEST);
  });

  it('quotes an origin with a quote', () => {
    expect(toRequestCode('curl', { request: REQUEST, origin: "http://a'b" })).toContain(
      `'http://a'\\''b/api/v1/chat/completions'`,
    );
  });
});

describe('an answer', () => {
  const whole = { ...REQUEST, stream: false };
  const tools: ChatRequest['tools'] = [{ type: 'function', function: { name: 'look_up' } }];

  it('that is not streamed is read whole, also where it has no text', () => {
    expect(codeOf('python', whole)).toContain('answer.choices[0].message\nprint(message.content or "")');
    expect(codeOf('typescript', whole)).toContain("process.stdout.write(message.content ?? '')");
  });

  it.each([REQUEST, whole])('has its calls printed where the request has tools (stream: $stream)', (request) => {
    for (const language of ['python', 'typescript'] as const) {
      expect(codeOf(language, { ...request, tools })).toMatch(/tool_calls[^]+calls.+name.+arguments/);
      for (const none of [request, { ...request, tools: [] }]) expect(codeOf(language, none)).not.toContain('calls');
    }
  });
});
