import { describe, expect, it } from 'vitest';
import type { MeasuredRun, TaskFacts } from './measuredRun.ts';
import { toMeasuredMode, toMeasuredSettings } from './measuredSettings.ts';
import { toExpectedRegret, toNearness, toNearTasks, toRegret } from './nearest.ts';

const FACTS: TaskFacts = {
  rows: 200,
  bytes_per_row: 100,
  tokens_per_row: 60,
  answer_shape: 'json',
  parameters: 0.94e6,
};
const toRun = (fields: Partial<MeasuredRun> = {}): MeasuredRun => ({
  task: 'a',
  origin: 'calibration',
  facts: FACTS,
  lora: false,
  learning_rate: 3e-3,
  batch_size: 4,
  n_epochs: 6,
  loss: 0.1,
  exact_match: 0.9,
  ...fields,
});
const settings = (runs: readonly MeasuredRun[], facts = FACTS) => toMeasuredSettings(facts, runs, false);

describe('nearness', () => {
  it('is 1 for the same facts, 0.61 for one step in any of them, and the same in both directions', () => {
    expect(toNearness(FACTS, FACTS)).toBe(1);
    const others: readonly TaskFacts[] = [
      { ...FACTS, rows: 1600 },
      { ...FACTS, bytes_per_row: 300 },
      { ...FACTS, parameters: 2.82e6 },
      { ...FACTS, answer_shape: 'text' },
    ];
    for (const other of others) {
      expect(toNearness(FACTS, other)).toBeCloseTo(Math.exp(-0.5));
      expect(toNearness(other, FACTS)).toBeCloseTo(toNearness(FACTS, other));
    }
  });

  it('does not count what is not known', () => {
    expect(toNearness(FACTS, { ...FACTS, answer_shape: null, bytes_per_row: 0 })).toBe(1);
  });

  it('leaves a base of another size class out, whatever else is alike', () => {
    const far = toRun({ facts: { ...FACTS, parameters: 494e6 } });
    expect(toNearTasks(FACTS, [far], false)).toEqual([]);
    expect(settings([far])).toBeNull();
  });
});

describe('a task', () => {
  it('counts more the more runs it has, failed ones too, and shows its best', () => {
    const runs = [
      toRun({ loss: 0.2 }),
      toRun({ loss: 0.1, n_epochs: 10 }),
      toRun({ loss: null }),
      toRun({ task: 'b' }),
    ];
    const [first, second] = toNearTasks(FACTS, runs, false);
    expect(first).toMatchObject({ task: 'a', runs: 3, weight: 0.5, best: { n_epochs: 10 } });
    expect(second).toMatchObject({ task: 'b', runs: 1, weight: 0.25 });
  });

  it('says nothing where every run failed, or of the other way of training', () => {
    expect(toNearTasks(FACTS, [toRun({ loss: null }), toRun({ lora: true })], false)).toEqual([]);
  });

  it('calls a run good within a tenth of the best, and all that are right equal', () => {
    const runs = [0.1, 0.108, 0.2].map((loss) => toRun({ loss }));
    expect(toNearTasks(FACTS, runs, false)[0]?.good).toHaveLength(2);
    expect(toRegret(0.0001, 0.0002)).toBeCloseTo(0, 1);
    expect(toRegret(0.2, 0.1)).toBeGreaterThan(0.6);
  });
});

describe('settings', () => {
  it('are those of a run, with the range of good runs', () => {
    const runs = [
      toRun({ learning_rate: 1.5e-3, batch_size: 2 }),
      toRun({ learning_rate: 3e-3, batch_size: 2, loss: 0.105 }),
      toRun({ task: 'b', learning_rate: 6e-3, batch_size: 8, exact_match: 0.7 }),
      toRun({ task: 'b', learning_rate: 0.1, loss: null }),
    ];
    expect(settings(runs)).toMatchObject({
      // Two doublings nearer to what was best on b than the best of a.
      learning_rate: { value: 3e-3, low: 1.5e-3, high: 6e-3 },
      batch_size: { value: 2, low: 2, high: 8 },
      n_epochs: { value: 6, low: 6, high: 6 },
      exact_match: { low: 0.7, high: 0.9 },
      runs: 4,
      own_runs: 0,
    });
  });

  it('are not a mean of rates of which each was best somewhere, but what was good everywhere', () => {
    const ran = (task: string, losses: readonly [number, number, number]) =>
      [1e-3, 2e-3, 4e-3].map((learning_rate, at) => toRun({ task, learning_rate, loss: losses[at] ?? null }));
    const valley = [...ran('a', [0.1, 0.9, 0.2]), ...ran('b', [0.12, 0.9, 0.1])];
    expect(settings(valley)?.learning_rate.value).toBe(1e-3);
  });

  it('stay away from what diverged', () => {
    const runs = [
      toRun({ learning_rate: 1e-3, loss: 0.11 }),
      toRun({ learning_rate: 3e-3, loss: 0.1 }),
      toRun({ task: 'b', learning_rate: 1e-3 }),
      toRun({ task: 'b', learning_rate: 3e-3, loss: null }),
    ];
    expect(settings(runs)?.learning_rate.value).toBe(1e-3);
  });

  it('are as good as the nearest run, and half a step worse for each doubling between', () => {
    const all = [toRun(), toRun({ n_epochs: 12, loss: 0.21 })];
    const task = { all, best: { ...toRun(), loss: 0.1 } };
    expect(toExpectedRegret(toRun(), task)).toBe(0);
    expect(toExpectedRegret(toRun({ learning_rate: 6e-3 }), task)).toBeCloseTo(0.5);
    expect(toExpectedRegret(toRun({ learning_rate: 6e-3, batch_size: 1 }), task)).toBeCloseTo(1.5);
    expect(toExpectedRegret(toRun({ n_epochs: 12 }), task)).toBeCloseTo(Math.log(2));
  });

  it('come from several tasks where there are such, as one run may be luck', () => {
    const shared = ['a', 'b', 'c'].map((task) => toRun({ task, learning_rate: 3e-3, loss: 0.12 }));
    const lucky = toRun({ task: 'a', learning_rate: 3.5e-3, loss: 0.05 });
    expect(settings([...shared, lucky])?.learning_rate.value).toBe(3e-3);
    expect(settings([lucky])?.learning_rate.value).toBe(3.5e-3);
  });

  it('lean to the nearer task', () => {
    const near = toRun({ learning_rate: 1e-3 });
    const far = toRun({ task: 'far', learning_rate: 1e-2, facts: { ...FACTS, rows: 20_000 } });
    expect(settings([far, near])?.learning_rate.value).toBe(1e-3);
  });

  it('count own and imported runs', () => {
    expect(
      settings([toRun(), toRun({ task: 'b', origin: 'own' }), toRun({ task: 'c', origin: 'imported' })]),
    ).toMatchObject({
      runs: 3,
      own_runs: 2,
    });
  });

  it('expect nothing where exact match was not measured', () => {
    expect(settings([toRun({ exact_match: null })])?.exact_match).toBeNull();
  });
});

describe('the way of training', () => {
  it('is LoRA where it comes within a tenth, and full training where it does not', () => {
    expect(toMeasuredMode(FACTS, [toRun(), toRun({ lora: true, loss: 0.105 })])).toEqual({
      lora: true,
      tasks: 1,
      agreeing: 1,
    });
    const runs = [
      toRun(),
      toRun({ lora: true, loss: 0.5 }),
      toRun({ task: 'b' }),
      toRun({ task: 'b', lora: true, loss: 0.1 }),
    ];
    expect(toMeasuredMode(FACTS, runs)).toEqual({ lora: false, tasks: 2, agreeing: 1 });
  });

  it('is the one that was tried, where the other was not', () => {
    expect(toMeasuredMode(FACTS, [toRun(), toRun({ lora: true, loss: null })])).toMatchObject({
      lora: false,
      tasks: 0,
    });
    expect(toMeasuredMode(FACTS, [toRun({ lora: true })])).toMatchObject({ lora: true, tasks: 0 });
    expect(toMeasuredMode(FACTS, [])).toBeNull();
  });

  it('is open where no task has tried both', () => {
    expect(toMeasuredMode(FACTS, [toRun(), toRun({ task: 'b', lora: true })])).toBeNull();
  });
});
