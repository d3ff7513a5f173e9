import { expect, it } from 'vitest';
import { toSplitNotes } from './splitWords.ts';

const GOOD = {
  percentage: 80,
  training_count: 800,
  validation_count: 200,
  left_out_count: 0,
  chosen_count: 0,
  leak_count: 0,
};

it('a good split needs no words', () => expect(toSplitNotes(GOOD)).toEqual([]));

it('says what a job would refuse, what can’t be measured, and what leaks', () => {
  expect(toSplitNotes({ ...GOOD, training_count: 9 })[0]).toContain('needs 10 training rows, and this has 9');
  expect(toSplitNotes({ ...GOOD, validation_count: 0 })[0]).toContain('There are no validation rows');
  const leaking = toSplitNotes({ ...GOOD, leak_count: 1, chosen_count: 30, left_out_count: 1200 });
  expect(leaking).toEqual([
    expect.stringContaining('1 validation row also is in training'),
    expect.stringContaining('says of 30 rows whether to train on them'),
    '1,200 rows set aside: in neither split.',
  ]);
});
