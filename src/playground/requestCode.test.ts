import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../contract/chatRequest';
import { CODE_LANGUAGES, toRequestCode, TOKEN_VARIABLE } from './requestCode';

const REQUEST: ChatRequest = { model: 'm', messages: [{ role: 'user', content: "it's\nEND_OF_REQUEST\n$HOME `id` 🚀" }], temperature: 0.2, stop: ['\n'], stream: true };
const codeOf = (language: (typeof CODE_LANGUAGES)[number]['id'], request = REQUEST) => toRequestCode(language, { request, origin: 'http://127.0.0.1:4600' });

it.each(CODE_LANGUAGES.map(({ id }) => id))('%s holds every field of the request', (language) => {
  for (const name of Object.keys(REQUEST)) expect(codeOf(language)).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each(['curl', 'python', 'typescript'] as const)('%s reads the token from the environment', (language) => expect(codeOf(language)).toContain(TOKEN_VARIABLE));

it('JSON is the body itself', () => expect(JSON.parse(codeOf('json'))).toEqual(REQUEST));

describe('curl', () => {
  it('has one end of its here-document, and the body before it', () => {
    const lines = codeOf('curl').split('\n');
    const start = lines.findIndex((line) => line.includes("<<'END_OF_REQUEST'"));
    expect(lines.filter((line) => line === 'END_OF_REQUEST')).toHaveLength(1);
    expect(JSON.parse(lines.slice(start + 1, lines.indexOf('END_OF_REQUEST')).join('\n'))).toEqual(REQUEST);
  });

  it('quotes an origin with a quote', () => {
    expect(toRequestCode('curl', { request: REQUEST, origin: "http://a'b" })).toContain(`'http://a'\\''b/api/v1/chat/completions'`);
  });
});

describe('an answer that is not streamed', () => {
  const whole = { ...REQUEST, stream: false };
  it('is read whole', () => {
    expect(codeOf('python', whole)).toContain('answer.choices[0].message.content');
    expect(codeOf('typescript', whole)).toContain('await response.json()');
  });
});
