import { expect, it } from 'vitest';
import { readExamples, readModels, readSession } from './answers.ts';

it('reads the session', () => {
  expect(readSession({ mode: 'local', remote: null })).toEqual({
    ok: true,
    value: { mode: 'local', remote: null, learning_rate_is_absolute: null },
  });
  expect(readSession({ mode: 'gateway', remote: 'https://studio.example', extra: 1 })).toEqual({
    ok: true,
    value: { mode: 'gateway', remote: 'https://studio.example', learning_rate_is_absolute: null },
  });
  expect(readSession({ mode: 'gateway' })).toEqual({
    ok: true,
    value: { mode: 'gateway', remote: null, learning_rate_is_absolute: null },
  });
  expect(readSession({ mode: 'local', learning_rate_is_absolute: true })).toMatchObject({
    value: { learning_rate_is_absolute: true },
  });
  expect(readSession({ mode: 'gateway', learning_rate_is_absolute: false })).toMatchObject({
    value: { learning_rate_is_absolute: false },
  });
  expect(readSession({ mode: 'local', learning_rate_is_absolute: 'yes' })).toMatchObject({
    value: { learning_rate_is_absolute: null },
  });
  for (const body of [null, [], {}, { mode: 'other' }, 'local']) expect(readSession(body).ok).toBe(false);
});

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
