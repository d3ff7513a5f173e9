import { describe, expect, it } from 'vitest';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { parseSchema, parseTools, toParameters } from './requestSettings.ts';
import type { Settings } from './settings.ts';

const tool = (name: string, more: object = {}) => ({ type: 'function', function: { name, ...more } });
const listOf = (...tools: readonly unknown[]): string => JSON.stringify(tools);

describe('tools', () => {
  it.each(['', '  \n', undefined])('%j are none', (text) => expect(parseTools(text)).toEqual({ ok: true, value: [] }));

  it('are taken as they are written', () => {
    const written = [
      tool('get_order', { description: 'Reads.', parameters: { type: 'object' }, strict: true }),
      { ...tool('b'), extra: 1 },
    ];
    expect(parseTools(listOf(...written))).toEqual({ ok: true, value: written });
  });

  it.each<[string, string]>([
    ['[\n{]', 'Tools: not valid JSON at line 2.'],
    ['{}', 'Tools: must be a list, [ … ].'],
    ['"x"', 'Tools: must be a list, [ … ].'],
    [listOf(tool('a'), 1), 'Tools: entry 2 must be {"type":"function","function":{"name":…}}.'],
    [listOf({ type: 'retrieval' }), 'Tools: entry 1 must be {"type":"function","function":{"name":…}}.'],
    [listOf({ name: 'f', parameters: {} }), 'Tools: entry 1 must be {"type":"function","function":{"name":…}}.'],
    [listOf(tool('a b')), 'Tools: entry 1 needs a function name of 1 to 64 letters, digits, "_", "." or "-".'],
    [listOf(tool('')), 'Tools: entry 1 needs a function name of 1 to 64 letters, digits, "_", "." or "-".'],
    [listOf(tool('f', { parameters: [] })), 'Tools: the parameters of f must be an object, a JSON schema.'],
    [listOf(tool('f', { description: 5 })), 'Tools: the description of f must be a text.'],
    [listOf(tool('f'), tool('f')), 'Tools: the name f occurs twice.'],
    [
      listOf(...Array.from({ length: REQUEST_LIMITS.tools + 1 }, (_, index) => tool(`f${index}`))),
      `Tools: there can be ${REQUEST_LIMITS.tools} at most.`,
    ],
  ])('%j: %s', (text, reason) => expect(parseTools(text)).toEqual({ ok: false, reason }));
});

describe('a schema', () => {
  it('is sent with a name, given or not, and as strictly as chosen', () => {
    expect(parseSchema({ name: ' ', text: '{"type":"object"}', strict: true })).toEqual({
      ok: true,
      value: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' }, strict: true } },
    });
    expect(parseSchema({ name: 'n', text: '{}', strict: false })).toMatchObject({
      value: { json_schema: { name: 'n', strict: false } },
    });
  });

  it.each<[string, string]>([
    ['', 'Schema: write the JSON schema that answers must match, or choose another response format.'],
    ['{\n"type"', 'Schema: not valid JSON at line 2.'],
    ['[]', 'Schema: must be an object, { … }.'],
    ['true', 'Schema: must be an object, { … }.'],
  ])('%j: %s', (text, reason) => expect(parseSchema({ name: '', text, strict: true })).toEqual({ ok: false, reason }));
});

describe('the fields of a request', () => {
  it('are those that are set', () => {
    expect(toParameters({ systemPrompt: 'x', temperature: 0, seed: 1, stop: ['a'] })).toEqual({
      ok: true,
      value: { temperature: 0, seed: 1, stop: ['a'], tools: [], tool_choice: undefined, response_format: undefined },
    });
  });

  it.each<[Settings, object]>([
    [
      { tools: listOf(tool('f')), tool_choice: 'required' },
      { tool_choice: 'required', tools: [tool('f')] },
    ],
    [
      { tools: listOf(tool('f')), tool_choice: 'tool:f' },
      { tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    [
      { tools: listOf(tool('none')), tool_choice: 'tool:none' },
      { tool_choice: { type: 'function', function: { name: 'none' } } },
    ],
    [{ tool_choice: 'tool:gone' }, { tool_choice: undefined }],
    [{ response_format: 'json_object' }, { response_format: { type: 'json_object' } }],
    [
      { response_format: 'text', schema: { name: '', text: 'wrong', strict: true } },
      { response_format: { type: 'text' } },
    ],
  ])('hold %j as %j', (settings, expected) =>
    expect(toParameters(settings)).toMatchObject({ ok: true, value: expected }),
  );

  it.each<[Settings, string]>([
    [{ tools: '[' }, 'Tools: not valid JSON at line 1.'],
    [{ tools: listOf(tool('f')), tool_choice: 'tool:g' }, 'Tool choice: g is not among the tools.'],
    [
      { response_format: 'json_schema' },
      'Schema: write the JSON schema that answers must match, or choose another response format.',
    ],
  ])('are not there for %j: %s', (settings, reason) => expect(toParameters(settings)).toEqual({ ok: false, reason }));

  it('are read once from the same settings', () => {
    const settings: Settings = { seed: 1 };
    expect(toParameters(settings)).toBe(toParameters(settings));
  });
});
