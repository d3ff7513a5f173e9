// A script as the hosted studio's SDK writes it, from the first call to the chat, against the whole local backend.
import { expect, it, vi } from 'vitest';
import { openStreams } from '#service/http/openStreams.ts';
import { openTestService } from '#service/http/testService.fixture.ts';
import { toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { openLocalBackend } from './localBackend.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const log: string[] = [];

const folders = await keepFolders();
const dataDir = await folders.withDatabase('sample');
const backend = await keep(
  openLocalBackend(
    {
      kind: 'local',
      hasSample: true,
      databaseUrl: null,
      engine: null,
      models: [],
      enginePaths: [],
      runs: [],
      threads: null,
      launchers: null,
      evaluators: { allowed: [], token: null },
      gpu: 'off',
      leaseSeconds: null,
      trainer: toTestTrainer().command,
    },
    dataDir,
    {
      streams: openStreams(),
      now: Date.now,
      random: (bytes) => 'r'.repeat(bytes),
      end: () => undefined,
      report: (line) => void log.push(line),
      origin: 'http://127.0.0.1',
      version: '1.2.3',
    },
  ),
);
const service = await keep(openTestService({ routes: () => backend.routes }));

const get = (path: string): Promise<Record<string, unknown>> => service.getJson(path);

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await service.post(path, body, headers);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json() as Record<string, string>;
}

const poll = (path: string, status: string): Promise<Record<string, unknown>> =>
  vi.waitFor(
    async () => {
      const record = await get(path);
      expect(record['status']).toBe(status);
      return record;
    },
    { timeout: 30_000, interval: 250 },
  );

const COLOURS = ['red', 'green', 'blue', 'grey'];
const toRow = (number: number): string => {
  const colour = COLOURS[number % COLOURS.length] ?? '';
  return JSON.stringify({
    messages: [
      { role: 'user', content: `Item ${number} is ${colour}.` },
      { role: 'assistant', content: JSON.stringify({ colour }) },
    ],
  });
};

it('makes a project of its own rows and chats with what was trained on them', async () => {
  const { project_id } = await post('/api/v1/public/projects/create', { name: 'Colours', goal: 'Find the colour.' });
  const form = new FormData();
  form.set('name', 'Items');
  form.set('project_id', project_id ?? '');
  form.set('file', new Blob([Array.from({ length: 60 }, (_, at) => toRow(at)).join('\n')]), 'rows.jsonl');
  const sent = new Response(form);
  const upload = await service.askSigned('/api/v1/public/datasets/create-from-jsonl', {
    method: 'POST',
    body: Buffer.from(await sent.arrayBuffer()),
    headers: { 'Content-Type': sent.headers.get('Content-Type') ?? '' },
  });
  const { dataset_id } = upload.json() as { dataset_id: string };
  expect(await poll(`/api/v1/public/datasets/${dataset_id}`, 'completed')).toMatchObject({ datapoints_count: 60 });
  const { snapshot_id } = await post('/api/v1/public/snapshots/create', { dataset_id, split_percentage: 80 });
  await post('/api/v1/public/recommendations/generate', { snapshot_id });
  const recommendation = await poll(`/api/v1/public/recommendations/${snapshot_id}`, 'completed');
  const offered = recommendation['recommended_experiments'] as { base_model_id: string }[];
  const experiments = offered.filter(({ base_model_id: base }) => base === 'support-base').slice(0, 2);
  expect(experiments.length).toBeGreaterThan(0);

  const key = { 'Idempotency-Key': 'the-first-start' };
  const { job_id } = await post('/api/v1/public/finetuning/create', { snapshot_id, name: 'First', experiments }, key);
  // The answer was lost: the same call again is the same job.
  const again = await post('/api/v1/public/finetuning/create', { snapshot_id, name: 'First', experiments }, key);
  expect(again).toEqual({ job_id });
  const job = await poll(`/api/v1/public/finetuning/${job_id}`, 'completed');
  const runs = job['experiments'] as { id: string; status: string; model_id: string }[];
  expect(runs.map(({ status }) => status)).toEqual(experiments.map(() => 'succeeded'));

  // The tree, the job and the list of models say the same.
  const { project } = await get(`/api/v1/public/projects/${project_id}`);
  const text = JSON.stringify(project);
  for (const { model_id } of runs) expect(text).toContain(`"model_id":"${model_id}"`);
  const { data } = await get('/api/v1/models');
  const models = (data as { id: string }[]).map(({ id }) => id);
  expect(models).toEqual(expect.arrayContaining(runs.map(({ model_id }) => model_id)));

  const model = runs[0]?.model_id ?? '';
  await service.post('/api/v1/models/up', { model });
  expect(await get(`/api/v1/models/running?model=${model}`)).toMatchObject({ status: true, memory: { layers: 5 } });
  const chat = await service.post('/api/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'Item 7 is blue.' }],
    max_completion_tokens: 4,
  });
  expect(chat.json()).toMatchObject({ model, object: 'chat.completion' });

  const curves = await service.post('/api/v1/studio/curves', { runs: runs.map(({ id }) => id), names: ['loss'] });
  expect(curves.json()).toMatchObject({ curves: runs.map(({ id }) => ({ run_id: id, name: 'loss', length: 40 })) });
  expect(log).toEqual([]);
}, 90_000);
