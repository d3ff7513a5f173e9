// No config trains with a trainer's default learning rate, and each says whose the rate is.
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { RateMeaning } from '#core/contract/rateMeaning.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { CONFIGS, toTestInput, YAML_CONFIGS } from './exportFormats.fixture.ts';
import { EXPORT_FORMATS } from './exportFormats.ts';
import type { ExportInput } from './exportInput.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { toTrlConfig } from './trlConfig.ts';
import { toUnslothConfig } from './unslothConfig.ts';

const of = (rate: RateMeaning, ...candidates: readonly Partial<Candidate>[]): ExportInput =>
  toTestInput(
    candidates.map((more, at) => toTestCandidate(String(at), more)),
    { rate, isRemote: true },
  );
const UNKNOWN: RateMeaning = { means: 'unknown' };
const readYaml = (text: string): unknown => parse(text, { version: '1.1' });

describe('a multiplier of which nobody said what it means', () => {
  const one = of(UNKNOWN, { learning_rate_multiplier: 1.5 });

  it('stops every parser of YAML, with the reason and the line', () => {
    for (const { toText } of YAML_CONFIGS) {
      const text = toText(one);
      expect(() => readYaml(text)).toThrow('set_the_learning_rate__nobody_said_what_the_multiplier_of_1_5_means');
      expect(text).toMatch(
        /# learning_rate: the service gave a multiplier of 1\.5 and does not say what it means; set learning_rate to 1\.5 x your default\n/,
      );
      // With a number in its place, all is well.
      expect(readYaml(text.replace(/\*set_the_learning_rate\S+/, '3.0e-5'))).toMatchObject({ learning_rate: 3e-5 });
    }
  });

  it('stops the shell, by a variable', () => {
    expect(toTrlConfig(one)).toContain(
      '--learning_rate "${LEARNING_RATE:?set it to the learning rate, as nobody said what the multiplier of 1.5 ' +
        'means}"',
    );
    expect(toTrlConfig(one)).toContain('then set DATASET, LEARNING_RATE and run');
    const two = toTrlConfig(of(UNKNOWN, { learning_rate_multiplier: 1.5 }, { learning_rate_multiplier: 3 }));
    expect(
      [
        ...toShellWords(two)
          .join(' ')
          .matchAll(/--learning_rate \$\{(\w+):\?/g),
      ].map((match) => match[1]),
    ).toEqual(['LEARNING_RATE_1', 'LEARNING_RATE_2']);
  });

  it('stops the notebook before anything is loaded', () => {
    const cell = toUnslothConfig(one);
    expect(cell).toContain(
      '\nif LEARNING_RATE is None:\n    raise ValueError("Set LEARNING_RATE first: nobody said what the ' +
        'multiplier of 1.5 means.")\n',
    );
    expect(cell.indexOf('raise ValueError')).toBeLessThan(cell.indexOf('from_pretrained'));
    expect(cell).toContain('\n    learning_rate=LEARNING_RATE,\n');
  });

  it('may be the rate itself where it is small', () => {
    for (const { toText } of CONFIGS) {
      expect(toText(of(UNKNOWN, {}))).toContain('may be the rate itself');
      expect(toText(one)).not.toContain('may be the rate itself');
    }
  });
});

it('no rate, or none above 0, stops in the same way, whatever was said', () => {
  for (const learning_rate_multiplier of [null, 0, -1, Number.NaN]) {
    for (const meaning of [UNKNOWN, { means: 'rate', saidBy: 'service' }, { means: 'factor', base: 2e-5 }] as const) {
      const input = of(meaning, { learning_rate_multiplier });
      for (const { toText } of YAML_CONFIGS)
        expect(() => readYaml(toText(input))).toThrow('set_the_learning_rate__the_service_gave_n');
      expect(toTrlConfig(input)).toContain('--learning_rate "${LEARNING_RATE:?');
      expect(toUnslothConfig(input)).toContain('raise ValueError("Set LEARNING_RATE first: the service gave n');
    }
  }
});

describe('what was said', () => {
  const toRates = (input: ExportInput): unknown[] => [
    ...YAML_CONFIGS.flatMap(({ toText }) =>
      [...parseAllDocuments(toText(input), { version: '1.1' })].map((document) =>
        'toJS' in document ? (document.toJS() as Record<string, unknown>)['learning_rate'] : null,
      ),
    ),
    ...[
      ...toShellWords(toTrlConfig(input))
        .join(' ')
        .matchAll(/--learning_rate (\S+)/g),
    ].map((match) => Number(match[1])),
    ...[...toUnslothConfig(input).matchAll(/^ {4}learning_rate=([^,]+),/gm)].map((match) => Number(match[1])),
  ];

  it('is the rate in every format, with a comment on who said it', () => {
    const input = of({ means: 'rate', saidBy: 'person' }, { learning_rate_multiplier: 2e-4 });
    expect(toRates(input)).toEqual(CONFIGS.map(() => 2e-4));
    for (const { toText } of CONFIGS)
      expect(toText(input)).toMatch(/#.*you said that this service's multiplier is the rate itself/);
  });

  it('is times the base rate in every format, with both numbers in a comment', () => {
    const input = of({ means: 'factor', base: 2e-5 }, { learning_rate_multiplier: 1.5 });
    expect(toRates(input)).toEqual(CONFIGS.map(() => 3e-5));
    for (const { toText } of CONFIGS)
      expect(toText(input)).toMatch(/#.*your base rate of 0\.00002 x the service's multiplier of 1\.5/);
  });

  it('is not spoken of where the service says it', () => {
    for (const { toText } of CONFIGS)
      expect(toText(of({ means: 'rate', saidBy: 'service' }, {}))).not.toMatch(/you said|your base rate/);
  });
});

it('only trainers’ configs ask what a multiplier means, and only while nobody said it', () => {
  const asking = (input: ExportInput) => EXPORT_FORMATS.filter(({ asks }) => asks(input)).map(({ id }) => id);
  expect(asking(of(UNKNOWN, {}))).toEqual(CONFIGS.map(({ id }) => id));
  expect(asking(of(UNKNOWN, { learning_rate_multiplier: null }))).toEqual([]);
  expect(asking(of({ means: 'rate', saidBy: 'person' }, {}))).toEqual([]);
  for (const { id, toText } of EXPORT_FORMATS.filter(({ kind }) => kind !== 'config'))
    expect([id, toText(of({ means: 'factor', base: 2 }, { learning_rate_multiplier: 1.5 })).includes('1.5')]).toEqual([
      id,
      true,
    ]);
});
