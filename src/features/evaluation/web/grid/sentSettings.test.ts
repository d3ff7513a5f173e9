import { expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { toSentJson, toSentText } from './sentSettings.ts';

const tool = (name: string) => ({ type: 'function', function: { name } }) as const;

it.each<readonly [Partial<ChatRequest>, string]>([
  [{}, 'default settings'],
  [{ messages: [{ role: 'system', content: '  ' }] }, 'default settings'],
  [
    {
      messages: [{ role: 'system', content: 'Be brief.' }],
      tools: ['a', 'b', 'c', 'd'].map(tool),
      temperature: 0.2,
      stream: true,
    },
    'system prompt, 4 tools, temperature 0.2',
  ],
  [
    { temperature: 0, seed: 0, max_completion_tokens: 5, stop: ['x'] },
    'temperature 0, max 5 tokens, seed 0, 1 stop sequence',
  ],
  [
    { tools: [tool('a')], tool_choice: tool('a'), response_format: { type: 'json_object' } },
    '1 tool, tool choice a, format json_object',
  ],
])('%j: %s', (more, text) => expect(toSentText({ model: 'm', messages: [], ...more })).toBe(text));

it('shows everything but the messages', () => {
  expect(JSON.parse(toSentJson({ model: 'm', messages: [{ role: 'system', content: 's' }], top_p: 0.5 }))).toEqual({
    model: 'm',
    top_p: 0.5,
  });
});
