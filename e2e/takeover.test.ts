// Services on one real PostgreSQL of which one loses contact to it, sleeps, or has a wrong clock: nothing is done by two at a
// time, and nothing that goes on is taken away.
import { request } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { openStudio } from '#app/server/openStudio.ts';
import { findBinaries, openRealPostgres, type RealPostgres } from '#service/database/realPostgres.fixture.ts';
import { SAMPLE_PROJECT_ID } from '#features/projects/server/sample.ts';
import { isRunning, RUN, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { ask, askText, send, startRun } from './askStudio.ts';
import { openFreezingProxy } from './freezingProxy.ts';
import { buildDashboard, startStudio, type StartedStudio } from './startStudio.ts';

const binaries = findBinaries();
const LEASE_SECONDS = 10;

/** For a service whose clock is ahead. */
const aheadBy = (seconds: number): string => {
  const script = `const Real=Date;globalThis.Date=class extends/**/Real{constructor(...given){given.length>0?super(...given):super(Real.now()+${seconds}*1000)}static/**/now(){return/**/Real.now()+${seconds}*1000}};`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
};

/** Sends the parts of a form when it is told to. */
function openForm(studio: StartedStudio, path: string, fields: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(studio.origin);
  const sent = request({
    hostname,
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { Authorization: `Bearer ${studio.token}`, 'Content-Type': 'multipart/form-data; boundary=slow' },
  });
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    sent.on('error', (error) => resolve({ status: 0, text: error.message }));
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  const head = Object.entries(fields).map(
    ([name, value]) => `--slow\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  sent.write(`${head.join('')}--slow\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n`);
  return {
    answer,
    write: (bytes: string | Buffer) => void sent.write(bytes),
    end: () => void sent.end('\r\n--slow--\r\n'),
  };
}

const rows = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${JSON.stringify({
        messages: [
          { role: 'user', content: `Question ${at}` },
          { role: 'assistant', content: 'Yes.' },
        ],
      })}\n`,
  ).join('');

describe.skipIf(binaries === null)('services on one PostgreSQL', () => {
  let folders: TestFolders;
  let postgres: RealPostgres;
  let dataDir: string;
  let snapshot: string;

  beforeAll(async () => {
    folders = await openTestFolders();
    postgres = await openRealPostgres(binaries ?? '');
    dataDir = await folders.empty();
    const studio = await openStudio({ dataDir, sample: true, databaseUrl: postgres.url });
    snapshot = (await studio.findProject(SAMPLE_PROJECT_ID))?.children[0]?.children[0]?.id ?? '';
    // The trainer learns nothing, so that few rows are enough.
    await studio.database.executeSql('update studio.snapshots set rows_end = 300 where rows_end > 300');
    await studio.close();
    await buildDashboard();
  }, 240_000);
  afterAll(async () => {
    await postgres.close();
    await folders.remove();
  });

  async function start(
    trainer: readonly string[] | 'none',
    { url = postgres.url, clock }: { url?: string; clock?: string } = {},
  ): Promise<StartedStudio> {
    const studio = await startStudio({
      dataDir,
      args: ['--trainer', trainer === 'none' ? trainer : trainer.join(' ')],
      env: {
        DATABASE_URL: url,
        STUDIO_LEASE_SECONDS: String(LEASE_SECONDS),
        ...(clock !== undefined && { NODE_OPTIONS: clock }),
      },
      seconds: 180,
    });
    onTestFinished(() => void studio.stop('SIGKILL'));
    return studio;
  }

  const createRun = (studio: StartedStudio): Promise<string> => startRun(studio, snapshot, 'Taken over', RUN);
  const readRun = (studio: StartedStudio, id: string): Promise<TrainingProgress> =>
    ask(studio, `/api/v1/studio/experiments/${id}/progress`);
  const until = (studio: StartedStudio, id: string, isWanted: (progress: TrainingProgress) => boolean) =>
    vi.waitFor(
      async () => {
        const progress = await readRun(studio, id);
        expect(isWanted(progress), `${progress.status} at ${progress.step}: ${progress.reason}`).toBe(true);
        return progress;
      },
      { timeout: 60_000, interval: 100 },
    );
  /** What a service may not change that has lost the run. Models of its checkpoints go after its end. */
  const toOutcome = ({ status, reason, step, points, validations }: TrainingProgress) =>
    JSON.stringify([status, reason, step, points, validations]);
  const readLog = async (studio: StartedStudio, id: string): Promise<string> =>
    (await ask<{ text: string }>(studio, `/api/v1/studio/experiments/${id}/log`)).text;
  const readTrainer = (id: string): number =>
    (JSON.parse(readFileSync(join(dataDir, 'training', id, 'process.json'), 'utf8')) as { pid: number }).pid;

  it('a service that loses contact ends its trainer before another may begin, and says nothing any more', async () => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    onTestFinished(() => client.end());
    const proxy = await openFreezingProxy(Number(new URL(postgres.url).port));
    onTestFinished(() => proxy.close());
    const far = new URL(postgres.url);
    far.port = String(proxy.port);
    // It does not listen to SIGTERM, and has saved no other checkpoint when the lease is over.
    const first = await start(toTestTrainer('deaf', 1_300).command, { url: far.href });
    const id = await createRun(first);
    await until(first, id, ({ step }) => step >= 11);
    const pid = readTrainer(id);
    proxy.freeze();
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000, interval: 20 });
    const { rows: left } = await client.query(
      'select until > clock_timestamp() as is_held from studio.leases where id = $1',
      [id],
    );
    expect(left).toEqual([{ is_held: true }]);
    const second = await start(toTestTrainer('train').command);
    const ended = await until(second, id, ({ status }) => status === 'succeeded');
    proxy.thaw();
    // Longer than its questions wait.
    await wait(3_000);
    expect(toOutcome(await readRun(second, id))).toBe(toOutcome(ended));
    expect(ended.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect((await readLog(second, id)).match(/begins at step \d+/g)).toEqual(['begins at step 0', 'begins at step 10']);
    await vi.waitFor(async () => expect((await send(first, '/readyz')).status).toBe(200), { timeout: 30_000 });
  }, 240_000);

  it('a service that slept while another one took its run over changes nothing of it', async () => {
    const first = await start(toTestTrainer('deaf', 300).command);
    const id = await createRun(first);
    await until(first, id, ({ step }) => step >= 11);
    const pid = readTrainer(id);
    const second = await start(toTestTrainer('train').command);
    first.process.kill('SIGSTOP');
    const ended = await until(second, id, ({ status }) => status === 'succeeded');
    // On one machine, what the first one started is ended by the second.
    expect(isRunning(pid)).toBe(false);
    first.process.kill('SIGCONT');
    await vi.waitFor(async () => expect((await send(first, '/readyz')).status).toBe(200), { timeout: 30_000 });
    await wait(3_000);
    expect(toOutcome(await readRun(second, id))).toBe(toOutcome(ended));
    expect((await readLog(second, id)).match(/begins at step \d+/g)).toHaveLength(2);
    expect(await ask(first, '/api/v1/studio/training')).toMatchObject({ running: [], waiting: [] });
  }, 240_000);

  it('a service whose clock is ahead takes nothing away that goes on', async () => {
    const first = await start(toTestTrainer('pause').command);
    const id = await createRun(first);
    await until(first, id, ({ step }) => step >= 12);
    const { project_id } = await ask<{ project_id: string }>(first, '/api/v1/public/projects/create', { name: 'Slow' });
    const place = { name: 'Slow', project_id, dataset_id: '0a0b0c0d-0000-4000-8000-00000000c10c' };
    const whole = new FormData();
    for (const [name, value] of Object.entries({ ...place, dataset_id: '' })) whole.append(name, value);
    whole.append('file', new Blob([rows(20_000)]), 'rows.jsonl');
    await askText(first, '/api/v1/public/datasets/create-from-jsonl', whole);
    const file = Buffer.from(await (await send(first, `/api/v1/studio/projects/${project_id}/export`)).arrayBuffer());
    const upload = openForm(first, '/api/v1/public/datasets/create-from-jsonl', place);
    upload.write(rows(2_000));
    const project = openForm(first, '/api/v1/studio/projects/import', { ids: 'new' });
    project.write(file.subarray(0, file.length / 2));
    await vi.waitFor(
      async () => expect((await send(first, `/api/v1/public/datasets/${place.dataset_id}`)).status).toBe(200),
      20_000,
    );
    const second = await start(toTestTrainer('train').command, { clock: aheadBy(90) });
    await wait(LEASE_SECONDS * 1000);
    upload.write(rows(2_000));
    upload.end();
    project.write(file.subarray(file.length / 2));
    project.end();
    expect(await upload.answer).toMatchObject({ status: 200 });
    expect(await project.answer).toMatchObject({ status: 200 });
    expect((await readLog(second, id)).match(/begins at step \d+/g)).toEqual(['begins at step 0']);
    expect(await readRun(second, id)).toMatchObject({ status: 'running', step: 12 });
    await askText(first, `/api/v1/studio/experiments/${id}/cancel`, {});
    await until(first, id, ({ status }) => status === 'stopped');
  }, 240_000);
});
