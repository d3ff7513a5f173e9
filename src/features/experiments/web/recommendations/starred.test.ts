import { expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { Choices } from '#features/experiments/shared/candidates.ts';
import { toPackedParameter } from '#features/experiments/shared/packing.ts';
import { findStarred, toPlaceWords, toSettingsLine } from './starred.ts';

const candidate = (key: string, recommended = true) => toTestCandidate(key, { recommended });
const model = (key: string, recommended: boolean, ways: readonly ('full' | 'lora')[]) => ({
  key,
  base_model_id: key,
  recommended,
  reason_for_recommendation: null,
  full: ways.includes('full') ? candidate(`${key}:full`, recommended) : null,
  lora: ways.includes('lora') ? candidate(`${key}:lora`, recommended) : null,
  extras: [],
});
const of = (choices: Partial<Choices>) =>
  findStarred({ models: [], experiments: [], candidates: [], ...choices }).map(({ key }) => key);

it('recommended experiments are the answer, else one training of each recommended base model', () => {
  const models = [
    model('a', true, ['full', 'lora']),
    model('b', false, ['lora']),
    model('c', true, ['full']),
    model('d', true, []),
  ];
  expect(of({ models, experiments: [candidate('1'), candidate('2', false), candidate('3')] })).toEqual(['1', '3']);
  expect(of({ models })).toEqual(['a:lora', 'c:full']);
  expect(of({ models, experiments: [candidate('2', false)] })).toEqual([]);
  expect(of({})).toEqual([]);
  expect(of({ experiments: ['1', '2', '3', '4'].map((key) => candidate(key)) })).toEqual(['1', '2', '3']);
});

it('a model of the hub is trained elsewhere, any other here', () => {
  expect(['qwen2.5-0.5b', 'org/name', 'support-base'].map(toPlaceWords)).toEqual([
    'on a GPU elsewhere',
    'on a GPU elsewhere',
    'here',
  ]);
});

it('settings are one line, and what is unknown is said', () => {
  expect(toSettingsLine(candidate('a'), true)).toBe('LoRA · 3 epochs · batch 8 · learning rate 2e-4');
  expect(
    toSettingsLine(
      toTestCandidate('a', { n_epochs: 1, extras: [toPackedParameter('8 packed sequences, about 14 rows')] }),
      false,
    ),
  ).toBe('LoRA · 1 epoch · batch 8 packed sequences, about 14 rows · learning rate multiplier 2e-4');
  expect(
    toSettingsLine(
      toTestCandidate('a', { training_type: null, n_epochs: null, batch_size: null, learning_rate_multiplier: null }),
      true,
    ),
  ).toBe('training not given · epochs not given · batch not given · learning rate not given');
});
