// The API of jobs as a script of the hosted studio's SDK uses it: the real studio, trainer processes and llama.cpp, over HTTP.
import { describe, expect, it, vi } from 'vitest';
import { createdJobSchema } from '#features/training/shared/createJob.ts';
import { trainerJobSchema } from '#trainer/protocol/trainerProtocol.ts';
import { progressSchema, takeAwaySchema, trainingPreviewSchema } from '#features/training/shared/trainingRecords.ts';
import { RUN, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { openRayLauncher } from '#features/training/server/launchers/rayLauncher.ts';
import { UNKNOWN_ID, type Answer } from '#service/http/testService.fixture.ts';
import { openTrainingService } from './trainingService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const CREATE = '/api/v1/public/finetuning/create';
const PARITY = {
  prompts: 50,
  exact_match: 0.98,
  formats: [
    {
      format: 'F16',
      is_served: true,
      equal: 0.9,
      exact_match: 0.9,
      lost: 0.08,
      lost_from: 0.01,
      lost_to: 0.2,
      is_refused: true,
      first_difference: null,
    },
  ],
};
/** Nothing is placed there: its machines do not reach the loopback address of these tests. */
const FAR = openRayLauncher({
  name: 'far',
  mostAtOnce: 1,
  address: new URL('http://ray.invalid'),
  tokenFile: null,
  gpus: 0,
  cpus: 1,
  minutes: null,
  folder: '/work',
  worker: ['model-studio'],
  trainer: null,
});

const opened = await keep(openTrainingService(toTestTrainer(), undefined, { launchers: { list: [FAR] } }));
const service = opened.service;
const snapshot_id = opened.snapshotId;

const get = (path: string): Promise<Record<string, unknown>> => opened.get(path);
const put = (path: string, value: unknown): Promise<Answer> =>
  service.askSigned(path, {
    method: 'PUT',
    body: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json' },
  });
const toJob = (more: object = {}, job: object = {}) => ({
  snapshot_id,
  name: 'Script',
  experiments: [{ ...RUN, ...more }],
  ...job,
});

async function create(more: object = {}, job: object = {}): Promise<{ jobId: string; runId: string }> {
  const made = await service.post(CREATE, toJob(more, job));
  expect(made.status).toBe(201);
  const { job_id: jobId } = createdJobSchema.parse(made.json());
  expect(service.changes.at(-1)?.nodeId).toBe(jobId);
  const { experiments } = await get(`/api/v1/public/finetuning/${jobId}`);
  return { jobId, runId: (experiments as { id: string }[])[0]?.id ?? '' };
}

const until = (path: string, status: string) =>
  vi.waitFor(
    async () => {
      const record = await get(path);
      expect(record['status']).toBe(status);
      return record;
    },
    { timeout: 30_000, interval: 200 },
  );

describe('a script', () => {
  it('asks for a recommendation, starts what it says, waits, and chats with the model', async () => {
    const asked = await service.post('/api/v1/public/recommendations/generate', { snapshot_id });
    expect([asked.status, asked.json()]).toEqual([202, { snapshot_id }]);
    const recommendation = await until(`/api/v1/public/recommendations/${snapshot_id}`, 'completed');
    const experiments = (recommendation['recommended_experiments'] as { base_model_id: string }[])
      .filter(({ base_model_id: base }) => base === 'support-base')
      .slice(0, 1);
    expect(experiments).toMatchObject([{ lora: expect.any(Boolean) as boolean }]);
    const [{ lora, training_type } = {}] = experiments as { lora?: boolean; training_type?: string }[];
    // The SDK of the hosted studio has no `lora`: what its type leaves over makes the same job.
    expect(training_type).toBe(lora ? 'lora' : 'full');
    for (const experiment of experiments as { lora?: boolean }[]) delete experiment.lora;
    const { jobId, runId } = await create({}, { experiments });
    const job = await until(`/api/v1/public/finetuning/${jobId}`, 'completed');
    const [run] = job['experiments'] as { status: string; model_id: string }[];
    expect(run).toMatchObject({ status: 'succeeded', lora, training_type });
    const model = run?.model_id ?? '';
    expect(model).toBe(`ft-support-base-${runId.slice(0, 8)}`);
    const { data } = await get('/api/v1/models');
    expect((data as { id: string }[]).map(({ id }) => id)).toContain(model);
    const chat = await service.post('/api/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'Hello!' }],
      max_completion_tokens: 4,
    });
    expect(chat.status).toBe(200);
    const { files } = takeAwaySchema.parse(await get(`/api/v1/studio/experiments/${runId}/take-away`));
    const sizes = files.map(({ name, bytes }) => [name, bytes]);
    expect(sizes).toEqual([[`${model}.gguf`, expect.any(Number)]]);
    const downloaded = await service.askSigned(`/api/v1/studio/experiments/${runId}/files/${model}.gguf`);
    expect(downloaded).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(files[0]?.bytes),
        'content-disposition': `attachment; filename="${model}.gguf"`,
      },
    });
    expect(downloaded.body.subarray(0, 4).toString()).toBe('GGUF');
    expect((await service.askSigned(`/api/v1/studio/experiments/${runId}/files/Modelfile`)).text).toMatch(
      /^FROM \.\/ft-.*\.gguf\n/,
    );
    for (const name of ['other.gguf', '../../token', `..%2f${model}.gguf`])
      expect(
        (await service.askSigned(`/api/v1/studio/experiments/${runId}/files/${encodeURIComponent(name)}`)).json(),
      ).toMatchObject({
        error: { param: 'name', code: 'file_not_found' },
      });
    expect(chat.json()).toMatchObject({ model, usage: { completion_tokens: expect.any(Number) as number } });
    const again = await service.post('/api/v1/public/recommendations/generate', { snapshot_id });
    expect(again.status).toBe(202);
    await until(`/api/v1/public/recommendations/${snapshot_id}`, 'completed');
  }, 60_000);

  it('loads a model, keeps it, and lets it go', async () => {
    const running = () => get('/api/v1/models/running?model=support-base');
    const up = await service.post('/api/v1/models/up', { model: 'support-base' });
    expect([up.status, up.json()]).toEqual([200, { message: 'support-base is in memory.' }]);
    expect(await running()).toMatchObject({
      status: true,
      memory: { bytes: expect.any(Number) as number, layers: 5, gpu_layers: 0, gpu: null },
    });
    expect((await service.post('/api/v1/models/up', { model: 'support-base' })).status).toBe(200);
    const down = await service.post('/api/v1/models/down', { model: 'support-base' });
    expect([down.status, down.json()]).toEqual([200, { message: 'The memory of support-base is free.' }]);
    await vi.waitFor(async () => expect(await running()).toEqual({ status: false, memory: null }));
    for (const path of ['up', 'down'])
      expect((await service.post(`/api/v1/models/${path}`, { model: 'nobody' })).json()).toMatchObject({
        error: { param: 'model', code: 'model_not_found' },
      });
    expect((await service.askSigned('/api/v1/models/running')).status).toBe(400);
    expect((await service.askSigned('/api/v1/models/running?model=nobody')).status).toBe(404);
  });
});

describe('a start', () => {
  it('is made exactly once for a key, also by two requests at the same time', async () => {
    const headers = { 'Idempotency-Key': 'click-1' };
    const [one, two] = await Promise.all([
      service.post(CREATE, toJob(), headers),
      service.post(CREATE, { ...toJob(), further: 'ignored' }, headers),
    ]);
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.json()).toEqual(one.json());
    expect((await service.post(CREATE, toJob(), headers)).json()).toEqual(one.json());
    const other = await service.post(CREATE, toJob({ n_epochs: 2 }), headers);
    expect(other.status).toBe(409);
    expect(other.json()).toMatchObject({ error: { param: 'Idempotency-Key', code: 'idempotency_key_reused' } });
    const { job_id } = one.json() as { job_id: string };
    const made = await service.post(`/api/v1/studio/jobs/${job_id}/duplicate`, {}, { 'Idempotency-Key': 'again-1' });
    expect(made.status).toBe(201);
    expect(await get(`/api/v1/public/finetuning/${createdJobSchema.parse(made.json()).job_id}`)).toMatchObject({
      name: 'Script (2)',
      snapshot_id,
      experiments: [{ ...RUN }],
    });
  });

  it('with the key of a job that was deleted makes another job', async () => {
    const headers = { 'Idempotency-Key': 'click-2' };
    const make = async () => createdJobSchema.parse((await service.post(CREATE, toJob(), headers)).json()).job_id;
    const deleted = await make();
    await opened.studio.database.executeSql('update studio.jobs set deleted_at = now() where id = $1', [deleted]);
    const made = await make();
    expect(made).not.toBe(deleted);
    expect(await make()).toBe(made);
  });

  it.each([
    ['an unknown snapshot', {}, { snapshot_id: UNKNOWN_ID }, 404, 'snapshot_id'],
    ['an unknown base', { base_model_id: 'gpt-9' }, {}, 400, 'experiments[0].base_model_id'],
    ['a base that would learn nothing', { base_model_id: 'smollm-135m' }, {}, 400, 'experiments[0].base_model_id'],
    ['no rate', { learning_rate_multiplier: 0 }, {}, 400, 'experiments[0].learning_rate_multiplier'],
    ['too many epochs', { n_epochs: 11 }, {}, 400, 'experiments[0].n_epochs'],
    ['an eta of 5', {}, { studio: { halving: { eta: 5 } } }, 400, 'studio.halving.eta'],
    ['a first share of nothing', {}, { studio: { halving: { min_share: 0 } } }, 400, 'studio.halving.min_share'],
    ['a misspelt wish', {}, { studio: { halvng: {} } }, 400, 'studio'],
    ['halving of one run', {}, { studio: { halving: {} } }, 400, 'studio.halving.eta'],
    ['no experiments', {}, { experiments: [] }, 400, 'experiments'],
    ['10,000 experiments', {}, { experiments: Array.from({ length: 10_000 }, () => RUN) }, 400, 'experiments'],
    [
      'an unknown run to go on from',
      { refinetune_from_experiment_id: UNKNOWN_ID },
      {},
      404,
      'experiments[0].refinetune_from_experiment_id',
    ],
  ])('of %s is refused', async (_what, more, job, status, param) => {
    const answer = await service.post(CREATE, toJob(more, job));
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { param } });
  });

  it('needs ten training rows', async () => {
    await opened.studio.database.executeSql('update studio.snapshots set training_count = 9 where id = $1', [
      snapshot_id,
    ]);
    const answer = await service.post(CREATE, toJob());
    await opened.studio.database.executeSql('update studio.snapshots set training_count = 2200 where id = $1', [
      snapshot_id,
    ]);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { code: 'too_few_rows', message: expect.stringMatching(/has 9 training rows.*at least 10/) as string },
    });
  });

  it.each(['two words', 'x'.repeat(201)])('with the key %j is refused', async (key) => {
    const answer = await service.post(CREATE, toJob(), { 'Idempotency-Key': key });
    expect(answer.json()).toMatchObject({ error: { code: 'invalid_request', param: 'Idempotency-Key' } });
  });
});

it('what would run is said before a start, as the job file will have it', async () => {
  const answer = await service.post('/api/v1/studio/training/preview', toJob({ n_epochs: 2, lora: false }));
  expect(answer.status).toBe(200);
  const { runs } = trainingPreviewSchema.parse(answer.json());
  expect(runs).toHaveLength(1);
  const job = trainerJobSchema.parse(JSON.parse(runs[0]?.job ?? ''));
  expect(job).toMatchObject({ training_type: 'full', n_epochs: 2, lora: null, base: { id: RUN.base_model_id } });
  const { runId } = await create({ n_epochs: 2, lora: false });
  const { job: text, command } = await get(`/api/v1/studio/experiments/${runId}/command`);
  const { experiment_id, seed, ...same } = trainerJobSchema.parse(JSON.parse(String(text)));
  const expected = JSON.stringify({ ...same, experiment_id: job.experiment_id, seed: 0 }).replaceAll(
    experiment_id,
    job.experiment_id,
  );
  expect(JSON.parse(expected)).toEqual(job);
  expect(seed).toBeGreaterThan(0);
  expect((command as string[]).slice(0, -1)).toEqual(runs[0]?.command.slice(0, -1));
  await service.post(`/api/v1/studio/experiments/${runId}/cancel`, {});
  expect((await service.post('/api/v1/studio/training/preview', { snapshot_id })).status).toBe(400);
});

describe('a run', () => {
  it('goes on from another one, whose model it gets', async () => {
    const first = await create();
    const second = await create({ refinetune_from_experiment_id: first.runId });
    const job = await until(`/api/v1/public/finetuning/${second.jobId}`, 'completed');
    expect(job['experiments']).toMatchObject([{ refinetune_from_experiment_id: first.runId, status: 'succeeded' }]);
    const { job: file } = await get(`/api/v1/studio/experiments/${second.runId}/command`);
    expect(file).toContain(`ft-support-base-${first.runId.slice(0, 8)}.gguf`);
  }, 40_000);

  it('has progress, a log and a place in the queue; what ended can not be ended', async () => {
    const { jobId, runId } = await create();
    await until(`/api/v1/public/finetuning/${jobId}`, 'completed');
    const path = `/api/v1/studio/experiments/${runId}`;
    expect(await get(`${path}/progress?since=39`)).toMatchObject({
      status: 'succeeded',
      step: 40,
      points: [{ step: 40 }],
    });
    expect(await get(`${path}/log?from=2`)).toMatchObject({ from: 2 });
    expect(await get('/api/v1/studio/training')).toMatchObject({ trainer: { name: 'the test trainer' } });
    const tagged = await service.askSigned(`${path}/progress`);
    const headers = { 'If-None-Match': tagged.headers.etag ?? '' };
    expect((await service.askSigned(`${path}/progress`, { headers })).status).toBe(304);
    for (const action of ['cancel', 'stop', 'resume'])
      expect((await service.post(`${path}/${action}`, {})).status).toBe(409);
    expect((await service.post(`/api/v1/studio/jobs/${jobId}/cancel`, {})).status).toBe(409);
    expect((await put('/api/v1/studio/training/queue', { experiment_ids: [runId] })).status).toBe(409);
    expect((await put('/api/v1/studio/training/queue', { experiment_ids: [] })).status).toBe(400);
  }, 40_000);

  it('has no progress where it was trained elsewhere, which is no failure', async () => {
    const { rows } = await opened.studio.database.executeSql(
      'select id from studio.experiments where id not in (select experiment_id from studio.trainings) limit 1',
    );
    expect(await get(`/api/v1/studio/experiments/${(rows[0] as { id: string }).id}/progress`)).toBeNull();
  });

  it('is cancelled by an answer that says where it stands now', async () => {
    const { runId } = await create({}, { experiments: [RUN] });
    const answer = await service.post(`/api/v1/studio/experiments/${runId}/cancel`, {});
    expect(answer.status).toBe(200);
    expect(progressSchema.parse(answer.json())).toMatchObject({ experiment_id: runId, points: [] });
    await until(`/api/v1/studio/experiments/${runId}/progress`, 'stopped');
  }, 40_000);

  it('whose file lost too much says so, and is not starred', async () => {
    const { jobId, runId } = await create();
    await until(`/api/v1/public/finetuning/${jobId}`, 'completed');
    const star = (is_starred: boolean, revision: number) =>
      put(`/api/v1/studio/notes/${runId}`, {
        name: null,
        tags: [],
        is_starred,
        is_archived: false,
        text: 'Seen.',
        revision,
      });
    const keep = (parity: object) =>
      opened.studio.database.executeSql(
        `update studio.experiments set settings = settings || jsonb_build_object('parity', $1::jsonb) where id = $2`,
        [JSON.stringify(parity), runId],
      );
    await keep(PARITY);
    const progress = await get(`/api/v1/studio/experiments/${runId}/progress`);
    expect(progress).toMatchObject({ parity: PARITY });
    const refused = await star(true, 0);
    expect(refused.status).toBe(409);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'export_lost_answers',
        param: 'is_starred',
        message: expect.stringMatching(/can't be starred\..*90 % of 50.*98 % were before.*Train it again/) as string,
      },
    });
    // Words about it are kept all the same, and a file that lost nothing is starred.
    expect((await star(false, 0)).status).toBe(200);
    await keep({ ...PARITY, formats: [{ ...PARITY.formats[0], is_refused: false }] });
    expect((await star(true, 1)).status).toBe(200);
  }, 40_000);

  it.each([
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/progress`, 404],
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/log`, 404],
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/command`, 404],
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/take-away`, 404],
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/files/a.gguf`, 404],
    ['GET', '/api/v1/studio/experiments/7/files/a.gguf', 400],
    ['POST', `/api/v1/studio/experiments/${UNKNOWN_ID}/cancel`, 404],
    ['POST', `/api/v1/studio/jobs/${UNKNOWN_ID}/cancel`, 404],
    ['POST', `/api/v1/studio/jobs/${UNKNOWN_ID}/duplicate`, 404],
    ['GET', '/api/v1/studio/experiments/7/progress', 400],
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/progress?since=-1`, 400],
    ['GET', `/api/v1/studio/experiments/${UNKNOWN_ID}/log?from=x`, 400],
  ])('%s %s: %d', async (method, path, status) => {
    const headers = { 'Content-Type': 'application/json' };
    expect((await service.askSigned(path, method === 'GET' ? {} : { method, headers, body: '{}' })).status).toBe(
      status,
    );
  });
});

it('a run for machines that can not reach the studio is refused before anything is placed', async () => {
  const answer = await service.post(CREATE, toJob({}, { studio: { launcher: 'far' } }));
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    {
      error: {
        code: 'unreachable_studio',
        param: 'studio.launcher',
        message: expect.stringMatching(
          /^The launcher far places .* at http:\/\/127\.0\.0\.1:\d+\. Start the studio/,
        ) as string,
      },
    },
  ]);
});
