import { expect, it } from 'vitest';
import { parseRows } from '../evaluation/promptRows';
import { ROW_SAMPLES, toExampleRows } from './rowSamples';

it.each(ROW_SAMPLES)('the sample of $label can be read', ({ text }) => {
  const { rows, problems } = parseRows(text);
  expect([rows.length, problems]).toEqual([2, []]);
});

it('examples are asked with the system prompt, whatever is in them', () => {
  const { rows } = parseRows(toExampleRows({ model: 'm', about: '', system_prompt: 'Be brief.', tools: [], prompts: ['two\nlines', '{"a": 1}'] }));
  expect(rows.map(({ messages }) => messages?.map(({ role, content }) => `${role}: ${content}`))).toEqual([
    ['system: Be brief.', 'user: two\nlines'],
    ['system: Be brief.', 'user: {"a": 1}'],
  ]);
});
