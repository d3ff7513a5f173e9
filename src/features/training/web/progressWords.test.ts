import { expect, it } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { toLineOrder, toMachineTexts, toMoved, toProgressFacts, toShare } from './progressWords.ts';

function progress(fields: object): TrainingProgress {
  const nothing = {
    step: 0,
    steps: null,
    seconds_left: null,
    rows_cut: null,
    rows_left_out: null,
    points: [],
    validations: [],
    checkpoints: [],
  };
  return { status: 'running', ...nothing, ...fields } as unknown as TrainingProgress;
}

it('a run that waits has nothing to say yet', () => {
  expect(toProgressFacts(progress({ status: 'queued' }))).toEqual([]);
  expect(toShare(progress({ step: 3 }))).toBeNull();
});

it('a run that trains says its step, losses, speed and time left', () => {
  const facts = new Map(
    toProgressFacts(
      progress({
        step: 20,
        steps: 473,
        seconds_left: 61.4,
        points: [{ step: 20, loss: 0.12345, learning_rate: 0.0012345, tokens_per_second: 1234.5 }],
        validations: [{ step: 10, loss: 0.5, exact_match: 0.25 }],
      }),
    ),
  );
  expect(Object.fromEntries(facts)).toMatchObject({
    Step: '20 of 473',
    'Loss of the last step': '0.1235',
    'Validation loss': '0.5',
    'Validation exact match': '25 %',
    'Learning rate': '1.23e-3',
  });
  expect(facts.get('Time left')).toContain('1 min');
  expect(facts.has('Time in all')).toBe(false);
});

it('a loss that is no number is said as it is; an ended run says how long it took', () => {
  const facts = new Map(
    toProgressFacts(
      progress({
        status: 'failed',
        step: 4,
        steps: 40,
        started_at: 1000,
        ended_at: 61_000,
        seconds_left: 5,
        points: [{ step: 4, loss: 'NaN' }],
      }),
    ),
  );
  expect(facts.get('Loss of the last step')).toBe('NaN');
  expect(facts.has('Time left')).toBe(false);
  expect(facts.has('Time in all')).toBe(true);
  expect(toShare(progress({ step: 50, steps: 40 }))).toBe(1);
});

it('a model that is deployed has no time left', () => {
  const facts = new Map(toProgressFacts(progress({ status: 'deploying', seconds_left: 1 })));
  expect(facts.has('Time left')).toBe(false);
});

it('a run moves one place, and never beyond the ends', () => {
  expect(toMoved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(toMoved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
  expect(toMoved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
});

it('lines of a job: what trains, what waits in the order of the queue, what has ended', () => {
  const runs = [
    { id: 'ended', status: 'succeeded' },
    { id: 'last', status: 'queued' },
    { id: 'next', status: 'queued' },
    { id: 'going', status: 'running' },
    { id: 'failed', status: 'failed' },
  ];
  const order = toLineOrder(runs, ['next', 'other', 'last']).map(({ id }) => id);
  expect(order).toEqual(['going', 'next', 'last', 'ended', 'failed']);
});

it('names the worker that trains a run, and no machine where the studio does', () => {
  expect(toMachineTexts({ machine: 'gpu-box' })).toEqual(['on gpu-box']);
  expect(toMachineTexts({})).toEqual([]);
});
