import { expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toRunCandidate } from './runCandidates.ts';
import { toCandidateName, toOriginWords } from './trainingWords.ts';

const node = (more: Partial<TreeNode>): TreeNode => ({
  id: 'e',
  type: 'experiment',
  label: 'Experiment 2',
  status: 'failed',
  children: [],
  metadata: {},
  ...more,
});
const job = node({ id: 'j', type: 'finetuning-job', label: 'First round' });
const dataset = node({ id: 'd', type: 'dataset', label: 'Tickets' });
const snapshot = node({ id: 's', type: 'snapshot', label: 'Snapshot 1' });

function read(experiment: object) {
  const result = readJob({ id: 'j', experiments: [{ id: 'e', ...experiment }] });
  if (!result.ok) throw new Error(result.reason);
  return result.value.experiments[0] ?? null;
}

it('joins the tree’s node with what the job tells', () => {
  const jobFacts = read({
    base_model_id: 'qwen3-0.6b',
    lora: true,
    n_epochs: 4,
    batch_size: 8,
    learning_rate_multiplier: 0.003,
    experiment_number: 2,
    failure: 'It diverged.',
    steps: 40,
    last_loss: 0.5,
    held_out: { exact: 0.25 },
    lora_rank: 8,
  });
  const candidate = toRunCandidate(
    'x:e',
    { node: node({ metadata: { base_model_id: 'qwen3-0.6b' } }), job, snapshot, dataset },
    jobFacts,
  );
  expect(candidate).toMatchObject({
    key: 'x:e',
    origin: 'run',
    label: 'Experiment 2',
    location: 'Tickets › First round',
    snapshot_id: 's',
    experiment_id: 'e',
    dataset: 'Tickets',
    status: 'failed',
    place: 2,
    training_type: 'lora',
    n_epochs: 4,
    learning_rate_multiplier: 0.003,
    failure: 'It diverged.',
    model_id: null,
  });
  expect(candidate.extras.map(({ name, value, isResult = false }) => [name, value, isResult])).toEqual([
    ['steps', 40, true],
    ['last_loss', 0.5, true],
    ['held_out.exact', 0.25, true],
    ['lora_rank', 8, false],
  ]);
  expect([toCandidateName(candidate), toOriginWords(candidate)]).toEqual([
    'Experiment 2 · run of Tickets › First round',
    'run of Tickets › First round',
  ]);
});

it('is what the tree knows where no job was read', () => {
  const candidate = toRunCandidate(
    'x:e',
    { node: node({ metadata: { base_model_id: 'b', model_id: 'ft-b' } }), job: null, snapshot: null, dataset: null },
    null,
  );
  expect(candidate).toMatchObject({
    base_model_id: 'b',
    model_id: 'ft-b',
    n_epochs: null,
    training_type: null,
    extras: [],
    snapshot_id: null,
    experiment_id: 'e',
    dataset: null,
  });
  expect(toOriginWords(candidate)).toBe('run');
  expect(toRunCandidate('x:e', { node: node({}), job, snapshot, dataset }, null).base_model_id).toBe('unknown');
});
