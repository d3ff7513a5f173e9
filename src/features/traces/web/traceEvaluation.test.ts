import { expect, it } from 'vitest';
import { NO_FILTER } from './traceFilter.ts';
import { toFilterWords, toTraceRow } from './traceEvaluation.ts';

const trace = { input: 'And now?', output: 'Wait.', modelId: 'tuned', score: 0.8, messages: null };
const chat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'And now?', name: 'ada' },
];

it('asks what was asked, expects a good output, and tags by model and score', () => {
  expect(toTraceRow({ ...trace, messages: chat })).toEqual({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'And now?' },
    ],
    expected: 'Wait.',
    tags: { model: 'tuned', score: 'good' },
  });
  expect(toTraceRow({ ...trace, score: 0.2 })).toMatchObject({ expected: null, tags: { score: 'weak' } });
  expect(toTraceRow({ ...trace, score: null })).toMatchObject({ expected: null, tags: { score: 'none' } });
});

it.each([
  [[...chat, { role: 'assistant', content: 'Wait.' }]],
  [[{ role: 'user', content: [{ type: 'image_url' }] }]],
  [[{ role: 'tool', content: '3', tool_call_id: 'a' }]],
  ['no list'],
])('asks the input alone of a conversation like %j', (messages) =>
  expect(toTraceRow({ ...trace, messages }).messages).toEqual([{ role: 'user', content: 'And now?' }]),
);

it('says which traces they are', () => {
  expect(toFilterWords(NO_FILTER)).toBe('');
  expect(toFilterWords({ ...NO_FILTER, band: 'weak', model: 'tuned', search: 'refund' })).toBe(
    'weak: below 0.8, of tuned, with “refund”',
  );
});
