import { expect, it } from 'vitest';
import { findBaseProblem } from './baseProblem.ts';

const QUEUE = {
  trainer: { name: 'the built-in trainer', trains_only: ['a'], refused_settings: {}, can_pause: true },
  has_workers: false,
  running: [],
  waiting: [],
};
const BASES = {
  bases: [{ id: 'a', refusal: null, shape: null, operations_per_second: null, finished_runs: 0, file_bytes: null }],
  machine: null,
  threads: 1,
};

it('says nothing of what can be trained, and of what is not known yet', () => {
  expect(findBaseProblem('a', QUEUE, BASES)).toBeNull();
  expect(findBaseProblem('a', undefined, undefined)).toBeNull();
  expect(
    findBaseProblem(
      'org/x',
      { ...QUEUE, trainer: { name: 'mine', trains_only: null, refused_settings: {}, can_pause: true } },
      null,
    ),
  ).toBeNull();
});

it('gives the reason of the trainer, or what to start', () => {
  expect(findBaseProblem('b', QUEUE, BASES)).toContain('The built-in trainer can’t train b');
  const refused = {
    bases: [
      {
        id: 'a',
        refusal: 'It is quantized.',
        shape: null,
        operations_per_second: null,
        finished_runs: 0,
        file_bytes: null,
      },
    ],
    machine: null,
    threads: 1,
  };
  expect(findBaseProblem('a', QUEUE, refused)).toBe('It is quantized.');
  expect(findBaseProblem('a', { ...QUEUE, trainer: null }, BASES)).toContain('Start a worker');
  expect(findBaseProblem('a', null, null)).toContain('Start a worker');
});

it('counts on workers, and says so where the trainer of the studio refuses', () => {
  const queue = { ...QUEUE, has_workers: true };
  expect(findBaseProblem('b', { ...queue, trainer: null }, BASES)).toBeNull();
  expect(findBaseProblem('a', queue, BASES)).toBeNull();
  expect(findBaseProblem('b', queue, BASES)).toBe(
    'The built-in trainer can’t train b, so a run of it waits for a worker that takes it.',
  );
});
