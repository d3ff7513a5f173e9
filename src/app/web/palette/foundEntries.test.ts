import { expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toServedModel } from '#app/web/layout/layoutStore.ts';
import { toRunEntries } from './foundEntries.ts';

const run = (metadata: TreeNode['metadata']): TreeNode => ({
  id: 'r',
  type: 'experiment',
  label: 'sft-7',
  status: 'stopped',
  children: [],
  metadata,
});

it('offers to chat with a run, and with nothing else', () => {
  expect(toRunEntries(run({})).map(({ label }) => label)).toEqual(['Chat with run sft-7']);
  expect(toRunEntries({ ...run({}), type: 'finetuning-job' })).toEqual([]);
});

it('opens a model only if weights of the folder answer as it', () => {
  expect(toServedModel(run({ model_id: 'sft-7-100', served: { base_model_id: null } }))).toBe('sft-7-100');
  expect([{ model_id: 'x' }, { served: {} }, {}].map((metadata) => toServedModel(run(metadata)))).toEqual(['', '', '']);
});
