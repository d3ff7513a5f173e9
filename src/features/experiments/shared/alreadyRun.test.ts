import { expect, it } from 'vitest';
import { UNKNOWN_MODEL } from '#core/contract/jobReader.ts';
import { findMergedNote, findRunsNote, toMerged, toRunNote } from './alreadyRun.ts';
import type { Candidate } from './candidates.ts';
import { toTestCandidate } from './candidate.fixture.ts';

const run = (status: string | null, failure: string | null = null, more: Partial<Candidate> = {}) =>
  toTestCandidate('r', { origin: 'run', label: 'Second', status, failure, n_epochs: 1, ...more });
const plan = toTestCandidate('p');
const twin = toTestCandidate('t', { origin: 'model', recommended: true, n_epochs: 1 });

it('says of a run what came of it', () => {
  expect(
    [
      run('succeeded'),
      run('failed', 'out of memory'),
      run('failed'),
      run('stopped'),
      run('running'),
      run(null),
      plan,
    ].map((candidate) => toRunNote(candidate, [])),
  ).toEqual([
    'already run: done',
    'did not finish: failed: out of memory',
    'did not finish: failed',
    'did not finish: stopped',
    'already started: running',
    'earlier run: status not given',
    null,
  ]);
});

it('says of what is only recommended which run had its very settings', () => {
  const loss = { name: 'last_loss', kind: 'number' as const, value: 0.2, isResult: true };
  const rank = (value: number) => ({ name: 'lora_rank', kind: 'number' as const, value });
  const note = (...runs: readonly Candidate[]) => toRunNote({ ...twin, extras: [rank(8)] }, [plan, twin, ...runs]);
  expect(note(run('succeeded', null, { extras: [loss, rank(8)] }))).toBe('already run as Second: done');
  expect(note(run('running'), run('failed', 'loss is not finite'))).toBe(
    'already started as Second: running; did not finish as Second: failed: loss is not finite',
  );
  expect(note(run('succeeded', null, { extras: [rank(16)] }))).toBeNull();
  const packed = (value: string) => ({ name: 'batch_in_rows', kind: 'text' as const, value });
  expect(toRunNote({ ...twin, extras: [packed('14')] }, [run('succeeded', null, { extras: [packed('15')] })])).toBe(
    'already run as Second: done',
  );
  const others: readonly Partial<Candidate>[] = [
    { snapshot_id: 'other' },
    { base_model_id: 'x' },
    { training_type: 'full' },
    { n_epochs: 2 },
    { batch_size: 4 },
    { learning_rate_multiplier: 1e-4 },
    { origin: 'proposal' },
  ];
  for (const more of others) expect(note(run('succeeded', null, more))).toBeNull();
});

it('takes nothing that is not known for the same', () => {
  for (const more of [{ snapshot_id: null }, { training_type: null }, { n_epochs: null }])
    expect(toRunNote({ ...twin, ...more }, [run('succeeded', null, more)])).toBeNull();
});

it('counts the runs, and what equals them, among what is exported', () => {
  expect(
    [
      [],
      [plan],
      [run('failed')],
      [run('queued')],
      [run(null)],
      [plan, run('failed')],
      [run('running'), plan, run('failed'), run('stopped')],
      [run('failed'), plan, run('succeeded')],
      [twin, plan, run('succeeded')],
    ].map(findRunsNote),
  ).toEqual([
    null,
    null,
    'It did not finish.',
    'It was already started.',
    null,
    '1 of 2 did not finish.',
    '1 of 4 was already started, 2 did not finish.',
    '1 of 3 was already run, 1 did not finish.',
    '2 of 3 were already run.',
  ]);
});

it('takes what has the very same settings for one, and counts it once', () => {
  const [failed, succeeded] = [run('failed'), run('succeeded')];
  expect(toMerged([plan, twin, plan, failed])).toEqual([
    [plan, plan],
    [twin, failed],
  ]);
  expect(
    [[plan], [plan, plan], [twin, failed], [plan, twin, failed, plan], [failed, succeeded, plan]].map(findMergedNote),
  ).toEqual([
    null,
    '1 duplicate was merged.',
    'It did not finish. 1 duplicate was merged.',
    '1 of 2 did not finish. 2 duplicates were merged.',
    // It came off once.
    '1 of 2 was already run. 1 duplicate was merged.',
  ]);
});

it('keeps apart what differs, or may', () => {
  for (const more of [{ n_epochs: 2 }, { snapshot_id: 'other' }, { batch_size: 4 }])
    expect(toMerged([plan, { ...plan, ...more }])).toHaveLength(2);
  for (const more of [{ n_epochs: null }, { snapshot_id: null }, { base_model_id: UNKNOWN_MODEL }])
    expect(
      toMerged([
        { ...plan, ...more },
        { ...plan, ...more },
      ]),
    ).toHaveLength(2);
});

it('merges nothing that differs, in whatever order it stands', () => {
  const ranked = (rank: number) => ({
    ...plan,
    key: `k${rank}`,
    extras: [{ name: 'lora_rank', kind: 'count' as const, value: rank }],
  });
  const [b, c] = [ranked(8), ranked(16)];
  for (const order of [
    [plan, b, c],
    [b, c, plan],
    [c, plan, b],
  ])
    expect(toMerged(order)).toHaveLength(2);
});

it('a run of other chosen settings is another training, and its seed counts only where one was chosen', () => {
  const run = (key: string, chosen: Candidate['chosen']) =>
    toTestCandidate(key, { origin: 'run', status: 'succeeded', label: key, chosen });
  const plan = (chosen: Candidate['chosen']) => toTestCandidate('plan', { chosen });
  const runs = [run('rank 4', { lora_rank: 4, seed: 1 }), run('plain', {})];
  expect(toRunNote(plan({}), runs)).toBe('already run as plain: done');
  expect(toRunNote(plan({ lora_rank: 4 }), runs)).toBe('already run as rank 4: done');
  expect(toRunNote(plan({ lora_rank: 4, seed: 2 }), runs)).toBeNull();
});
