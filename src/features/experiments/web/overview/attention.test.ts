import { describe, expect, it } from 'vitest';
import { toSources } from '#features/experiments/web/rows/experimentRows.ts';
import { toTestNode, toTestRow } from '#features/experiments/web/rows/rows.fixture.ts';
import { toAttention, toAttentionCounts, toAttentionText, toFirstJobs } from './attention.ts';

const worked = toTestRow('worked', { training_type: 'full', learning_rate_multiplier: 0.0015 });
const failed = toTestRow('failed', {
  status: 'failed',
  failure: 'loss is not finite at step 27',
  training_type: 'full',
  learning_rate_multiplier: 0.2,
});

describe('toAttention', () => {
  it('lists failures and what stopped with their reasons, then what runs and what waits', () => {
    const rows = [
      toTestRow('queued', { status: 'queued' }),
      worked,
      toTestRow('running', { status: 'running', steps: 310, last_loss: 0.41234 }),
      failed,
      toTestRow('gone', { status: 'deleted' }),
      toTestRow('cancelled on purpose', { status: 'stopped', steps: 0 }),
      toTestRow('killed', { status: 'stopped', failure: 'stopped without a result' }),
    ];
    const items = toAttention(rows);
    expect(items.map((item) => [item.row.id, item.kind, toAttentionText(item, rows, true)])).toEqual([
      [
        'failed',
        'bad',
        'Loss is not finite at step 27. Its learning rate 0.2 is 133 times the highest that worked (1.5e-3).',
      ],
      ['killed', 'ended', 'Stopped without a result.'],
      ['running', 'working', 'step 310 · training loss 0.4123'],
      ['queued', 'waiting', null],
    ]);
    expect(toAttentionCounts(items)).toBe('1 failed · 1 stopped · 1 running · 1 queued');
    expect(toAttentionCounts([])).toBe('');
  });

  it('lists a run that diverged with the failures, also while it goes on', () => {
    const fields = { status: 'running', status_cause: 'diverged', failure: 'It diverged.' } as const;
    const items = toAttention([toTestRow('running', { status: 'running' }), toTestRow('lost', fields)]);
    expect(items.map(({ row, kind }) => [row.id, kind])).toEqual([
      ['lost', 'bad'],
      ['running', 'working'],
    ]);
    expect(toAttentionText(items[0]!, [], true)).toBe('It diverged.');
  });

  it('says why there is no reason', () => {
    const textOf = (fields: object) => {
      const [item] = toAttention([toTestRow('f', { status: 'failed', ...fields })]);
      return item && toAttentionText(item, [], true);
    };
    expect(textOf({})).toBe('The service sent no reason.');
    expect(textOf({ isPending: true })).toBe('The reason is being loaded.');
    expect(textOf({ isUnread: true })).toBe('The reason is not loaded.');
  });
});

describe('toFirstJobs', () => {
  const job = (id: string, status: string) =>
    toTestNode('finetuning-job', id, [toTestNode('experiment', `run of ${id}`, [], { status })]);
  const first = (jobs: readonly (readonly [id: string, status: string])[], most: number) =>
    toFirstJobs(
      toSources([
        toTestNode(
          'project',
          'p',
          jobs.map(([id, status]) => job(id, status)),
        ),
      ]),
      most,
    );

  it.each(['failed', 'stopped', 'running', 'queued'])(
    'a run that is %s has its job read, however many jobs come before it',
    (status) => {
      const good = Array.from({ length: 3 }, (_, at) => [`good ${at}`, 'succeeded'] as const);
      expect(first([...good, ['late', status]], 2)).toEqual(['late', 'good 0']);
    },
  );

  it('a run that failed or goes on comes before all that were stopped', () => {
    const stopped = Array.from({ length: 3 }, (_, at) => [`stopped ${at}`, 'stopped'] as const);
    const jobs = [['queued', 'queued'], ...stopped, ['running', 'running'], ['failed', 'failed']] as const;
    expect(first(jobs, 4)).toEqual(['failed', 'running', 'queued', 'stopped 0']);
  });

  it('all others come in tree order', () => {
    expect(
      first(
        [
          ['a', 'succeeded'],
          ['b', 'deleted'],
          ['c', 'unheard of'],
        ],
        9,
      ),
    ).toEqual(['a', 'b', 'c']);
  });
});
