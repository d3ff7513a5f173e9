import { describe, expect, it } from 'vitest';
import type { ReadJob } from '#core/contract/jobReader.ts';
import { toJobIds, toRows, toSources } from './experimentRows.ts';
import { toTestNode, toTestJobFacts } from './rows.fixture.ts';

const experiment = (id: string, status = 'succeeded') =>
  toTestNode('experiment', id, [], {
    status,
    metadata: { base_model_id: 'qwen', model_id: status === 'succeeded' ? `ft-${id}` : undefined },
  });
const job1 = toTestNode('finetuning-job', 'j1', [experiment('a'), experiment('b', 'failed')]);
const job2 = toTestNode('finetuning-job', 'j2', [experiment('c')]);
const snapshot = toTestNode('snapshot', 's', [job1, job2]);
const dataset = toTestNode('dataset', 'd', [snapshot, toTestNode('experiment', 'loose')]);
const project = toTestNode('project', 'p', [dataset]);

const toJob = (id: string, experiments: ReadJob['experiments']): ReadJob => ({
  id,
  name: id,
  snapshot_id: null,
  answer_shape: null,
  main_measure: null,
  launcher: null,
  halving: null,
  status: 'completed',
  experiments,
  extra: {},
});
const NONE: ReadonlySet<string> = new Set();

describe('toSources', () => {
  it('knows the nodes above an experiment, wherever it starts', () => {
    const whole = toSources([project]);
    expect(whole.map(({ node, job, snapshot, dataset }) => [node.id, job?.id, snapshot?.id, dataset?.id])).toEqual([
      ['a', 'j1', 's', 'd'],
      ['b', 'j1', 's', 'd'],
      ['c', 'j2', 's', 'd'],
      ['loose', undefined, undefined, 'd'],
    ]);
    const [alone] = toSources([project, dataset, snapshot, job2, job2.children[0]!]);
    expect(alone).toEqual(whole[2]);
    expect(toSources([])).toEqual([]);
  });

  it('lists each job once, and takes a repeated id once', () => {
    expect(toJobIds(toSources([project]))).toEqual(['j1', 'j2']);
    expect(toSources([toTestNode('project', 'p', [job1, job1])])).toHaveLength(2);
  });
});

describe('toRows', () => {
  const sources = toSources([project]);

  it('joins the facts of the job, and leaves missing values null', () => {
    const jobFacts = toTestJobFacts('a', { last_loss: 0.25, held_out: { exact: 0.9 }, failure: '' });
    const rows = toRows(
      sources,
      new Map([
        ['j1', toJob('j1', [jobFacts])],
        ['j2', null],
      ]),
      NONE,
    );
    expect(rows[0]).toMatchObject({
      id: 'a',
      base_model_id: 'qwen',
      model_id: 'ft-a',
      last_loss: 0.25,
      held_out: { exact: 0.9 },
      failure: null,
      problem: null,
      isPending: false,
    });
    expect(rows[1]).toMatchObject({ id: 'b', n_epochs: null, status: 'failed', isPending: false });
    expect(rows[1]?.problem).toContain('failed');
    expect(rows[2]).toMatchObject({ learning_rate_multiplier: null, training_type: null });
    expect(rows[3]).toMatchObject({ job: null, job_id: null, dataset: 'd' });
  });

  it('takes the values that the tree leaves out, and further fields, from the job', () => {
    const bare = toTestNode('experiment', 'a', [], { status: 'succeeded' });
    const jobFacts = toTestJobFacts('a', { model_id: 'ft-a', extra: { eval_loss: 0.5, cost: { usd: 2 } } });
    const [row] = toRows(
      toSources([toTestNode('finetuning-job', 'j', [bare])]),
      new Map([['j', toJob('j', [jobFacts])]]),
      NONE,
    );
    expect(row).toMatchObject({ status: 'succeeded', base_model_id: 'base', model_id: 'ft-a', problem: null });
    expect([...(row?.extras ?? [])].map(([name, { value }]) => [name, value]).toSorted()).toEqual([
      ['cost.usd', 2],
      ['eval_loss', 0.5],
    ]);
  });

  it('says which rows still wait for their job', () => {
    expect(toRows(sources, new Map(), new Set(['j1'])).map(({ isPending }) => isPending)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('says which rows’ jobs were not read: neither answered nor requested, or failed', () => {
    const read = (jobs: ReadonlyMap<string, ReadJob | null>, pending = NONE) =>
      toRows(sources, jobs, pending).map(({ isUnread }) => isUnread);
    expect(read(new Map())).toEqual([true, true, true, false]);
    expect(read(new Map([['j1', toJob('j1', [toTestJobFacts('a')])]]), new Set(['j2']))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(read(new Map([['j1', null]]))).toEqual([false, false, true, false]);
  });

  it('keeps the identity of an unchanged row', () => {
    const job = toJob('j1', [toTestJobFacts('a')]);
    const first = toRows(sources, new Map([['j1', job]]), NONE);
    const again = toRows(toSources([project]), new Map([['j1', job]]), new Set(['j2']));
    expect(again[0]).toBe(first[0]);
    expect(again[2]).not.toBe(first[2]);
    const changed = toRows(sources, new Map([['j1', toJob('j1', [toTestJobFacts('a', { n_epochs: 5 })])]]), NONE);
    expect(changed[0]).not.toBe(first[0]);
    expect(changed[0]?.n_epochs).toBe(5);
  });
});
