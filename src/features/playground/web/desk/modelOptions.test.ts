import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '#core/contract/completion.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import {
  isUnlisted,
  openCheckpoints,
  suggestModel,
  toModelOptions,
  toTunedModels,
  type TunedModel,
} from './modelOptions.ts';

const node = (
  type: string,
  label: string,
  children: readonly TreeNode[] = [],
  more: Partial<TreeNode> = {},
): TreeNode => ({ id: label, type, label, children, metadata: {}, ...more });
const experiment = (
  label: string,
  metadata: TreeNode['metadata'],
  status = 'succeeded',
  children: readonly TreeNode[] = [],
): TreeNode => node('experiment', label, children, { status, metadata });
const tuned = (modelId: string, baseModelId: string | null = null): TunedModel => ({
  modelId,
  baseModelId,
  label: `Experiment ${modelId}`,
});
const entry = (id: string): ModelEntry => ({ id, created: 0, object: 'model', owned_by: 'studio' });

describe('models of a project', () => {
  it('are those of succeeded experiments, in the order of the tree', () => {
    const project = node('project', 'P', [
      node('group', 'First round', [
        experiment('E1', { model_id: 'ft:1', base_model_id: 'base' }, 'succeeded', [
          experiment('E1b', { model_id: 'ft:1b', base_model_id: 'ft:1' }),
        ]),
        experiment('E2', { model_id: 'ft:2' }, 'failed'),
        experiment('E3', { model_id: 'ft:3' }, 'processing'),
      ]),
      experiment('E4', { model_id: 'ft:4' }),
    ]);
    expect(toTunedModels(project)).toEqual([
      { modelId: 'ft:1', baseModelId: 'base', label: 'E1, First round', short: 'E1' },
      { modelId: 'ft:1b', baseModelId: 'ft:1', label: 'E1b, E1', short: 'E1b' },
      { modelId: 'ft:4', baseModelId: null, label: 'E4, P', short: 'E4' },
    ]);
  });

  it.each<[string, TreeNode | null]>([
    ['there is no project', null],
    ['an experiment names no model', experiment('E', {})],
    ['the name is no text', experiment('E', { model_id: 5 })],
    ['the name is empty', experiment('E', { model_id: '' })],
    ['it is no experiment', node('snapshot', 'S', [], { status: 'succeeded', metadata: { model_id: 'm' } })],
    ['it has no status', node('experiment', 'E', [], { metadata: { model_id: 'm' } })],
  ])('are none where %s', (_what, project) => expect(toTunedModels(project)).toEqual([]));

  it('bear a tree that is one long chain', () => {
    let chain = experiment('E', { model_id: 'deep' });
    for (let depth = 0; depth < 20_000; depth += 1) chain = node('group', 'g', [chain]);
    expect(toTunedModels(chain)).toEqual([{ modelId: 'deep', baseModelId: null, label: 'E, g', short: 'E' }]);
  });
});

it('are told apart by what comes first, also where there is little room', () => {
  const project = node('project', 'P', [
    node('dataset', 'Ticket triage', [node('group', 'First round', [experiment('E1', { model_id: 'ft' })])]),
  ]);
  expect(toModelOptions(toTunedModels(project), [])).toMatchObject([
    { value: 'ft', label: 'Ticket triage: E1, First round', short: 'E1 · Ticket triage' },
  ]);
});

describe('options', () => {
  it('are fine-tuned models, their base models, then what else is served', () => {
    expect(toModelOptions([tuned('ft', 'base')], [entry('other')])).toEqual([
      { value: 'ft', label: 'Experiment ft', group: 'Fine-tuned models', hint: 'ft', base: 'base' },
      { value: 'base', label: 'base', group: 'Base models', hint: 'Base models' },
      { value: 'other', label: 'other', group: 'Other models of this service', hint: 'Other models of this service' },
    ]);
  });

  it('name each model once, in the first group it belongs to', () => {
    const options = toModelOptions(
      [tuned('a', 'base'), tuned('b', 'base'), tuned('c', 'a')],
      [entry('base'), entry('b'), entry('x'), entry('x')],
    );
    expect(options.map(({ value, group }) => [value, group[0]])).toEqual([
      ['a', 'F'],
      ['b', 'F'],
      ['c', 'F'],
      ['base', 'B'],
      ['x', 'O'],
    ]);
  });

  it('keep names that look like properties', () => {
    expect(toModelOptions([], [entry('__proto__'), entry('constructor')]).map(({ value }) => value)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

it.each<[string, readonly TunedModel[], readonly string[], string]>([
  ['the base model of what is shown', [tuned('ft', 'base')], ['ft'], 'base'],
  ['a model tuned from what is shown', [tuned('ft', 'base')], ['base'], 'ft'],
  ['the partner of the last one first', [tuned('a', 'base-a'), tuned('b', 'base-b')], ['a', 'b'], 'base-b'],
  [
    'another model of the same base, where the base model is shown',
    [tuned('ft', 'base'), tuned('ft2', 'base')],
    ['ft', 'base'],
    'ft2',
  ],
  ['the same model, where all partners are shown', [tuned('ft', 'base')], ['ft', 'base'], 'base'],
  ['the same model, where it has no partner', [tuned('ft', 'base')], ['served'], 'served'],
  ['the first fine-tuned model, where none is chosen', [tuned('ft'), tuned('ft2')], [''], 'ft'],
  ['nothing, where there is nothing', [], [''], ''],
])('a new pane starts with %s', (_what, models, shown, expected) => expect(suggestModel(models, shown)).toBe(expected));

it('names the dataset: experiments are called the same from one to the next', () => {
  const job = (modelId: string) => node('finetuning-job', 'First round', [experiment('E1', { model_id: modelId })]);
  const tree = node('project', 'P', [
    node('dataset', 'Triage', [node('snapshot', 'S', [job('a')])]),
    node('dataset', 'Orders', [node('snapshot', 'S', [job('b')])]),
  ]);
  expect(toTunedModels(tree).map(({ label }) => label)).toEqual(['Triage: E1, First round', 'Orders: E1, First round']);
});

describe('a model that the service does not list', () => {
  const listed = [entry('a')];
  const options = toModelOptions([tuned('ft:1')], listed);

  it.each([
    ['nope', listed, true],
    ['a', listed, false],
    ['ft:1', listed, false],
    ['', listed, false],
    ['nope', null, false],
    ['nope', [], false],
  ])('%j is said to be one where there is a list: %j, %s', (model, list, isSaid) => {
    expect(isUnlisted(model, options, list)).toBe(isSaid);
  });
});

describe('a checkpoint', () => {
  const toProject = (status: string): TreeNode =>
    node('project', 'P', [
      node('dataset', 'Triage', [
        { ...experiment('Experiment 1 · full', { model_id: 'ft-base-f5da809d' }, status), id: 'f5da809d-1234-4abc' },
      ]),
    ]);
  const id = 'ft-base-f5da809d-step-338';

  it('is named by its run and its step', () => {
    const find = openCheckpoints(toProject('running'));
    expect(toModelOptions([], [entry(id), entry('other')], find)).toMatchObject([
      {
        value: id,
        label: 'Triage: Experiment 1 · full, step 338',
        group: 'Checkpoints',
        hint: id,
        short: 'Experiment 1 · full, step 338',
      },
      { value: 'other', label: 'other', group: 'Other models of this service', hint: 'Other models of this service' },
    ]);
    expect(find('ft-base-00000000-step-338')).toBeNull();
  });

  it('knows its run and its step, and none of another project', () => {
    const find = openCheckpoints(toProject('succeeded'));
    expect(find(id)).toMatchObject({
      step: 338,
      run: { status: 'succeeded', metadata: { model_id: 'ft-base-f5da809d' } },
    });
    expect(openCheckpoints(null)(id)).toBeNull();
  });
});
