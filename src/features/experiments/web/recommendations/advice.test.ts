import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toFailureAdvice, toSnapshots } from './advice.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toCandidateKind, toTrainingWord } from '#features/experiments/shared/trainingWords.ts';

const node = (more: Partial<TreeNode>): TreeNode => ({
  id: 'id',
  type: 'snapshot',
  label: 'Snapshot',
  children: [],
  metadata: {},
  ...more,
});

describe('toFailureAdvice', () => {
  it('names too few rows first if that is the likely reason', () => {
    expect(toFailureAdvice(node({ metadata: { training_count: 0 } }), false)[0]).toContain('no training rows');
    expect(toFailureAdvice(node({ metadata: { training_count: 9 } }), false)[0]).toContain('only 9 training rows');
  });

  it('does not blame the rows if there are enough or their number is unknown', () => {
    for (const metadata of [{ training_count: 10 }, {}, { training_count: '3' }]) {
      expect(toFailureAdvice(node({ metadata }), false).join(' ')).not.toContain('training rows');
    }
  });

  it('does not mention the log if the reason is given', () => {
    expect(toFailureAdvice(node({}), false).join(' ')).toContain('log');
    expect(toFailureAdvice(node({}), true).join(' ')).not.toContain('log');
  });
});

it('offers every snapshot with the name of its dataset', () => {
  const project = node({
    type: 'project',
    children: [
      node({
        type: 'dataset',
        label: 'A',
        children: [node({ id: 's1', label: 'one' }), node({ id: 'x', type: 'something-new' })],
      }),
      node({ type: 'dataset', label: 'B' }),
    ],
  });
  expect(toSnapshots(project).map(({ node: { id }, label }) => [id, label])).toEqual([['s1', 'A › one']]);
  expect(project.children.map((dataset) => toSnapshots(dataset).length)).toEqual([1, 0]);
});

it('writes known training types as people do, and unknown ones as the service gave them', () => {
  expect(['full', 'lora', 'qlora', 'dora', 'constructor'].map(toTrainingWord)).toEqual([
    'full',
    'LoRA',
    'QLoRA',
    'dora',
    'constructor',
  ]);
  expect([null, ''].map(toTrainingWord)).toEqual([null, null]);
});

it('tells candidates with the same base model and training type apart', () => {
  const candidate = toTestCandidate('k', { origin: 'model', place: null, base_model_id: 'a' });
  expect(toCandidateKind(candidate)).toBe('LoRA');
  expect(toCandidateKind({ ...candidate, repeat: 2 })).toBe('LoRA · entry 2');
  expect(toCandidateKind({ ...candidate, place: 3, training_type: null })).toBe('training not given · #3');
});
