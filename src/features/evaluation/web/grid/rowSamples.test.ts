import { expect, it } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { readRowTools } from '#features/evaluation/shared/rowTools.ts';
import { ROW_SAMPLES, toExampleRows } from './rowSamples.ts';

const UNKNOWN = { response_format: null, turns: null, continues_after_tool: null } as const;

it.each(ROW_SAMPLES)('the sample of $label can be read', ({ text }) => {
  const { rows, problems } = parseRows(text);
  expect([rows.length, problems]).toEqual([2, []]);
});

it('examples are asked with the system prompt, whatever is in them', () => {
  const { rows } = parseRows(
    toExampleRows({
      model: 'm',
      about: '',
      system_prompt: 'Be brief.',
      tools: [],
      ...UNKNOWN,
      prompts: ['two\nlines', '{"a": 1}'],
    }),
  );
  expect(rows.map(({ messages }) => messages?.map(({ role, content }) => `${role}: ${content}`))).toEqual([
    ['system: Be brief.', 'user: two\nlines'],
    ['system: Be brief.', 'user: {"a": 1}'],
  ]);
});

it('examples bring their tools', () => {
  const tool = { type: 'function', function: { name: 'get_order' } };
  const { rows } = parseRows(
    toExampleRows({ model: 'm', about: '', system_prompt: '', tools: [tool], ...UNKNOWN, prompts: ['Where is it?'] }),
  );
  expect(rows.map((row) => readRowTools(row))).toEqual([{ ok: true, value: [tool] }]);
});
