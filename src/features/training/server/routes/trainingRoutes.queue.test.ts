// How many runs may wait, and the end of a job that has many.
import { afterEach, expect, it, vi } from 'vitest';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { createdJobSchema } from '#features/training/shared/createJob.ts';
import { trainingQueueSchema, type TrainingQueue } from '#features/training/shared/trainingRecords.ts';
import { makeNamedToken, type Answer } from '#service/http/testService.fixture.ts';
import { RUN } from '#features/training/server/testTraining.fixture.ts';
import { openTrainingService } from './trainingService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const CREATE = '/api/v1/public/finetuning/create';
const MOST = JOB_LIMITS.experiments;
const CI = makeNamedToken('ci');

const opened = await keep(openTrainingService(null, undefined, { tokens: CI.tokens }));
afterEach(async () => {
  await opened.studio.database.executeSql(`delete from studio.jobs where label = 'Many'`);
});

const toJob = (count: number) => ({
  snapshot_id: opened.snapshotId,
  name: 'Many',
  experiments: Array.from({ length: count }, () => RUN),
});
const create = (count: number, token?: string): Promise<Answer> =>
  opened.service.post(CREATE, toJob(count), token === undefined ? {} : { Authorization: `Bearer ${token}` });
const readQueue = async (): Promise<TrainingQueue> =>
  trainingQueueSchema.parse(await opened.get('/api/v1/studio/training'));

it('the queue takes so many runs, also of requests at the same time, and says what to do then', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(MOST)));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(answers.length - refused.length).toBe(JOB_LIMITS.waiting / MOST);
  for (const answer of refused) {
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
    expect(answer.json()).toMatchObject({
      error: {
        code: 'queue_full',
        message:
          '1000 of at most 1000 runs wait in this studio already, and 200 more are too many. Wait until some have been ' +
          'trained, cancel jobs that wait, or ask for fewer runs.',
      },
    });
  }
  const { waiting } = await readQueue();
  expect(waiting).toHaveLength(JOB_LIMITS.waiting);
  const [jobId] = waiting.map(({ job_id }) => job_id);
  expect((await opened.service.post(`/api/v1/studio/jobs/${jobId}/duplicate`, {})).status).toBe(429);
  expect((await opened.service.post(`/api/v1/studio/jobs/${jobId}/cancel`, {})).status).toBe(200);
  expect((await create(1)).status).toBe(201);
});

it('one named token leaves room for the others', async () => {
  const most = JOB_LIMITS.waitingOfToken;
  for (let left = most; left > 0; left -= MOST) expect((await create(Math.min(MOST, left), CI.token)).status).toBe(201);
  const answer = await create(1, CI.token);
  expect(answer.status).toBe(429);
  expect(answer.json()).toMatchObject({
    error: {
      code: 'queue_share_full',
      message: expect.stringMatching(/^500 runs of ci wait already, of at most 500 for one token/) as string,
    },
  });
  expect((await create(MOST)).status).toBe(201);
});

it('a longer queue, of another version, is answered in part', async () => {
  await create(MOST);
  await opened.studio.database.executeSql(`
    create table more as select e.*, t.seed from studio.experiments e join studio.trainings t on t.experiment_id = e.id
      cross join generate_series(1, 6) where e.status = 'queued';
    update more set id = gen_random_uuid();
    insert into studio.experiments select (jsonb_populate_record(null::studio.experiments, to_jsonb(more))).* from more;
    insert into studio.trainings (experiment_id, training_type, seed, position) select id, 'lora', seed, 7 from more;
    drop table more`);
  expect((await readQueue()).waiting).toHaveLength(JOB_LIMITS.waiting);
});

it('a job with 200 runs is cancelled in one pass', async () => {
  const { job_id: id } = createdJobSchema.parse((await create(MOST)).json());
  const transaction = vi.spyOn(opened.studio.database.orm, 'transaction');
  expect((await opened.service.post(`/api/v1/studio/jobs/${id}/cancel`, {})).status).toBe(200);
  expect(transaction).toHaveBeenCalledOnce();
  transaction.mockRestore();
  const job = await opened.get(`/api/v1/public/finetuning/${id}`);
  expect(job['status']).toBe('stopped');
  const reasons = (job['experiments'] as { status: string; reason: string }[]).map((run) => [run.status, run.reason]);
  expect(new Set(reasons.map(String))).toEqual(new Set(['stopped,Cancelled before it began.']));
  expect((await opened.service.post(`/api/v1/studio/jobs/${id}/cancel`, {})).status).toBe(409);
});
