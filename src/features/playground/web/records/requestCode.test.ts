import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { CODE_LANGUAGES, toRequestCode, TOKEN_VARIABLE } from './requestCode.ts';

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
