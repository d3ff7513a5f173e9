import { describe, expect, it } from 'vitest';
import {
  findHalvingRefusal,
  isHalvingOffered,
  toHalvingChoices,
  toHalvingHint,
  toHalvingLabel,
  toHalvingText,
} from './halvingWords.ts';

it('each choice says how long it takes, if that is known', () => {
  const whole = 24 * 60_000;
  expect([null, 2, 3].map((eta) => toHalvingLabel(eta, 9, whole))).toEqual([
    'Train all to the end: about 24 min 00 s',
    'One of 2 goes on: about 7 min 00 s',
    'One of 3 goes on: about 6 min 13 s',
  ]);
  expect(toHalvingLabel(3, 9, null)).toBe('One of 3 goes on');
});

it('the hint says when candidates are compared', () => {
  expect(toHalvingHint(3, 9)).toMatch(/^The 9 candidates are compared by validation loss after 11 % and 33 % of their/);
  expect(toHalvingHint(4, 5)).toContain('after 25 % of');
});

describe('stopping early is refused', () => {
  const trainer = { name: 'mine', trains_only: null, refused_settings: {}, can_pause: false };
  const queue = { trainer, has_workers: false, running: [], waiting: [] };
  it.each([
    ['without validation rows', null, 0, /no validation rows/],
    ['by a trainer that does not pause', queue, 200, /does not pause/],
  ])('%s', (_, of, rows, words) => expect(findHalvingRefusal(of, rows)).toMatch(words));

  it('of runs whose losses say nothing of each other', () => {
    const refusal = findHalvingRefusal(null, 200, { at: 1, name: 'base_model_id' });
    expect(refusal).toMatch(/Give all runs the same base model, or train all to the end\.$/);
  });

  it('by nobody else', () => {
    expect(findHalvingRefusal({ ...queue, has_workers: true }, 200)).toBeNull();
    expect(findHalvingRefusal({ ...queue, trainer: { ...trainer, can_pause: true } }, null)).toBeNull();
  });
});

it('a job says what was saved', () => {
  expect(toHalvingText({ eta: 3, stopped_early: 8, seconds: 190, seconds_saved: 340 }, 9)).toBe(
    'Successive halving has stopped 8 of 9 runs early: 3 min 10 s of training, and about 5 min 40 s saved.',
  );
  expect(toHalvingText({ eta: 3, stopped_early: 0, seconds: 5, seconds_saved: 0 }, 9)).toContain('will be stopped');
});

it('three candidates of a job that is run again keep its early stop, and new ones are not asked', () => {
  expect([
    isHalvingOffered(3, 3),
    isHalvingOffered(3, null),
    isHalvingOffered(4, null),
    isHalvingOffered(1, 2),
  ]).toEqual([true, false, true, false]);
  expect(toHalvingChoices(3)).toEqual([null, 2, 3]);
});
