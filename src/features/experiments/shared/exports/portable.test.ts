import { describe, expect, it } from 'vitest';
import { isPortable } from '#features/experiments/shared/baseModels.ts';
import { findHubName } from '#features/experiments/shared/hubNames.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { CONFIGS, readYaml, toTestInput, YAML_CONFIGS } from './exportFormats.fixture.ts';
import { EXPORT_FORMATS } from './exportFormats.ts';

const local = (key: string, more = {}) =>
  toTestCandidate(key, { base_model_id: 'support-base', learning_rate_multiplier: 0.018, ...more });
const other = toTestCandidate('q', { base_model_id: 'qwen3-0.6b', learning_rate_multiplier: 2e-4 });

it.each([
  ['support-base', false],
  ['qwen3-0.6b', true],
  ['gemma3-1b', true],
  ['org/name', true],
  ['', false],
])('a base model called %j can be had elsewhere: %s', (id, expected) => expect(isPortable(id)).toBe(expected));

it('it is certain which models on the hub the local studio recommends for a GPU elsewhere', () => {
  expect(['qwen2.5-0.5b', 'qwen3-0.6b', 'llama3.2-1b'].map(findHubName)).not.toContain(null);
  expect(['support-base', 'gemma3-1b', 'smollm-135m'].map(findHubName)).toEqual([null, null, null]);
});

describe('a base model that only this studio has', () => {
  it("has no trainer's config, in words; the payload, curl and tables stay", () => {
    const problems = (isRemote: boolean) =>
      EXPORT_FORMATS.map(({ id, findProblem }) => [
        id,
        findProblem(toTestInput([local('a')], { isRemote })) !== null,
      ]).filter(([, isProblem]) => isProblem);
    for (const isRemote of [true, false])
      expect(problems(isRemote)).toEqual(['axolotl', 'llamafactory', 'trl', 'unsloth'].map((id) => [id, true]));
    const [config] = CONFIGS;
    expect(config?.findProblem(toTestInput([local('a')]))).toBe(
      'support-base exists only in this studio: no trainer can load it, and the rate was found for this model only.',
    );
    expect(config?.findProblem(toTestInput([local('a'), local('b', { base_model_id: 'sort-base' })]))).toBe(
      'support-base, sort-base exist only in this studio: no trainer can load them, and the rates were found for ' +
        'these models only.',
    );
    expect(config?.findProblem(toTestInput([local('a')], { isRemote: true }))).toMatch(
      /^support-base has no known name on the hub: /,
    );
    expect(config?.findProblem(toTestInput([]))).toBeNull();
  });

  it('is left out of a mixed list, which says so; its rate is in no config', () => {
    const mixed = toTestInput([local('a'), other, local('b')]);
    for (const { toText, findGap, findProblem } of CONFIGS) {
      const text = toText(mixed);
      expect(findProblem(mixed)).toBeNull();
      expect(text.split('\n')[0]).toBe('# 2 left out: support-base exists only in this studio.');
      expect(text).not.toContain('0.018');
      expect(text.match(/support-base/g)).toHaveLength(1);
      expect(findGap(mixed)).toMatch(
        /^2 left out: support-base exists only in this studio\. Fill in the training data/,
      );
    }
    for (const { toText } of YAML_CONFIGS) expect(readYaml(toText(mixed))).toHaveLength(1);
    for (const { toText, kind } of EXPORT_FORMATS)
      if (kind !== 'config') expect(toText(mixed)).toContain('support-base');
  });

  it('asks for no meaning of its rate', () => {
    for (const { asks } of CONFIGS) {
      expect(asks(toTestInput([local('a')], { rate: { means: 'unknown' } }))).toBe(false);
      expect(asks(toTestInput([local('a'), other], { rate: { means: 'unknown' } }))).toBe(true);
    }
  });

  it('gives no line to a name that is made to break out', () => {
    const hostile = toTestInput([local('a', { base_model_id: 'x\n- coding: utf-7\u2028rm' }), other]);
    for (const { toText } of CONFIGS) {
      const lines = toText(hostile).split('\n');
      expect(lines[0]).toBe('# 1 left out: x - coding : utf-7 rm exists only in this studio.');
      expect(lines[1]).toMatch(/^# /);
    }
  });
});
