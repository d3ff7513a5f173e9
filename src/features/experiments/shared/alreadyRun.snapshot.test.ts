import { expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toTestCandidate } from './candidate.fixture.ts';
import { openKnownRuns } from './alreadyRun.ts';

const settings = { base_model_id: 'b', n_epochs: 3, batch_size: 8, learning_rate_multiplier: 1e-3 };
const node = (type: string, id: string, children: readonly TreeNode[] = [], status?: string): TreeNode => ({
  id,
  type,
  label: `The ${id}`,
  children,
  metadata: {},
  ...(status !== undefined && { status }),
});
const snapshot = node('snapshot', 's', [
  node('finetuning-job', 'j', [
    node('experiment', 'won', [], 'succeeded'),
    node('experiment', 'lost', [], 'failed'),
    node('experiment', 'ended', [], 'stopped'),
  ]),
  node('finetuning-job', 'unread', [node('experiment', 'late', [], 'succeeded')]),
]);
const answer = readJob({
  id: 'j',
  answer_shape: 'fixed-set',
  experiments: [
    { id: 'won', ...settings, training_type: 'full', status: 'succeeded', held_out: { exact_match: 0.995 } },
    { id: 'lost', ...settings, training_type: 'full', status: 'failed' },
    { id: 'ended', ...settings, training_type: 'full', status: 'stopped' },
  ],
});
if (!answer.ok) throw new Error(answer.reason);
const find = openKnownRuns(snapshot, [answer.value]);
const advice = toTestCandidate('m', { origin: 'model', snapshot_id: 's', training_type: 'full', ...settings });

it('names the runs that had these settings, with the main measure or their status; only what succeeded counts as run', () =>
  expect(find(advice)).toEqual([
    { words: 'Already run', runs: [{ id: 'won', label: 'The won', outcome: 'exact match 99.5 %' }] },
    {
      words: 'Did not finish',
      runs: [
        { id: 'lost', label: 'The lost', outcome: 'failed' },
        { id: 'ended', label: 'The ended', outcome: 'stopped' },
      ],
    },
  ]));

it('finds none for other settings, or of jobs that are not read', () => {
  expect(find({ ...advice, training_type: 'lora' })).toEqual([]);
  expect(openKnownRuns(snapshot, [])(advice)).toEqual([]);
});
