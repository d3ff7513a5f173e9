import { expect, it } from 'vitest';
import { toQueueText } from './queueWords.ts';

const WAITING = { experiment_id: 'b', job_id: 'j', position: 1, reason: null, launcher: null };
const QUEUE = {
  trainer: { name: 'x', trains_only: null, refused_settings: {}, can_pause: true },
  has_workers: false,
  running: [],
  waiting: [],
};

it.each([
  ['an idle studio', QUEUE, '2 runs, one after another: about 1 min 30 s.'],
  [
    'a busy one',
    { ...QUEUE, running: ['a'] },
    '2 runs, one after another: about 1 min 30 s. 1 run of the queue is trained first.',
  ],
  [
    'more before them',
    { ...QUEUE, running: ['a'], waiting: [WAITING] },
    '2 runs, one after another: about 1 min 30 s. 2 runs of the queue are trained first.',
  ],
  [
    'runs that wait for a cluster',
    { ...QUEUE, waiting: [{ ...WAITING, launcher: 'gpu' }] },
    '2 runs, one after another: about 1 min 30 s.',
  ],
  [
    // What runs on one machine does not hold up another one.
    'workers too',
    { ...QUEUE, has_workers: true, running: ['a', 'c'], waiting: [WAITING] },
    '2 runs, one after another on this machine: about 1 min 30 s, less with the workers. 1 run of the queue is taken first.',
  ],
  ['nothing that trains here', { ...QUEUE, trainer: null }, '2 runs.'],
  ['workers alone', { ...QUEUE, trainer: null, has_workers: true }, '2 runs.'],
  ['no queue', null, '2 runs, one after another: about 1 min 30 s.'],
])('%s', (_, queue, text) => expect(toQueueText(2, 90_000, queue)).toBe(text));

it('says what is saved where poor runs stop early', () => {
  expect(toQueueText(9, 24 * 60_000, QUEUE, 0.375)).toBe(
    '9 runs, one after another: about 9 min 00 s instead of 24 min 00 s.',
  );
});

it('says no time that is not known', () => {
  expect(toQueueText(1, null, QUEUE)).toBe('1 run.');
  expect(toQueueText(1, 34_000, QUEUE)).toBe('1 run: about 34 s.');
  expect(toQueueText(1, 34_000, { ...QUEUE, has_workers: true })).toBe('1 run on this machine: about 34 s.');
  expect(toQueueText(0, 0, QUEUE)).toBe('0 runs.');
});
