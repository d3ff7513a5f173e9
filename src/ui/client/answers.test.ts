import { expect, it } from 'vitest';
import { readExamples, readModels } from './answers.ts';

it('reads the list of models', () => {
  const body = {
    object: 'list',
    data: [
      { id: 'a', created: 5, object: 'model', owned_by: 'me' },
      { id: 'b' },
      { id: 'a', created: 9 },
      {},
      null,
      { id: '' },
      { id: 5 },
    ],
  };
  expect(readModels(body)).toEqual({
    ok: true,
    value: [
      { id: 'a', created: 5, object: 'model', owned_by: 'me' },
      { id: 'b', created: 0, object: 'model', owned_by: '' },
    ],
  });
  for (const bad of [null, [], {}, { data: {} }]) expect(readModels(bad).ok).toBe(false);
});

it('reads examples', () => {
  const body = {
    model: 'm',
    about: 'It sorts tickets.',
    system_prompt: 'Sort.',
    tools: [{ type: 'function' }, 'no'],
    response_format: { type: 'json_schema', json_schema: { name: 'sorted', schema: { type: 'object' }, strict: true } },
    turns: 'single',
    continues_after_tool: false,
    prompts: ['a', 5, 'b', null],
  };
  expect(readExamples(body)).toEqual({
    ok: true,
    value: { ...body, tools: [{ type: 'function' }], prompts: ['a', 'b'] },
  });
  expect(readExamples({})).toEqual({
    ok: true,
    value: {
      model: '',
      about: '',
      system_prompt: '',
      tools: [],
      response_format: null,
      turns: null,
      continues_after_tool: null,
      prompts: [],
    },
  });
  expect(
    readExamples({ response_format: { type: 'json_schema', json_schema: {} }, turns: 'two', continues_after_tool: 1 }),
  ).toMatchObject({ value: { response_format: null, turns: null, continues_after_tool: null } });
  expect(readExamples(null)).toEqual({ ok: true, value: null });
  expect(readExamples('none').ok).toBe(false);
});
