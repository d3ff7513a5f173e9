// Ends the service by SIGKILL at random moments of an upload, single rows, snapshots, recommendations and trainings, and
// looks after each start whether all that was acknowledged is there, nothing is stuck and nothing is left over.
// `KILLS=300 npm run bench -- kills`.
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset } from '#features/datasets/shared/contract/datasets.ts';
import type { RowPage } from '#features/datasets/shared/contract/rows.ts';
import type { Job } from '#core/contract/job.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { fillWithDatabase } from '#service/database/folders.fixture.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { ask, send } from '../askStudio.ts';
import { makeFolder, startStudio, type StartedStudio } from '../startStudio.ts';
import { BASE, createJob, ensure, upload, UPLOADED, work, type Known } from './killsWork.ts';
import { amount } from './short.ts';

const KILLS = Number(process.env['KILLS'] ?? amount(20, 1));
/** A kill comes within so many ms of the start of the work: on a busy machine little happens in a few seconds. */
const WITHIN_MS = Number(process.env['KILLS_WITHIN_MS'] ?? amount(4_000, 500));
/** How long what was begun may take to end after a start, before it counts as stuck. */
const STUCK_MS = 120_000;
const LOOK_MS = 200;
const TRAINER = resolve(import.meta.dirname, '../../src/features/training/server/testTrainer.fixture.mjs');

const readDataset = (studio: StartedStudio, id: string): Promise<Dataset> =>
  ask(studio, `/api/v1/public/datasets/${id}`);

async function check(studio: StartedStudio, known: Known): Promise<void> {
  const { datapoints_count: count, status } = await readDataset(studio, known.dataset);
  ensure(status === 'completed', `the dataset is ${status}`);
  ensure(
    count === known.added || count === known.added + 1,
    `${known.added} rows were acknowledged, ${count} are there`,
  );
  const from = Math.max(0, count - 200);
  const { rows } = await ask<RowPage>(studio, `/api/v1/studio/datasets/${known.dataset}/table?from=${from}&limit=200`);
  ensure(
    rows.length === count - from && rows.every(({ question }, at) => question === `Question ${from + at}`),
    'rows are missing, or not in their order',
  );
  known.added = count;
  for (const { id, rows: total } of known.snapshots.slice(-5)) {
    const page = await ask<RowPage>(studio, `/api/v1/studio/snapshots/${id}/table?limit=1`);
    ensure(page.total === total, `a snapshot of ${total} rows has ${page.total}`);
  }
  for (const id of known.uploaded.slice(-3)) {
    const { datapoints_count: whole, status: state } = await readDataset(studio, id);
    ensure(whole === UPLOADED && state === 'completed', `an upload that was answered is ${state} with ${whole} rows`);
  }
  if (known.sending !== null) {
    const { status: code } = await send(studio, `/api/v1/public/datasets/${known.sending}`);
    // Its answer may have been lost on the way.
    if (code === 200) known.uploaded.push(known.sending);
    else ensure(code === 404, `an upload that was cut off answers ${code}`);
    if (code === 200) ensure((await readDataset(studio, known.sending)).datapoints_count === UPLOADED, 'it is a part');
    known.sending = null;
  }
  await createJob(studio, known);
  for (const id of known.recommended.slice(-5)) {
    const { status } = await ask<{ status: string }>(studio, `/api/v1/public/recommendations/${id}`);
    ensure(status === 'processing' || status === 'completed', `a recommendation is ${status}`);
  }
}

/** Waits until nothing goes on any more. Throws when it takes too long. Returns how the trainings ended. */
async function settle(studio: StartedStudio, known: Known): Promise<ReadonlyMap<string, number>> {
  const until = performance.now() + STUCK_MS;
  const ends = new Map<string, number>();
  async function wait(what: string, hasEnded: () => Promise<boolean>): Promise<void> {
    while (!(await hasEnded())) {
      ensure(performance.now() < until, `${what} is stuck`);
      await sleep(LOOK_MS);
    }
  }
  for (const id of known.recommended)
    await wait(
      'a recommendation',
      async () =>
        (await ask<{ status: string }>(studio, `/api/v1/public/recommendations/${id}`)).status === 'completed',
    );
  for (const id of known.trained)
    await wait('a training', async () => {
      const [run] = (await ask<Job>(studio, `/api/v1/public/finetuning/${id}`)).experiments;
      if (run === undefined || isActiveStatus(run.status)) return false;
      const end = run.failure === undefined ? run.status : `${run.status}: ${run.failure}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      return true;
    });
  return ends;
}

/** The trainers of this folder that still run. */
function countTrainers(dataDir: string): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes(basename(TRAINER)) && command.includes(dataDir);
    } catch {
      return false;
    }
  }).length;
}

const listFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
};

/** What is in the database that belongs to nothing. */
async function countLeftOver(dataDir: string): Promise<number> {
  const database = await openEmbedded(dataDir);
  try {
    const { rows: listed } = await database.executeSql('select file from studio.models');
    const models = listed.map((row) => basename((row as { file: string }).file)).toSorted();
    const files = listFiles(join(dataDir, 'models'));
    ensure(files.join() === models.join(), `models are listed as ${models.join()}, and there are ${files.join()}`);
    const { rows } = await database.executeSql(
      `select (select count(*) from studio.imports)
            + (select count(*) from studio.datasets where status = 'processing')
            + (select count(*) from studio.row_blocks b
               where not exists (select 1 from studio.datasets d where d.id = b.dataset_id)) as count`,
    );
    return Number((rows[0] as { count: unknown }).count);
  } finally {
    await database.close();
  }
}

export async function measureKills(): Promise<void> {
  const dataDir = makeFolder('kills');
  const temporary = makeFolder('kills-temporary');
  await fillWithDatabase(dataDir);
  const args = ['--no-sample', '--trainer', `node ${TRAINER} served 20`];
  args.push('--model', `${BASE}=${toSamplePath('support-base.Q8_0.gguf')}`);
  const start = (): Promise<StartedStudio> => startStudio({ dataDir, args, env: { TMPDIR: temporary }, seconds: 180 });
  let studio = await start();
  try {
    const { project_id: project } = await ask<{ project_id: string }>(studio, '/api/v1/public/projects/create', {
      name: 'Kills',
    });
    const known: Known = {
      project,
      dataset: randomUUID(),
      added: 20,
      snapshots: [],
      recommended: [],
      uploaded: [],
      sending: null,
      trained: [],
      creating: null,
    };
    await upload(studio, project, known.dataset, known.added);
    // Folders that come with the first training.
    for (const name of ['models', 'training']) mkdirSync(join(dataDir, name), { recursive: true });
    const files = listFiles(dataDir).join();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const working = work(studio, known);
      working.catch(() => undefined);
      await sleep(randomInt(WITHIN_MS));
      await studio.stop('SIGKILL');
      await working;
      studio = await start();
      await check(studio, known);
      if (kill % 20 === 19) process.stderr.write(`  ${kill + 1} kills\n`);
      ensure(listFiles(dataDir).join() === files, `files are left: ${listFiles(dataDir).join()}`);
    }
    const ends = await settle(studio, known);
    await studio.stop();
    // The start after the last training has ended sweeps what is left of it.
    await (await start()).stop();
    const left = await countLeftOver(dataDir);
    ensure(left === 0, `${left} records belong to nothing`);
    for (const folder of [join(dataDir, 'training'), temporary])
      ensure(listFiles(folder).length === 0, `${folder} holds ${listFiles(folder).join()}`);
    ensure(countTrainers(dataDir) === 0, 'a trainer runs on');
    const trained = [...ends].map(([end, count]) => `${count} ${end}`).join('; ');
    process.stdout.write(
      `  ${KILLS} kills: ${known.added} single rows, ${known.uploaded.length} uploads of ${UPLOADED} rows, ` +
        `${known.snapshots.length} snapshots and ${known.recommended.length} recommendations were acknowledged, and ` +
        `all are there; trainings: ${trained}; nothing is stuck or left over\n`,
    );
  } finally {
    await studio.stop('SIGKILL');
    for (const folder of [dataDir, temporary]) rmSync(folder, { recursive: true, force: true });
  }
}
