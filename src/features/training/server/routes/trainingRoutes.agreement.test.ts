// What the tree, the job, the queue, the progress, the curves and the chat say of a run agrees whenever they are asked.
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createdJobSchema } from '#features/training/shared/createJob.ts';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { progressSchema, trainingQueueSchema } from '#features/training/shared/trainingRecords.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { QUICK, RUN, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { openTrainingService, type TrainingService } from './trainingService.fixture.ts';

let opened: TrainingService | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

/** In the order in which a run goes through them. */
const ORDER = ['pending', 'queued', 'running', 'deploying', 'ended'];
const rankOf = (status: unknown): number => ORDER.indexOf(isActiveStatus(String(status)) ? String(status) : 'ended');

const findNode = (node: TreeNode, id: string): TreeNode | null =>
  node.id === id ? node : (node.children.map((child) => findNode(child, id)).find((found) => found !== null) ?? null);

/** What each part of the API says of a run, asked one after the other. */
async function poll({ get, service, projectId }: TrainingService, jobId: string, id: string) {
  const progressOf = async () => progressSchema.parse(await get(`/api/v1/studio/experiments/${id}/progress`));
  const treeOf = async () => {
    const read = readProject(await get(`/api/v1/public/projects/${projectId}`));
    const node = read.ok ? findNode(read.value, id) : null;
    if (node === null) throw new Error('The run is not in the tree.');
    return { status: node.status, model: node.metadata['model_id'] ?? null };
  };
  const before = { tree: await treeOf(), progress: await progressOf() };
  const { experiments, status: job } = (await get(`/api/v1/public/finetuning/${jobId}`)) as {
    experiments: { id: string; status: string; model_id?: string; losses?: { step: number }[] }[];
    status: string;
  };
  const queue = trainingQueueSchema.parse(await get('/api/v1/studio/training'));
  const { curves } = (await service.post('/api/v1/studio/curves', { runs: [id], names: ['loss'] })).json() as {
    curves: { steps: number[] }[];
  };
  const { data } = await get('/api/v1/models');
  const after = { progress: await progressOf(), tree: await treeOf() };
  const own = experiments.find((each) => each.id === id);
  return {
    before,
    after,
    job,
    own,
    queue,
    curve: curves[0]?.steps.at(-1) ?? 0,
    models: (data as { id: string }[]).map((model) => model.id),
  };
}

/** Checks one poll. Two equal answers around all others mean that nothing changed between: then all must be equal. */
function expectAgreement(
  { before, after, own, queue, curve, models, job }: Awaited<ReturnType<typeof poll>>,
  id: string,
) {
  const said = [before.tree.status, before.progress.status, own?.status, after.progress.status, after.tree.status];
  const ranks = said.map(rankOf);
  expect(ranks, said.join()).toEqual(ranks.toSorted((one, other) => one - other));
  const losses = own?.losses?.at(-1)?.step ?? 0;
  expect(curve).toBeGreaterThanOrEqual(before.progress.step);
  expect(curve).toBeLessThanOrEqual(after.progress.step);
  expect(losses).toBeLessThanOrEqual(after.progress.step);
  expect(curve).toBeGreaterThanOrEqual(losses);
  const model = `ft-${RUN.base_model_id}-${id.slice(0, 8)}`;
  if (before.tree.status !== after.tree.status) return;
  const { status } = after.tree;
  expect(new Set(said)).toEqual(new Set([status]));
  const isActive = isActiveStatus(status);
  expect(queue.running.includes(id)).toBe(status === 'running' || status === 'deploying');
  expect(queue.waiting.some((entry) => entry.experiment_id === id)).toBe(status === 'queued' || status === 'pending');
  if (isActive) expect(job).toBe('processing');
  const isGood = status === 'succeeded';
  // While it is deployed, the new model is loaded to be tried: it may be in the list already.
  if (status !== 'deploying') expect(models.includes(model)).toBe(isGood);
  expect([after.tree.model, own?.model_id ?? null]).toEqual(isGood ? [model, model] : [null, null]);
  if (!isActive)
    expect(after.progress.actions).toEqual(isGood || after.progress.checkpoints.length === 0 ? [] : ['resume']);
}

it.each([
  ['train', 'succeeded'],
  ['crash-later', 'failed'],
])(
  'of a trainer that is to %s, at every poll until each run has %s',
  async (mode, end) => {
    // Stored often: more of the answers come while something changes.
    opened = await openTrainingService(toTestTrainer(mode, 10), { ...QUICK, tickMs: 50 });
    const { service, get, snapshotId: snapshot_id } = opened;
    const made = await service.post('/api/v1/public/finetuning/create', {
      snapshot_id,
      name: 'Agreement',
      experiments: [RUN, { ...RUN, n_epochs: 2 }],
    });
    const { job_id: jobId } = createdJobSchema.parse(made.json());
    const { experiments } = await get(`/api/v1/public/finetuning/${jobId}`);
    const ids = (experiments as { id: string }[]).map(({ id }) => id);
    const seen = new Set<unknown>();
    for (let isGoing = true; isGoing;) {
      isGoing = false;
      for (const id of ids) {
        const said = await poll(opened, jobId, id);
        expectAgreement(said, id);
        seen.add(said.after.tree.status);
        isGoing ||= isActiveStatus(said.after.tree.status);
      }
      // Runs go on meanwhile: without a rest, most rounds would find the state of the one before.
      await setTimeout(150);
    }
    expect((await get(`/api/v1/public/finetuning/${jobId}`))['status']).toBe(
      end === 'succeeded' ? 'completed' : 'failed',
    );
    expect([...seen]).toEqual(expect.arrayContaining(['queued', 'running', end]));
    const answers = await Promise.all(
      ids.map((id) =>
        service.post('/api/v1/chat/completions', {
          model: `ft-${RUN.base_model_id}-${id.slice(0, 8)}`,
          messages: [{ role: 'user', content: 'Hello!' }],
          max_completion_tokens: 2,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => (end === 'succeeded' ? 200 : 404)));
  },
  120_000,
);
