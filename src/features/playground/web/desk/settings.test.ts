import { describe, expect, it } from 'vitest';
import {
  linkSettings,
  mergeSettings,
  patchSettings,
  splitPatch,
  unlinkSettings,
  type OwnSettings,
  type Settings,
} from './settings.ts';
import { readOwnSettings, readSettings } from '#features/playground/web/storage/answerRecords.ts';

describe('settings', () => {
  it('leave out what is unset: nothing, an empty text, an empty list; 0 and false stay', () => {
    const settings: Settings = { temperature: 0, seed: 0, systemPrompt: 'x', stop: ['a'], tools: '[]' };
    expect(patchSettings(settings, {})).toEqual(settings);
    expect(
      Object.keys(patchSettings(settings, { temperature: undefined, systemPrompt: '', stop: [], tools: undefined })),
    ).toEqual(['seed']);
  });

  it('are merged with what a pane has for itself; unset there is unset', () => {
    expect(mergeSettings({ temperature: 1, seed: 1 }, { seed: null, top_p: 0 })).toEqual({ temperature: 1, top_p: 0 });
    expect(mergeSettings({ systemPrompt: 'x' }, { systemPrompt: null })).toEqual({});
  });

  it('go where they belong when they are changed', () => {
    const own: OwnSettings = { seed: 1, tools: null };
    expect(splitPatch(own, { seed: 2, tools: '[]', temperature: 1 })).toEqual({
      shared: { temperature: 1 },
      own: { seed: 2, tools: '[]' },
    });
    expect(splitPatch(own, { seed: undefined, tools: '' })).toEqual({ shared: {}, own: { seed: null, tools: null } });
    expect(splitPatch(own, { temperature: 1 }).own).toBe(own);
  });

  it('are unlinked with what is shared, and linked without a trace', () => {
    const own = unlinkSettings({ seed: 3 }, { top_p: 0.5 }, ['seed', 'temperature', 'top_p']);
    expect(own).toEqual({ seed: 3, temperature: null, top_p: 0.5 });
    expect(linkSettings(own, ['seed', 'stop'])).toEqual({ temperature: null, top_p: 0.5 });
  });
});

describe('stored settings', () => {
  const FULL: Settings = {
    systemPrompt: 'Be brief.',
    temperature: 0,
    top_p: 1,
    frequency_penalty: -2,
    presence_penalty: 2,
    max_completion_tokens: 1,
    seed: -7,
    stop: ['a,b'],
    tools: '[{',
    tool_choice: 'required',
    response_format: 'json_schema',
    schema: { name: '', text: '', strict: false },
  };

  it('are read back as they were', () => {
    expect(readSettings(FULL)).toEqual(FULL);
    expect(readOwnSettings({ ...FULL, seed: null, schema: null })).toEqual({ ...FULL, seed: null, schema: null });
  });

  it.each<[unknown, Settings]>([
    [
      { temperature: 3, seed: '1', systemPrompt: 5, tools: [], tool_choice: {}, response_format: 'xml', schema: 'x' },
      {},
    ],
    [{ schema: { text: 'x' } }, { schema: { name: '', text: 'x', strict: true } }],
    [{ schema: { text: 'x', check: true } }, { schema: { name: '', text: 'x', strict: true, check: true } }],
    [{ schema: { text: 'x', check: 'yes' } }, { schema: { name: '', text: 'x', strict: true } }],
    [{ schema: { name: 'n', strict: false } }, {}],
    [JSON.parse('{"__proto__":{"systemPrompt":"x"},"unknown":1}'), {}],
    [null, {}],
    ['x', {}],
    [[], {}],
  ])('%j are read as %j', (value, expected) => {
    expect(readSettings(value)).toEqual(expected);
    expect(readOwnSettings(value)).toEqual(expected);
  });
});
