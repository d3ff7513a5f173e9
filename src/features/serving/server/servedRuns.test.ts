import { describe, expect, it } from 'vitest';
import type { Run, RunRoot } from '#features/runs/shared/runs.ts';
import { toTreeChange, type ProjectNode } from '#core/contract/tree.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import type { Serving } from './serving.ts';
import type { ServingState } from './servingState.ts';
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
  parameters: [
    { name: 'model_config.num_attention_heads', value: 14, source: { format: 'tfevents', file: 'a', place: null } },
    { name: 'learning_rate', value: 0.1, source: { format: 'tfevents', file: 'a', place: null } },
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

function open(of: Runs = runs): { readonly served: Runs; serve(model: string): void } {
  let state: ServingState = { byRun: new Map(), findBase: (name) => (name === 'Qwen/Qwen3-0.6B' ? 'qwen' : null) };
  const serving = {
    readState: async () => state,
    findServed: async (id: string, path: string) => {
      const found = path === 'a/checkpoint-5' ? state.byRun.get(id) : undefined;
      return found ? { model_id: found.model_id, served: { way: 'llama', base_model_id: 'qwen' } } : null;
    },
  } as unknown as Serving;
  const serve = (model_id: string): void => {
    state = { ...state, byRun: new Map([['run one', { model_id, base_model_id: 'qwen' }]]) };
  };
  return { served: toServedRuns(of, serving), serve };
}

const metadataOf = (tree: ProjectNode | null, place: number) =>
  tree?.children[0]?.children[place]?.children[0]?.children[0]?.metadata;
const modelOf = (tree: ProjectNode | null, place: number): unknown => metadataOf(tree, place)?.model_id;

describe('a run whose weights are served', () => {
  it('names its model in the tree, in its job and at its checkpoint', async () => {
    const { served, serve } = open();
    serve('Tickets-5');
    const tree = await served.findProject('root');
    expect([modelOf(tree, 0), modelOf(tree, 1)]).toEqual(['Tickets-5', undefined]);
    expect([metadataOf(tree, 0)?.served, metadataOf(tree, 1)?.served]).toEqual([{ base_model_id: 'qwen' }, undefined]);
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

describe('a run whose folder has a GGUF file', () => {
  it.each([
    ['Qwen/Qwen3-0.6B', 'qwen'],
    ['another/base', null],
    [undefined, null],
  ])('is compared with the local model of its base’s name: %s', async (name, base) => {
    const metadata = { model_id: 'runs/a', ...(name !== undefined && { base_model_id: name }) };
    const change = toTreeChange((each) =>
      each.type === 'experiment' ? { ...each, metadata: { ...each.metadata, ...metadata } } : each,
    );
    const { served } = open({ ...runs, findProject: async () => change(project) });
    const tree = await served.findProject('root');
    expect(metadataOf(tree, 0)).toMatchObject({ model_id: 'runs/a', served: { base_model_id: base } });
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
      modelConfig: { num_attention_heads: 14 },
    });
  });

  it('finds only checkpoints of the run', async () => {
    expect(await findCheckpoint(runs, 'run one', '../../etc')).toBeNull();
    expect(await findCheckpoint(runs, 'other', 'a/checkpoint-5')).toBeNull();
  });
});
