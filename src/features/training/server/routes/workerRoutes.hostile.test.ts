// What a worker sends is data: no line of it hangs its run, fails a request with 500 or keeps the next run from starting.
import { expect, it } from 'vitest';
import { leaseSchema, type Lease } from '#features/training/shared/worker.ts';
import { createRun, openTrainingService, readRun } from './trainingService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const opened = await keep(openTrainingService(null));

async function lease(): Promise<Lease> {
  const answer = await opened.service.post('/api/v1/studio/workers/lease', { name: 'gpu-1', is_built_in: false });
  return leaseSchema.parse(answer.json());
}
const send = async (leaseId: string, events: readonly object[]): Promise<number> => {
  const lines = events.map((event) => JSON.stringify(event));
  return (await opened.service.post(`/api/v1/studio/workers/leases/${leaseId}/lines`, { from: 0, lines })).status;
};
const end = async (leaseId: string, more: object = {}): Promise<number> =>
  (
    await opened.service.post(`/api/v1/studio/workers/leases/${leaseId}/end`, {
      code: 0,
      signal: null,
      problem: null,
      ...more,
    })
  ).status;
const readLog = async (id: string): Promise<string> =>
  String((await opened.get(`/api/v1/studio/experiments/${id}/log`))['text']);

const served = { type: 'result', model: { served_as: 'm' } };
const answer = (text: string) => ({
  type: 'validation',
  step: 1,
  loss: 1,
  answers: [{ prompt: 'p', expected: 'e', answer: text }],
});
const SUCCEEDED = ['succeeded', null] as const;
const NO_RESULT = ['failed', /without a result/] as const;

it.each([
  ['an answer with NUL', answer('a\0'), NO_RESULT, ''],
  ['an answer that ends in half an emoji', answer('a\ud83d'), NO_RESULT, ''],
  ['a step that no column holds', { type: 'progress', step: 2 ** 31, loss: 1 }, NO_RESULT, 'step must be at most'],
  ['so many steps', { type: 'start', steps: 2 ** 31 }, NO_RESULT, 'steps must be at most'],
  ['so many cut rows', { type: 'start', steps: 1, rows_cut: 2 ** 31 }, NO_RESULT, 'rows_cut must be at most'],
  ['a reason with NUL', { type: 'failure', reason: 'x\0' }, ['failed', /^x\ufffd$/], ''],
  ['a served model with NUL', { ...served, model: { served_as: 'm\0' } }, SUCCEEDED, ''],
  ['a file with NUL', { ...served, model: { file: 'm\0', kind: 'gguf' } }, ['failed', /there is no such file/], ''],
  ['a setting with NUL', { ...served, settings: { optimizer: 'x\0' } }, SUCCEEDED, ''],
  ['a measure with NUL', { ...served, measures: { 'a\0': 1 } }, SUCCEEDED, ''],
  ['a setting with half a pair', { ...served, settings: { optimizer: 'x\ud800' } }, SUCCEEDED, ''],
] as const)('%s ends its run well, and the next one starts', async (_what, event, [status, reason], said) => {
  const id = await createRun(opened);
  const { lease_id: leaseId } = await lease();
  expect(await send(leaseId, [event])).toBe(200);
  expect(await end(leaseId)).toBe(204);
  const progress = await readRun(opened, id);
  expect(progress.status).toBe(status);
  if (reason === null) expect(progress.reason).toBeNull();
  else expect(progress.reason).toMatch(reason);
  expect(await readLog(id)).toContain(said);
});

it('a problem with NUL ends its run with the problem', async () => {
  const id = await createRun(opened);
  expect(await end((await lease()).lease_id, { code: null, problem: 'No\0disk.' })).toBe(204);
  expect(await readRun(opened, id)).toMatchObject({ status: 'failed', reason: 'No\ufffddisk.' });
});

it('is answered to when the database refuses it, and its run has failed with the reason at once', async () => {
  const { database } = opened.studio;
  await database.executeSql('alter table studio.training_points add constraint few check (step < 1000)');
  const [id, next] = [await createRun(opened), await createRun(opened)];
  const { lease_id: leaseId } = await lease();
  const progress = (step: number) => ({ type: 'progress', step, loss: 1 });
  expect(await send(leaseId, [progress(1), progress(1000)])).toBe(200);
  expect(await end(leaseId)).toBe(204);
  expect(await readRun(opened, id)).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/^The database refuses what the trainer said: .*"few"/) as string,
  });
  expect(await readLog(id)).toContain('The database refuses what the trainer said');
  await database.executeSql('alter table studio.training_points drop constraint few');
  expect((await lease()).experiment_id).toBe(next);
  await opened.service.post(`/api/v1/studio/experiments/${next}/cancel`, {});
});
