import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../contract/projectReader';
import { toFailureAdvice, toSnapshots } from './advice';
import { toCandidateKind, toTrainingWord } from './training';

const node = (more: Partial<TreeNode>): TreeNode => ({ id: 'id', type: 'snapshot', label: 'Snapshot', children: [], metadata: {}, ...more });

describe('toFailureAdvice', () => {
  it('names too few rows first, when that is the likely reason', () => {
    expect(toFailureAdvice(node({ metadata: { training_count: 0 } }))[0]).toContain('no training rows');
    expect(toFailureAdvice(node({ metadata: { training_count: 9 } }))[0]).toContain('only 9 training rows');
  });

  it('does not blame the rows when there are enough or nobody knows', () => {
    for (const metadata of [{ training_count: 10 }, {}, { training_count: '3' }]) {
      expect(toFailureAdvice(node({ metadata })).join(' ')).not.toContain('training rows');
    }
  });
});

it('offers every snapshot with the name of its dataset', () => {
  const project = node({
    type: 'project',
    children: [
      node({ type: 'dataset', label: 'A', children: [node({ id: 's1', label: 'one' }), node({ id: 'x', type: 'something-new' })] }),
      node({ type: 'dataset', label: 'B' }),
    ],
  });
  expect(toSnapshots(project)).toEqual([{ id: 's1', label: 'A › one' }]);
});

it('writes training types as people do, and unknown ones as they came', () => {
  expect(['full', 'lora', 'qlora', 'dora', 'constructor'].map(toTrainingWord)).toEqual(['full', 'LoRA', 'QLoRA', 'dora', 'constructor']);
  expect([null, ''].map(toTrainingWord)).toEqual([null, null]);
});

it('tells apart what has the same base model and training', () => {
  const candidate = {
    key: 'k', origin: 'model', place: null, repeat: 1, base_model_id: 'a', training_type: 'lora',
    n_epochs: 1, batch_size: 1, learning_rate_multiplier: 1, recommended: false, reason_for_recommendation: null,
  } as const;
  expect(toCandidateKind(candidate)).toBe('LoRA');
  expect(toCandidateKind({ ...candidate, repeat: 2 })).toBe('LoRA · entry 2');
  expect(toCandidateKind({ ...candidate, place: 3, training_type: null })).toBe('training not given · #3');
});
