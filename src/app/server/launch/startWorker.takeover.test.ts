// A worker whose service ends goes on at another one on the same database, and no run is done twice.
import { readdir } from 'node:fs/promises';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { toPath } from '#core/contract/path.ts';
import { leaseSchema, type Lease } from '#features/training/shared/worker.ts';
import { TOKEN } from '#service/http/testService.fixture.ts';
import { QUICK, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { runWorker } from '#features/training/server/worker/runWorker.ts';
import {
  createRun,
  openTrainingService,
  readRun,
  untilRun,
  type TrainingService,
} from '#features/training/server/routes/trainingService.fixture.ts';
import { keep, keepFolder } from '#service/files/keep.fixture.ts';

const TIMES = { ...QUICK, leaseMs: 6_000 };
const WANTED = { name: 'gpu-1', is_built_in: false };

const first = await keep(openTrainingService(null, TIMES));
const second = await keep(openTrainingService(null, TIMES, { beside: first }));
const folder = keepFolder();
let ends: (() => Promise<void>)[] = [];
beforeEach(() => async () => {
  for (const end of ends.splice(0)) await end();
});

const create = (): Promise<string> => createRun(first);
const read = (id: string): Promise<TrainingProgress> => readRun(second, id);
const until = (id: string, isWanted: (progress: TrainingProgress) => boolean): Promise<TrainingProgress> =>
  untilRun(second, id, isWanted);
const sql = (text: string) => first.studio.database.executeSql(text);

/** Its service has ended without a word: nothing renews the lease any more. */
const age = (id: string) =>
  sql(
    `update studio.leases set until = clock_timestamp() + interval '2 seconds' where kind = 'training' and id = '${id}'`,
  );

async function lease(): Promise<{ id: string; lease: Lease }> {
  const id = await create();
  return { id, lease: leaseSchema.parse((await first.service.post('/api/v1/studio/workers/lease', WANTED)).json()) };
}
const tell = (service: TrainingService, leaseId: string, from: number, lines: readonly string[]) =>
  service.service.post(`/api/v1/studio/workers/leases/${leaseId}/lines`, { from, lines });
const progress = (step: number): string => JSON.stringify({ type: 'progress', step, loss: 1 / step });

it('asks a worker to try again while its service lives, and takes its run over once that has ended', async () => {
  const { id, lease: held } = await lease();
  const { lease_id: leaseId } = held;
  expect((await tell(first, leaseId, 0, [1, 2, 3].map(progress))).json()).toEqual({ wish: null, next: 3 });
  const refused = await tell(second, leaseId, 3, [progress(4)]);
  expect([refused.status, refused.json()]).toMatchObject([503, { error: { code: 'lease_elsewhere' } }]);
  // The first service may renew the lease in between, as it lives.
  await vi.waitFor(async () => {
    await age(id);
    // Two requests at once make one session.
    const both = await Promise.all([tell(second, leaseId, 3, [progress(4)]), tell(second, leaseId, 3, [])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  }, 10_000);
  expect((await tell(second, leaseId, 4, [progress(5)])).json()).toEqual({ wish: null, next: 5 });
  // What the first service had stored stays, and it hears nothing any more.
  expect((await read(id)).points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5]);
  await vi.waitFor(async () => expect((await tell(first, leaseId, 5, [progress(6)])).status).toBe(503), 10_000);
  expect(await read(id)).toMatchObject({ status: 'running', machine: 'gpu-1' });
  // Nobody else gets it.
  expect((await first.service.post('/api/v1/studio/workers/lease', WANTED)).status).toBe(204);
  const text = String((await second.get(`/api/v1/studio/experiments/${id}/log`))['text']);
  expect(text).toContain('Its service has ended. The one that runs now goes on with it.');
  await second.service.post(`/api/v1/studio/experiments/${id}/cancel`, {});
  await until(id, ({ status }) => status === 'stopped');
  expect((await tell(second, leaseId, 6, [])).status).toBe(409);
  expect((await tell(first, leaseId, 6, [])).status).toBe(409);
}, 60_000);

it('a lease that has run out is given to another worker alone', async () => {
  const { id, lease: held } = await lease();
  await sql(
    `update studio.leases set until = clock_timestamp() - interval '1 second', fence = default
     where kind = 'training' and id = '${id}'`,
  );
  // A file that arrives where the run was before is not kept.
  const late = await first.service.askSigned(
    `${toPath('/api/v1/studio/workers/leases/{leaseId}/output/{name}', [held.lease_id, 'late.bin'])}?kind=checkpoint`,
    {
      method: 'PUT',
      body: 'weights',
      headers: { 'Content-Type': 'application/octet-stream' },
    },
  );
  expect([503, 409]).toContain(late.status);
  expect(await readdir(held.job.output)).toEqual([]);
  const again = leaseSchema.parse((await second.service.post('/api/v1/studio/workers/lease', WANTED)).json());
  expect(again.experiment_id).toBe(id);
  expect(again.lease_id).not.toBe(held.lease_id);
  await vi.waitFor(async () => expect((await tell(first, held.lease_id, 0, [])).status).toBe(409), 10_000);
  await second.service.post(`/api/v1/studio/experiments/${id}/cancel`, {});
  await until(id, ({ status }) => status === 'stopped');
}, 60_000);

it('a worker trains on while its service ends, behind one address, and its run is done once', async () => {
  const third = await openTrainingService(null, TIMES, { beside: first });
  const id = await create();
  // A balancer: what it passes on goes to the service that is there.
  let target = third;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    fetch(input.replace(/^http:\/\/balancer\.test/, target.service.origin), init),
  );
  const stopping = new AbortController();
  const said: string[] = [];
  const done = runWorker({
    studio: new URL('http://balancer.test'),
    token: TOKEN,
    name: 'gpu-2',
    command: toTestTrainer('train', 100).command,
    isBuiltIn: false,
    dataDir: folder,
    report: (line) => void said.push(line),
    once: null,
    stopping: stopping.signal,
    pollMs: 200,
    tickMs: 200,
  });
  ends.push(async () => {
    stopping.abort();
    await done;
    vi.unstubAllGlobals();
  });
  await until(id, ({ step, checkpoints }) => step >= 12 && checkpoints.length > 0);
  await third.close();
  target = second;
  const ended = await until(id, ({ status }) => status === 'succeeded');
  expect(ended.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  const text = String((await second.get(`/api/v1/studio/experiments/${id}/log`))['text']);
  expect(text.match(/begins at step/g)).toEqual(['begins at step']);
  expect(text).toContain('Its service has ended. The one that runs now goes on with it.');
  stopping.abort();
  await done;
  expect(said).toEqual([`Trains ${id}, from support-base.`, `${id}: it has ended.`]);
}, 90_000);
