import { describe, expect, it } from 'vitest';
import type { Run, RunRoot } from '#shared/contract/runs.ts';
import type { ProjectNode } from '#shared/contract/tree.ts';
import type { Runs } from '#server/runs/runs.ts';
import type { Serving } from './serving.ts';
import { findCheckpoint, toServedRuns } from './servedRuns.ts';

const RUN = { id: 'run', type: 'experiment', label: 'Run', status: 'succeeded', children: [] } as const;
const node = (id: string) => ({ ...RUN, children: [], id, metadata: { id, experiment_number: 1 } });
const project: ProjectNode = {
  id: 'root',
  type: 'project',
  name: 'Outputs',
  children: [
    {
      id: 'data',
      type: 'dataset',
      label: 'Data',
      status: 'completed',
      metadata: { id: 'data' },
      children: ['one', 'two'].map((name) => ({
        id: name,
        type: 'snapshot',
        label: name,
        metadata: { id: name },
        children: [
          {
            id: `job ${name}`,
            type: 'finetuning-job',
            label: 'Job',
            status: 'completed',
            metadata: { id: `job ${name}`, reasoning: false },
            children: [node(`run ${name}`)],
          },
        ],
      })),
    },
  ],
};

const run = {
  id: 'run one',
  root_id: 'root',
  label: 'Tickets',
  formats: ['mlx'],
  facts: [
    { name: 'base_model', value: 'Qwen/Qwen3-0.6B', source: { format: 'hf-trainer', file: 'a', place: null } },
    { name: 'lora_rank', value: 16, source: { format: 'hf-trainer', file: 'a', place: null } },
  ],
  checkpoints: [
    {
      path: 'a/checkpoint-5',
      step: 5,
      kind: 'adapter',
      bytes: 1,
      is_complete: true,
      saved_at: null,
      measures: {},
      model_id: null,
    },
  ],
} as unknown as Run;

const runs = {
  findProject: async (id: string) => (id === 'root' ? project : null),
  findRun: async (id: string) => (id === 'run one' ? run : null),
  findJob: async () => ({
    id: 'job one',
    name: 'Job',
    snapshot_id: 'one',
    status: 'completed',
    experiments: [{ id: 'run one' }, { id: 'other' }],
  }),
  listRoots: async () => [{ id: 'root', path: '/runs' } as RunRoot],
} as unknown as Runs;

function open(): { readonly served: Runs; serve(model: string): void } {
  let models: ReadonlyMap<string, string> = new Map();
  const serving = {
    models: () => models,
    findServed: async () => ({ way: 'llama', base_model_id: 'qwen' }),
    findModel: (id: string, path: string) => (path === 'a/checkpoint-5' ? (models.get(id) ?? null) : null),
  } as unknown as Serving;
  return { served: toServedRuns(runs, serving), serve: (model) => (models = new Map([['run one', model]])) };
}

const modelOf = (tree: ProjectNode | null, place: number): unknown =>
  tree?.children[0]?.children[place]?.children[0]?.children[0]?.metadata.model_id;

describe('a run whose weights are served', () => {
  it('names its model in the tree, in its job and at its checkpoint', async () => {
    const { served, serve } = open();
    serve('Tickets-5');
    const tree = await served.findProject('root');
    expect([modelOf(tree, 0), modelOf(tree, 1)]).toEqual(['Tickets-5', undefined]);
    expect((await served.findJob('job one'))?.experiments).toEqual([
      { id: 'run one', model_id: 'Tickets-5' },
      { id: 'other' },
    ]);
    expect((await served.findRun('run one'))?.checkpoints[0]).toMatchObject({
      model_id: 'Tickets-5',
      served: { way: 'llama', base_model_id: 'qwen' },
    });
  });

  it('changes only its own part of the tree, and that only once', async () => {
    const { served, serve } = open();
    expect(await served.findProject('root')).toBe(project);
    serve('Tickets-5');
    const tree = await served.findProject('root');
    expect(tree?.children[0]?.children[1]).toBe(project.children[0]?.children[1]);
    expect(await served.findProject('root')).toBe(tree);
    expect(await served.findProject('other')).toBeNull();
  });
});

describe('findCheckpoint', () => {
  it('has what serving needs to know of the run', async () => {
    expect(await findCheckpoint(runs, 'run one', 'a/checkpoint-5')).toMatchObject({
      root: '/runs',
      baseModel: 'Qwen/Qwen3-0.6B',
      rank: 16,
      step: 5,
      isMlx: true,
    });
  });

  it('finds only checkpoints of the run', async () => {
    expect(await findCheckpoint(runs, 'run one', '../../etc')).toBeNull();
    expect(await findCheckpoint(runs, 'other', 'a/checkpoint-5')).toBeNull();
  });
});
