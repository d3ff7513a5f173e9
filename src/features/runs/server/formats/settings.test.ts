import { expect, it } from 'vitest';
import type { JsonObject } from '#core/contract/readJson.ts';
import type { Fact, ParameterValue } from '#features/runs/server/evidence.ts';
import { parseLooseJson } from './looseJson.ts';
import { addSettings, flattenSettings, toParameterValue } from './settings.ts';

const SOURCE = { file: 'run/config.json', place: null };
const read = (settings: JsonObject): Record<string, unknown> => {
  const found = new Map<string, Fact<ParameterValue>>();
  addSettings(found, settings, SOURCE);
  return Object.fromEntries([...found].map(([name, fact]) => [name, fact.value]));
};

it('keeps plain values, and lists and objects as JSON', () => {
  expect(read({ lr: 2e-4, name: 'x', on: true, none: null, list: ['q', 1], object: { a: NaN } })).toEqual({
    lr: 2e-4,
    name: 'x',
    on: true,
    none: null,
    list: '["q",1]',
    object: '{"a":"NaN"}',
  });
});

it('leaves secrets out, inside of objects and lists too', () => {
  const settings = {
    hub_token: 'hf_1',
    eos_token: '</s>',
    report: { wandb_api_key: 'k', all: [{ password: 'p', a: 1 }] },
  };
  expect(read(settings)).toEqual({ eos_token: '</s>', report: '{"all":[{"a":1}]}' });
  expect(flattenSettings(settings)).toEqual({ eos_token: '</s>', 'report.all': [{ password: 'p', a: 1 }] });
});

it('keeps settings that end like a secret and are none', () => {
  const settings = { lora_key: false, 'data.prompt_key': 'q', reward_fn_key: 'r', vera_projection_prng_key: 0 };
  expect(read({ ...settings, api_key: 'k', 'wandb.key': 'k' })).toEqual(settings);
});

it('keeps the first value of a name', () => {
  const found = new Map<string, Fact<ParameterValue>>();
  addSettings(found, { lr: 1 }, SOURCE);
  addSettings(found, { lr: 2, seed: 3 }, { file: 'later', place: null });
  expect([...found]).toEqual([
    ['lr', { value: 1, source: SOURCE }],
    ['seed', { value: 3, source: { file: 'later', place: null } }],
  ]);
});

it('bounds long values, many settings and deep nesting', () => {
  expect(toParameterValue('x'.repeat(100_000))).toHaveLength(4001);
  expect(Object.keys(read(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`s${i}`, i]))))).toHaveLength(
    3000,
  );
  expect(toParameterValue(parseLooseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBeUndefined();
});

it('joins names of nested settings and is not fooled by __proto__', () => {
  const settings = parseLooseJson('{"lora": {"r": 8, "init": {}}, "__proto__": {"polluted": true}}') as JsonObject;
  expect(Object.entries(flattenSettings(settings))).toEqual([
    ['lora.r', 8],
    ['lora.init', {}],
    ['__proto__.polluted', true],
  ]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
