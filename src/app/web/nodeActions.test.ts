import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { JobFactsOf } from '#features/experiments/web/rows/experimentFacts.ts';
import { toTestJobFacts } from '#features/experiments/web/rows/rows.fixture.ts';
import { toBranchActions, toNodeActions } from './nodeActions.ts';

const experiment = (id: string, status: string, model?: string): TreeNode => ({
  id,
  type: 'experiment',
  label: id,
  status,
  children: [],
  metadata: { base_model_id: 'base', model_id: model },
});
const job = (children: readonly TreeNode[]): TreeNode => ({
  id: 'j',
  type: 'finetuning-job',
  label: 'J',
  status: 'completed',
  children,
  metadata: {},
});

const draw = (node: TreeNode, experiments: readonly TreeNode[]) =>
  toNodeActions(node, experiments).map(({ label, disabledReason }) => (disabledReason === null ? label : `(${label})`));
const many = (count: number) => Array.from({ length: count }, (_, at) => experiment(`e${at}`, 'succeeded', `ft-${at}`));
const COPIES = ['Copy id', 'Copy JSON', 'Copy link'];

describe('toNodeActions', () => {
  it('leads from a succeeded experiment to the prompt', () => {
    const node = experiment('e', 'succeeded', 'ft');
    expect(draw(node, [node])).toEqual([
      'Open in playground',
      'Compare with base model',
      'Add run to compare',
      ...COPIES,
    ]);
  });

  it('says why it does not from any other', () => {
    const node = experiment('e', 'running');
    expect(draw(node, [node])).toEqual([
      '(Open in playground)',
      '(Compare with base model)',
      'Add run to compare',
      ...COPIES,
    ]);
    expect(toNodeActions(node, [node])[0]?.disabledReason).toContain('running');
    const gone = experiment('e', 'deleted');
    expect(draw(gone, [gone])[2]).toBe('(Add run to compare)');
  });

  it('chats with a run of a folder, whose weights may have to be served first', () => {
    const draw2 = (node: TreeNode) =>
      toNodeActions(node, [node], () => null, true)
        .slice(0, 2)
        .map(({ label, disabledReason }) => [label, disabledReason]);
    const run = experiment('e', 'stopped');
    expect(draw2(run)).toEqual([
      ['Chat with this run…', null],
      ['Compare with base model', expect.stringContaining('not served yet')],
    ]);
    const served = { ...run, metadata: { ...run.metadata, model_id: 'e-5', served: { base_model_id: 'qwen' } } };
    expect(draw2(served)).toEqual([
      ['Chat with this run', null],
      ['Compare with base model', null],
    ]);
    const alone = { ...served, metadata: { ...served.metadata, served: { base_model_id: null } } };
    expect(draw2(alone)[1]?.[1]).toContain('base, is not served');
  });

  it('opens a model that only the job names', () => {
    const node: TreeNode = { ...experiment('e', 'succeeded'), metadata: {} };
    const jobFacts = toTestJobFacts('e', { model_id: 'ft', base_model_id: 'base' });
    const reasons = (jobFactsOf?: JobFactsOf) =>
      toNodeActions(node, [node], jobFactsOf)
        .slice(0, 2)
        .map(({ disabledReason }) => disabledReason === null);
    expect([reasons(), reasons(() => jobFacts)]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(toNodeActions(job([node]), [node], () => jobFacts)[0]?.label).toBe('Open the fine-tuned model below');
  });

  it('opens what is beneath a branch, as much as there is room for', () => {
    const three = [...many(2), experiment('x', 'failed'), experiment('y', 'deleted')];
    expect(draw(job(three), three).slice(0, 2)).toEqual(['Compare 2 fine-tuned models below', 'Add 3 runs to compare']);
    expect(draw(job(many(1)), many(1)).slice(0, 2)).toEqual(['Open the fine-tuned model below', 'Add run to compare']);
    expect(draw(job(many(120)), many(120)).slice(0, 2)).toEqual([
      'Compare up to 8 fine-tuned models below',
      'Add 120 runs to compare',
    ]);
    expect(draw(job(many(1_001)), many(1_001))[1]).toBe('Add first 1,000 runs to compare');
    expect(draw(job([]), []).slice(0, 2)).toEqual(['(Compare fine-tuned models below)', '(Add runs to compare)']);
  });
});

describe('toBranchActions', () => {
  const nothing = () => undefined;
  it('has nothing for a leaf, and can collapse only what is open', () => {
    expect(toBranchActions(null)).toEqual([]);
    const reasons = [true, false].map((isOpen) =>
      toBranchActions({ isOpen, onExpand: nothing, onCollapse: nothing }).map(({ disabledReason }) => disabledReason),
    );
    expect(reasons).toEqual([
      [null, null],
      [null, 'It is already collapsed.'],
    ]);
  });
});
