import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { chooseMode, findSaturated, type RunFact, type SnapshotFacts } from './evidence.ts';
import { toHyperparameters } from './hyperparameters.ts';
import { toProposals } from './proposals.ts';
import {
  anyFacts,
  FAILED,
  FULL as RIGHT,
  LORA as NEARLY_RIGHT,
  OTHER,
  toTestFacts,
  toTestRun,
} from './facts.fixture.ts';

/** Runs that leave something to win. */
const LORA = { ...NEARLY_RIGHT, held_out: { exact_match: 0.8 } };
const FULL = { ...RIGHT, held_out: { exact_match: 0.805 } };

const [MODEL] = CATALOGUE;
const propose = (facts: SnapshotFacts) => toProposals(MODEL!, facts);
const list = (runs: readonly RunFact[], more: Partial<SnapshotFacts> = {}) =>
  propose(toTestFacts({ runs, ...more })).map(({ kind, plan, factor, tried, recommended }) => {
    const { n_epochs, learning_rate_multiplier } = toHyperparameters(plan, factor);
    return (
      `${recommended ? '* ' : ''}${kind} ${plan.isLora ? 'lora' : 'full'} ${learning_rate_multiplier} ` +
      `x${n_epochs}${tried ? ` as ${tried.experiment_number}` : ''}`
    );
  });

describe('the first untried one is recommended', () => {
  it('the suggested values, where nothing has run', () => {
    expect(list([])).toEqual([
      '* suggested lora 0.00107 x3',
      'lower-rate lora 0.000357 x3',
      'higher-rate lora 0.00321 x3',
    ]);
  });

  it('the other way of training, where only one has run', () => {
    const shown = { ...LORA, n_epochs: 4, steps: 369 };
    const elsewhere = { ...FULL, snapshot_id: OTHER };
    expect(list([shown, elsewhere], { training_count: 1440 })).toEqual([
      '* other-way full 0.0015 x4',
      'lower-rate lora 0.002 x4',
      'higher-rate lora 0.018 x4',
      'suggested lora 0.006 x4 as 1',
    ]);
  });

  it('the other way for as long, where its run was shorter', () => {
    const short = { ...LORA, n_epochs: 2, held_out: { exact_match: 0 } };
    expect(list([short, FULL], { answer_shape: 'text' })[0]).toBe('* other-way lora 0.006 x3');
  });

  it('none, where nothing is left to win on the validation rows', () => {
    expect(list([NEARLY_RIGHT, RIGHT]).filter((line) => line.startsWith('*'))).toEqual([]);
  });

  it('the rates of the better way before a way that is clearly behind', () => {
    const behind = { ...LORA, n_epochs: 2, held_out: { exact_match: 0.2 } };
    expect(list([behind, FULL]).slice(0, 3)).toEqual([
      '* lower-rate full 0.0005 x3',
      'higher-rate full 0.0045 x3',
      'other-way lora 0.006 x3',
    ]);
  });

  it('then the bracket of rates', () => {
    expect(list([LORA, FULL, FAILED])).toEqual([
      '* lower-rate lora 0.002 x3',
      'higher-rate lora 0.018 x3',
      'suggested lora 0.006 x3 as 1',
    ]);
    const lower = toTestRun({ experiment_number: 4, learning_rate: 2e-3, held_out: { exact_match: 0.7 } });
    expect(list([LORA, FULL, lower])).toEqual(['* higher-rate lora 0.018 x3', 'suggested lora 0.006 x3 as 1']);
  });

  it('then longer training, also where what is left lies near a rate that failed', () => {
    const tried = [2e-3, 0.018].map((learning_rate, index) =>
      toTestRun({ experiment_number: 4 + index, learning_rate, held_out: { exact_match: 0.7 } }),
    );
    expect(list([LORA, FULL, ...tried])).toEqual(['* longer lora 0.006 x6', 'suggested lora 0.006 x3 as 1']);
    const doubled = toTestRun({ experiment_number: 6, n_epochs: 6, held_out: { exact_match: 0.7 } });
    expect(list([LORA, FULL, ...tried, doubled])[0]).toBe('* longer lora 0.006 x7');
    const failed = { ...FAILED, lora: true, learning_rate: 0.05 };
    expect(list([LORA, FULL, tried[0]!, failed])).toEqual([
      '* longer lora 0.006 x6',
      'higher-rate lora 0.018 x3',
      'suggested lora 0.006 x3 as 1',
    ]);
  });

  it('longer training up to the most epochs that can be started', () => {
    const epochs = (n_epochs: number, number: number, learning_rate = 6e-3) =>
      toTestRun({ experiment_number: number, n_epochs, learning_rate, held_out: { exact_match: 0.7 } });
    const known = [{ ...FULL, n_epochs: 8 }, { ...LORA, n_epochs: 8 }, epochs(8, 4, 2e-3), epochs(8, 5, 0.018)];
    expect(list(known)[0]).toBe('* longer lora 0.006 x10');
    expect(list([...known, epochs(10, 6)])).toEqual(['suggested lora 0.006 x8 as 1']);
  });
});

it('recommends one that has not run, or none where nothing is left to win; offers nothing twice, and repeats the suggested values at most', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const proposals = propose(facts);
      const [first] = proposals;
      const isDone = findSaturated(facts, chooseMode(facts)) !== null;
      expect(proposals.filter(({ recommended }) => recommended)).toEqual(isDone ? [] : [first]);
      expect(first?.tried).toBeNull();
      expect(proposals.filter(({ tried }) => tried).every(({ kind }) => kind === 'suggested')).toBe(true);
      expect(proposals.some(({ kind }) => kind === 'suggested')).toBe(true);
      const values = proposals.map(({ plan, factor }) =>
        JSON.stringify([plan.isLora, toHyperparameters(plan, factor)]),
      );
      expect(new Set(values).size).toBe(values.length);
      for (const { tried, plan, factor } of proposals) {
        const rate = toHyperparameters(plan, factor).learning_rate_multiplier;
        const isSame = (run: RunFact) =>
          run.snapshot_id === facts.snapshot_id &&
          run.lora === plan.isLora &&
          run.n_epochs === plan.n_epochs &&
          run.batch_size === plan.batch_size &&
          Number(run.learning_rate.toPrecision(3)) === rate;
        expect(facts.runs.some(isSame)).toBe(tried !== null);
      }
    }),
  );
});
