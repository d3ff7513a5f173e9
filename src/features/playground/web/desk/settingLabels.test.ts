import { expect, it } from 'vitest';
import { isOwnSampling, SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { isChanged, PANEL_NAMES, toSettingSummary } from './settingLabels.ts';
import { PARAMETER_NAMES, SETTING_LABELS, SETTING_NAMES, type SettingName, type Settings } from './settings.ts';

it('names every setting once, in the order of the panel', () => {
  expect(PARAMETER_NAMES).toEqual([...SAMPLING_NAMES, 'max_completion_tokens', 'seed', 'stop', 'logprobs']);
  expect(PANEL_NAMES).toEqual([...PARAMETER_NAMES, 'tools', 'tool_choice', 'response_format', 'schema']);
  expect(SETTING_NAMES).toEqual(['systemPrompt', ...PANEL_NAMES]);
  expect(new Set(Object.values(SETTING_LABELS)).size).toBe(SETTING_NAMES.length);
});

it.each(SAMPLING_NAMES)(
  '%s is changed where it differs from the default that every engine has, and told by its label',
  (name) => {
    const { label, min, max, fallback } = SAMPLING_PARAMETERS[name];
    const other = fallback === max ? min : max;
    expect(SETTING_LABELS[name]).toBe(label);
    expect([fallback, other].map((value) => isChanged({ [name]: value }, name))).toEqual([isOwnSampling(name), true]);
    expect(toSettingSummary({ [name]: other })).toBe(`${label.charAt(0).toLowerCase()}${label.slice(1)} ${other}`);
  },
);

it.each<[Settings, string]>([
  [{}, 'all defaults'],
  [{ temperature: undefined, stop: [] }, 'all defaults'],
  // 0 is a value, not "unset".
  [
    { temperature: 0, top_p: 0, frequency_penalty: 0, presence_penalty: 0, seed: 0 },
    'temperature 0 · top P 0 · frequency penalty 0 · presence penalty 0 · seed 0',
  ],
  [{ seed: 7, temperature: 0.2 }, 'temperature 0.2 · seed 7'],
  [{ max_completion_tokens: 64, stop: ['a'] }, 'max 64 tokens · 1 stop sequence'],
  [{ stop: ['a', 'b, c'] }, '2 stop sequences'],
  [
    { top_k: 20, min_p: 0.05, repetition_penalty: 1.1, logprobs: true },
    'top K 20 · min P 0.05 · repetition penalty 1.1 · logprobs',
  ],
  [{ response_format: 'json_schema', tools: '[{}]', tool_choice: 'none' }, 'tools · schema'],
  [{ tools: ' ', systemPrompt: 'Be brief.' }, 'all defaults'],
])('%j is %j', (parameters, expected) => expect(toSettingSummary(parameters)).toBe(expected));

it('what a model brings is no change of a person, until it is edited', () => {
  const own: Settings = {
    tools: '[{}]',
    response_format: 'json_schema',
    schema: { name: 'a', text: '{}', strict: true },
  };
  const count = (settings: Settings) => PANEL_NAMES.filter((name) => isChanged(settings, name, [{}, own])).length;
  expect([count(own), count({ ...own, tools: '[]' }), count({ ...own, temperature: 0 })]).toEqual([0, 1, 1]);
});

it.each<[Settings, SettingName, boolean]>([
  [{}, 'temperature', false],
  [{ temperature: 0.7 }, 'temperature', false],
  [{ temperature: 0 }, 'temperature', true],
  [{ top_p: 1 }, 'top_p', false],
  [{ seed: 0 }, 'seed', true],
  [{ stop: ['a'] }, 'stop', true],
  [{ response_format: 'text' }, 'response_format', false],
  [{ response_format: 'json_object' }, 'response_format', true],
  [{ tool_choice: 'auto' }, 'tool_choice', false],
  [{ tool_choice: 'tool:f' }, 'tool_choice', true],
])('of %j, %s differs from the default: %s', (settings, name, expected) =>
  expect(isChanged(settings, name)).toBe(expected),
);

const TOOL = '{"type":"function","function":{"name":"f"}}';
const SCHEMA = { name: '', text: '{}', strict: true };

it.each<[Settings, string]>([
  [{ tools: `[${TOOL}]` }, '1 tool'],
  [{ tools: `[${TOOL},${TOOL.replace('"f"', '"g"')}]` }, '2 tools'],
  [{ schema: SCHEMA }, 'all defaults'],
  [{ schema: { ...SCHEMA, check: true } }, 'checked against a schema'],
  [{ response_format: 'json_schema', schema: { ...SCHEMA, check: true } }, 'schema'],
])('%j is %j', (settings, expected) => expect(toSettingSummary(settings)).toBe(expected));

it('a schema counts as changed where it does something', () => {
  const settings: readonly Settings[] = [
    { schema: SCHEMA },
    { schema: { ...SCHEMA, check: true } },
    { schema: SCHEMA, response_format: 'json_schema' },
    { response_format: 'json_schema' },
  ];
  expect(settings.map((each) => isChanged(each, 'schema'))).toEqual([false, true, true, false]);
});
