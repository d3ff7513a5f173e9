import { expect, it } from 'vitest';
import { findRunsNote, toRunNote } from './alreadyRun';
import { toTestCandidate } from './testCandidate';

const run = (status: string | null, failure: string | null = null) => toTestCandidate('r', { origin: 'run', status, failure });
const plan = toTestCandidate('p');

it('says of a run what came of it', () => {
  expect([run('succeeded'), run('failed', 'out of memory'), run('failed'), run('running'), run(null), plan].map(toRunNote)).toEqual([
    'already run: succeeded',
    'already run: failed: out of memory',
    'already run: failed',
    'already started: running',
    'already run: status not given',
    null,
  ]);
});

it('counts the runs among what is exported', () => {
  expect([[], [plan], [run('failed')], [plan, run('failed')], [run('failed'), plan, run('succeeded')]].map(findRunsNote)).toEqual([
    null,
    null,
    'It was already run.',
    '1 of 2 was already run.',
    '2 of 3 were already run.',
  ]);
});
