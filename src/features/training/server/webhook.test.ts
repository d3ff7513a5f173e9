// Ends of runs as a program of the operator hears of them: a studio without a trainer, and a server that answers what a test says.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { beforeEach, expect, it, vi } from 'vitest';
import { DIVERGED } from '#features/projects/server/statusCause.ts';
import { changeStatus, type Results } from './jobStates.ts';
import { openTestTraining, type TestTraining } from './testTraining.fixture.ts';
import { keep, listen } from '#service/files/keep.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

interface Told {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

const told: Told[] = [];
/** What the next ones are answered, then 204. 0: the connection is cut. */
let answers: number[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    told.push({ path: request.url ?? '', headers: request.headers, body, at: performance.now() });
    const status = answers.shift() ?? 204;
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { Location: '/elsewhere' });
    response.end();
  });
});
const url = `${await listen(server)}/hook`;
const { dataDir, studio } = await keepSample();
await (await openTestTraining({ dataDir, studio, trainer: null })).close();

const open = async (webhook: { retryMs: number } | null = { retryMs: 5 }, own = studio): Promise<TestTraining> => {
  const options = webhook && { ...webhook, url, key: Buffer.from('secret'), studio: () => 'http://studio', pollMs: 5 };
  return keep(openTestTraining({ dataDir, trainer: null, studio: own, webhook: options }));
};

async function end(test: TestTraining, reason = 'It broke.', results: Results = {}): Promise<string> {
  const [id = ''] = await test.runsOf(await test.create());
  await test.studio.database.orm.transaction((orm) =>
    changeStatus(orm, id, { status: 'failed', reason, results }, new Date()),
  );
  return id;
}

const until = (count: number) => vi.waitFor(() => expect(told.length).toBe(count), { timeout: 5_000, interval: 5 });

beforeEach(() => {
  told.length = 0;
  answers = [];
});

it('an end is told once, signed, with what the run is and where it is shown', async () => {
  const test = await open();
  const held_out = { last_loss: 9, politeness: 3 };
  const id = await end(test, `${DIVERGED}its loss was lost.`, { held_out });
  await until(1);
  const { headers, body, path } = told[0]!;
  expect(path).toBe('/hook');
  expect(JSON.parse(body)).toEqual({
    event: 'run.diverged',
    project: { id: expect.any(String) as string, name: expect.any(String) as string },
    run: expect.objectContaining({ id, base_model_id: 'support-base', model_id: null }) as object,
    state: 'failed',
    reason: `${DIVERGED}its loss was lost.`,
    measures: expect.objectContaining({ last_loss: null, politeness: 3 }) as object,
    url: expect.stringMatching(new RegExp(`^http://studio/\\?project=[\\w-]+&node=${id}$`)) as string,
  });
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', 'secret').update(signed).digest('base64')}`);
  const [waiting = ''] = await test.runsOf(await test.create());
  await test.training.endRun(waiting, 'cancel');
  await until(2);
  expect(JSON.parse(told[1]?.body ?? '')).toMatchObject({ event: 'run.stopped', run: { id: waiting } });
});

it('each run of a cancelled job is told, and each end of a run under an id of its own', async () => {
  const test = await open();
  const jobId = await test.create();
  const runs = await test.runsOf(jobId);
  await test.studio.database.executeSql('update studio.trainings set can_resume = true');
  for (const id of runs) await test.training.endRun(id, 'stop');
  await until(runs.length);
  for (const id of runs) await test.training.resumeRun(id);
  await test.training.cancelJob(jobId);
  await until(2 * runs.length);
  expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(told.length);
});

it('an end that nobody takes is told again under the same id, and no redirect is followed', async () => {
  const test = await open();
  answers = [500, 302, 0];
  await end(test);
  await until(4);
  expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(told.map(({ path }) => path))).toEqual(new Set(['/hook']));
});

it('after five tries the log of the run and that of the studio say why', async () => {
  const test = await open({ retryMs: 1 });
  answers = Array.from({ length: 9 }, () => 503);
  const id = await end(test);
  const text = 'The webhook was not told that this run has ended, in 5 tries: it answers 503.';
  await vi.waitFor(async () => expect((await test.training.findLog(id, 0))?.text).toContain(text), 5_000);
  expect(test.log.join('\n')).toContain(text);
  expect(told).toHaveLength(5);
});

it('what was not told is told after the next start, no sooner than was due, and forgotten where nothing is to be told', async () => {
  const before = await open({ retryMs: 400 });
  answers = [500];
  const id = await end(before);
  await until(1);
  await before.close();
  const after = await open();
  await until(2);
  expect(told[1]?.body).toContain(id);
  expect((told[1]?.at ?? 0) - (told[0]?.at ?? 0)).toBeGreaterThanOrEqual(400);
  await after.close();
  const silent = await open(null);
  await end(silent);
  await silent.close();
  const last = await open();
  const seen = await end(last);
  await until(3);
  expect(told[2]?.body).toContain(seen);
});

it('a service without a webhook leaves ends of the last day to another one on its database', async () => {
  const silent = await open(
    null,
    Object.assign(Object.create(studio) as typeof studio, {
      database: { ...studio.database, isShared: true },
    }),
  );
  const old = await end(silent);
  await studio.database.executeSql(
    "update studio.trainings set ended_at = now() - interval '25 hours' where experiment_id = $1",
    [old],
  );
  const id = await end(silent);
  await silent.close();
  await open();
  await until(1);
  expect(told[0]?.body).toContain(id);
});
