import { describe, expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import { readRecommendation } from '#core/contract/recommendationReader.ts';
import { toChoices } from '#features/experiments/shared/candidates.ts';
import { toCompareColumns, type Answer, type Answers } from './compareColumns.ts';
import { findCompared } from './findCompared.ts';
import { TEST_PROJECT } from './project.fixture.ts';

const given = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 2e-4 };

function read<T>(result: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}
const record = (status = 'completed') =>
  read(
    readRecommendation({
      snapshot_id: 's1',
      status,
      recommended_models:
        status === 'completed'
          ? [
              {
                base_model_id: 'b',
                recommended: true,
                full_hyperparameters: given,
                lora_hyperparameters: null,
                reason_for_recommendation: 'why',
              },
            ]
          : null,
    }),
  );
const job = (experiments: object[]) => read(readJob({ id: 'j1', experiments }));
const jobOfE1 = job([{ id: 'e1', ...given, lora: true, last_loss: 0.5, losses: [{ step: 0, loss: 8 }] }]);

const answer = <T>(data: T): Answer<T> => ({ data, error: null, isMissing: false });
const failed = (message: string, isMissing = false) => ({ data: undefined, error: new Error(message), isMissing });
const loading = { data: undefined, error: null, isMissing: false };

function columns(refs: readonly string[], more: Partial<Answers> = {}) {
  const found = findCompared(
    TEST_PROJECT,
    new Set(refs.flatMap((ref) => (ref.startsWith('x:') ? [ref.slice(2)] : []))),
    new Set(['s1', 's2']),
  );
  return toCompareColumns(refs, {
    found,
    records: new Map([['s1', answer(record())]]),
    jobs: new Map([['j1', answer(jobOfE1)]]),
    packing: new Map(),
    here: 's1',
    ...more,
  });
}
const [key = ''] = toChoices(record()).candidates.map((candidate) => candidate.key);

it('keeps the order of the refs, which gives the colours, and mixes recommendations with runs', () => {
  const mixed = columns(['x:e1', `r:s1:${key}`]);
  expect(mixed.map((column) => [column.ref, column.series, column.kind])).toEqual([
    ['x:e1', 0, 'ready'],
    [`r:s1:${key}`, 1, 'ready'],
  ]);
  expect(mixed[0]).toMatchObject({
    candidate: { key: 'x:e1', training_type: 'lora', model_id: 'ft-e1', location: 'Tickets › First round' },
    losses: [{ step: 0, loss: 8 }],
    gap: null,
  });
  expect(mixed[1]).toMatchObject({
    candidate: {
      key: `r:s1:${key}`,
      training_type: 'full',
      reason_for_recommendation: 'why',
      dataset: 'Tickets',
      location: null,
    },
  });
});

it('says of advice what its packed batch is in rows, as of a run', () => {
  const [advice] = columns([`r:s1:${key}`], { packing: new Map([['s1', new Map([['b', 1.75]])]]) });
  expect(advice).toMatchObject({
    candidate: { extras: [{ name: 'batch_in_rows', value: '8 packed sequences, about 14 rows' }] },
  });
});

it('says which snapshot a candidate is for once several are mixed', () => {
  const records = new Map([
    ['s1', answer(record())],
    ['s2', answer(record())],
  ]);
  expect(
    columns([`r:s1:${key}`, `r:s2:${key}`], { records }).map(
      (column) => column.kind === 'ready' && column.candidate.location,
    ),
  ).toEqual(['Tickets › Snapshot 1', 'Orders › Snapshot 1']);
});

it.each<[string, readonly string[], string | null]>([
  ['a run of another snapshot is beside it', [`r:s1:${key}`, 'x:e2'], 's1'],
  ['the page is at another one', [`r:s1:${key}`], 's2'],
])('says which snapshot a candidate is for when %s', (_case, refs, here) => {
  expect(columns(refs, { here })[0]).toMatchObject({ candidate: { location: 'Tickets › Snapshot 1' } });
});

it.each(['s1', null])('does not say what the page says (at %s)', (here) =>
  expect(columns([`r:s1:${key}`, 'x:e1'], { here })[0]).toMatchObject({ candidate: { location: null } }),
);

describe('a ref without a candidate is a column that says why', () => {
  it.each<[string, string, Partial<Answers>, string, string]>([
    ['an experiment of another project', 'x:nowhere', {}, 'missing', 'not in this project'],
    ['a mistyped ref', 'nonsense', {}, 'missing', '“nonsense”'],
    ['an empty ref', 'x:', {}, 'missing', 'can’t be compared'],
    ['a candidate that the record has no more', 'r:s1:m:other:full', {}, 'missing', 'no longer has this candidate'],
    [
      'a snapshot without a recommendation',
      'r:s2:k',
      { records: new Map([['s2', failed('Not found', true)]]) },
      'missing',
      'no recommendation',
    ],
    ['a service that fails', 'r:s2:k', { records: new Map([['s2', failed('It broke.')]]) }, 'missing', 'It broke.'],
    ['a record on its way', 'r:s2:k', { records: new Map([['s2', loading]]) }, 'loading', 'Loading'],
    ['a record that was not requested yet', 'r:s2:k', {}, 'loading', 'Loading'],
    [
      'a record in the making',
      'r:s1:k',
      { records: new Map([['s1', answer(record('processing'))]]) },
      'loading',
      'computed',
    ],
    ['hyperparameters on their way', 'x:e1', { jobs: new Map([['j1', loading]]) }, 'loading', 'hyperparameters'],
  ])('%s', (_case, ref, more, kind, words) => {
    const [column] = columns([ref], more);
    expect(column?.kind).toBe(kind);
    expect(column && 'words' in column ? column.words : '').toContain(words);
  });
});

describe('an experiment without hyperparameters keeps its column, with the reason', () => {
  it.each<[string, string, Partial<Answers>, string]>([
    ['a service without the endpoint', 'x:e1', { jobs: new Map([['j1', answer(null)]]) }, 'does not send'],
    ['a job that does not list it', 'x:e1', { jobs: new Map([['j1', answer(job([]))]]) }, 'does not list'],
    ['a failure', 'x:e1', { jobs: new Map([['j1', failed('It broke.')]]) }, 'It broke.'],
    ['no job', 'x:e9', {}, 'no job'],
  ])('%s', (_case, ref, more, gap) => {
    const [column] = columns([ref], more);
    expect(column).toMatchObject({ kind: 'ready', candidate: { base_model_id: 'b', n_epochs: null } });
    expect(column?.kind === 'ready' && column.gap).toContain(gap);
  });

  it('is shown with its last answer when a repeated request fails', () => {
    const [column] = columns(['x:e1'], {
      jobs: new Map([['j1', { ...answer(jobOfE1), error: new Error('It broke.') }]]),
    });
    expect(column).toMatchObject({ kind: 'ready', gap: null, candidate: { n_epochs: 3 } });
  });
});
