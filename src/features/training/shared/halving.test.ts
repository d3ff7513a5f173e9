import { describe, expect, it } from 'vitest';
import type { NewExperiment } from './createJob.ts';
import {
  countCandidates,
  findOtherLoss,
  judgeRung,
  toHalving,
  toNextRung,
  toTrainedShare,
  type RungRun,
} from './halving.ts';

const RUN: NewExperiment = {
  base_model_id: 'a',
  batch_size: 8,
  n_epochs: 1,
  learning_rate_multiplier: 0.006,
  lora: true,
};

it('runs that differ by their seed alone are one candidate, however their settings are written', () => {
  const from = '3F0C1A52-7B1E-4A1D-9C55-0123456789AB';
  expect(countCandidates([RUN, { ...RUN, seed: 2 }, { ...RUN, training_type: 'lora', lora: null }])).toBe(1);
  expect(
    countCandidates([
      { ...RUN, refinetune_from_experiment_id: from },
      { ...RUN, refinetune_from_experiment_id: from.toLowerCase() },
    ]),
  ).toBe(1);
  expect(countCandidates([RUN, { ...RUN, lora_rank: 4 }, { ...RUN, batch_size: 4 }, { ...RUN, n_epochs: 2 }])).toBe(4);
});

describe('what is not chosen', () => {
  it.each([
    [4, {}, 3, 1 / 3],
    [8, {}, 3, 1 / 3],
    [9, {}, 3, 1 / 9],
    [100, {}, 3, 1 / 9],
    [8, { eta: 2 }, 2, 1 / 8],
    [200, { eta: 4 }, 4, 1 / 4],
    [9, { eta: null, min_share: 0.2 }, 3, 0.2],
  ])('of %i candidates follows from their number: %j', (candidates, chosen, eta, share) => {
    const halving = toHalving(chosen, candidates);
    expect(halving.eta).toBe(eta);
    expect(halving.min_share).toBeCloseTo(share, 12);
  });
});

it('a rung follows while more than one candidate is left and the steps are not over', () => {
  const halving = toHalving({}, 9);
  expect([toNextRung(halving, 0, 3), toNextRung(halving, 0, 1), toNextRung(halving, 1, 3)]).toEqual([1, null, null]);
});

it('the part that is trained counts each rung with those that come to it', () => {
  // 9 train to 1/9, 3 to 1/3, 1 to the end.
  expect(toTrainedShare(9, toHalving({}, 9))).toBeCloseTo((9 / 9 + (3 * 2) / 9 + 2 / 3) / 9, 12);
  // 4 train to a third, one to the end.
  expect(toTrainedShare(4, toHalving({}, 4))).toBeCloseTo(0.5, 12);
  expect(toTrainedShare(5, { eta: 2, min_share: 0.5 })).toBeCloseTo((2.5 + 1) / 5, 12);
});

describe('at a rung', () => {
  const halving = toHalving({}, 9);
  const run = (id: string, loss: number | null, more: Partial<RungRun> = {}): RungRun => ({
    id,
    key: id,
    state: 'paused',
    loss,
    ...more,
  });
  const placesOf = (runs: readonly RungRun[]) => {
    const judged = judgeRung(runs, halving);
    return judged && [...judged.verdicts].map(([id, { place, goesOn }]) => `${id}${place}${goesOn ? '+' : ''}`);
  };

  it('nobody is judged before all have come', () => {
    expect(placesOf([run('a', 1), run('b', null, { state: 'going' })])).toBeNull();
  });

  it('the lowest losses go on, equals by their order', () => {
    expect(placesOf([run('a', 3), run('b', 1), run('c', 2), run('d', 1), run('e', 4), run('f', 5)])).toEqual([
      'b1+',
      'd2+',
      'c3',
      'a4',
      'e5',
      'f6',
    ]);
  });

  it('what failed or was not measured is last, and is counted', () => {
    const runs = [run('a', null, { state: 'failed' }), run('b', null), run('c', 2)];
    expect(placesOf(runs)).toEqual(['c1+', 'b3']);
    expect(judgeRung(runs, halving)?.verdicts.get('b')).toEqual({
      goesOn: false,
      place: 3,
      of: 3,
      loss: null,
      best: 2,
      seeds: 1,
    });
  });

  it('those go on that are left, if fewer are than would', () => {
    const failed = ['b', 'c', 'd', 'e', 'f'].map((id) => run(id, null, { state: 'failed' }));
    expect(judgeRung([run('a', 3), ...failed], halving)).toMatchObject({ kept: 1 });
  });

  it('seeds are judged by their mean; a failed one makes them last, one that a person stopped does not count', () => {
    const seeds = (key: string, losses: readonly number[]) =>
      losses.map((loss, at) => run(`${key}${at}`, loss, { key }));
    const stopped = run('c1', null, { key: 'c', state: 'stopped' });
    const failed = run('d1', null, { key: 'd', state: 'failed' });
    const runs = [
      ...seeds('a', [1, 4]),
      ...seeds('b', [2, 2.5]),
      ...seeds('c', [3]),
      stopped,
      ...seeds('d', [1]),
      failed,
    ];
    expect(placesOf(runs)).toEqual(['b01+', 'b11+', 'a02', 'a12', 'c03', 'd04']);
    expect(judgeRung(runs, halving)?.verdicts.get('a0')).toMatchObject({ loss: 2.5, best: 2.25, seeds: 2 });
  });

  it('a run that has its model already takes a place', () => {
    expect(placesOf([run('a', 1, { state: 'done' }), run('b', 2), run('c', 3)])).toEqual(['b2', 'c3']);
  });
});

it.each([
  [{ objective: 'dpo' }, {}, 'objective'],
  [{ objective: 'dpo', beta: 0.1 }, { objective: 'dpo', beta: 0.2 }, 'beta'],
  [{ objective: 'kto', desirable_weight: 2 }, { objective: 'kto' }, 'desirable_weight'],
  [{ objective: 'kto' }, { objective: 'kto', undesirable_weight: 2 }, 'undesirable_weight'],
  [{ max_length: 256 }, {}, 'max_length'],
  [{}, { base_model_id: 'b' }, 'base_model_id'],
] as const)('the losses of %j and %j can not be compared, for their %s', (one, other, name) => {
  expect(
    findOtherLoss([
      { ...RUN, ...one },
      { ...RUN, ...one, lora_rank: 4 },
      { ...RUN, ...other },
    ]),
  ).toEqual({ at: 2, name });
});

it('the losses of runs that learn from the same can be compared, whatever else differs', () => {
  expect(findOtherLoss([RUN, { ...RUN, objective: 'sft', lora_rank: 4, n_epochs: 2 }])).toBeNull();
});
