// Ends the service by SIGKILL at random moments of an upload, single rows and snapshots, and looks after each start whether
// all that was acknowledged is there, nothing is stuck and nothing is left over. `KILLS=300 npm run bench -- kills`.
import { once } from 'node:events';
import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDatapointPath, DATA_ROUTES, datasetPath, rowTablePath } from '#shared/contract/data/dataRoutes.ts';
import type { Dataset } from '#shared/contract/data/datasets.ts';
import type { RowPage } from '#shared/contract/data/rows.ts';
import { fillWithDatabase } from '#server/studio/folders.fixture.ts';
import { openEmbedded } from '#server/studio/openEmbedded.ts';
import { makeFolder, startStudio, type StartedStudio } from '../startStudio.ts';

const KILLS = Number(process.env['KILLS'] ?? 20);
/** A kill comes within so many ms of the start of the work. */
const WITHIN_MS = 4_000;
const UPLOADED = 5_000;
const BOUNDARY = 'kills-boundary';

interface Known {
  project: string;
  /** Of the rows that are added one by one. */
  dataset: string;
  /** Numbers of rows whose answer came; the next one may be there or not. */
  added: number;
  readonly snapshots: { readonly id: string; readonly rows: number }[];
  readonly uploaded: string[];
  /** The upload that was under way. */
  sending: string | null;
}

const toRow = (number: number) => ({
  messages: [
    { role: 'user', content: `Question ${number}` },
    { role: 'assistant', content: `Answer ${number}` },
  ],
});

function ensure(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

async function send(studio: StartedStudio, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(studio.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${studio.token}`, ...init.headers },
  });
}

/** The answer of a request; throws for a status that is no success. */
async function ask<Answer>(studio: StartedStudio, path: string, body?: object): Promise<Answer> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await send(studio, path, body && json);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function upload(studio: StartedStudio, project: string, id: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) => JSON.stringify(toRow(at))).join('\n');
  const fields = Object.entries({ name: 'Uploaded', project_id: project, dataset_id: id }).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = 'Content-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n';
  const response = await send(studio, DATA_ROUTES.createDataset, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${fields.join('')}--${BOUNDARY}\r\n${head}${lines}\r\n--${BOUNDARY}--\r\n`,
  });
  if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);
}

/** Works until the service is gone. Each piece that was answered is written down in `known`. */
async function work(studio: StartedStudio, known: Known): Promise<void> {
  const isGone = (): boolean => studio.process.exitCode !== null || studio.process.signalCode !== null;
  async function repeat(step: () => Promise<void>): Promise<void> {
    try {
      for (;;) await step();
    } catch (error) {
      // A connection that breaks is what is wanted; a refusal is not.
      if (!(error instanceof TypeError)) throw error;
      if (!isGone()) await once(studio.process, 'exit');
    }
  }
  await Promise.all([
    repeat(async () => {
      await ask(studio, addDatapointPath(known.dataset), toRow(known.added));
      known.added += 1;
    }),
    repeat(async () => {
      const id = randomUUID();
      known.sending = id;
      await upload(studio, known.project, id, UPLOADED);
      known.uploaded.push(id);
      known.sending = null;
    }),
    repeat(async () => {
      const { snapshot_id: id } = await ask<{ snapshot_id: string }>(studio, DATA_ROUTES.createSnapshot, {
        dataset_id: known.dataset,
      });
      const { total } = await ask<RowPage>(studio, rowTablePath({ kind: 'snapshot', id }, { limit: 1 }));
      known.snapshots.push({ id, rows: total });
    }),
  ]);
}

const readDataset = (studio: StartedStudio, id: string): Promise<Dataset> => ask(studio, datasetPath(id));

async function check(studio: StartedStudio, known: Known): Promise<void> {
  const { datapoints_count: count, status } = await readDataset(studio, known.dataset);
  ensure(status === 'completed', `the dataset is ${status}`);
  ensure(
    count === known.added || count === known.added + 1,
    `${known.added} rows were acknowledged, ${count} are there`,
  );
  const from = Math.max(0, count - 200);
  const { rows } = await ask<RowPage>(
    studio,
    rowTablePath({ kind: 'dataset', id: known.dataset }, { from, limit: 200 }),
  );
  ensure(
    rows.length === count - from && rows.every(({ question }, at) => question === `Question ${from + at}`),
    'rows are missing, or not in their order',
  );
  known.added = count;
  for (const { id, rows: total } of known.snapshots.slice(-5)) {
    const page = await ask<RowPage>(studio, rowTablePath({ kind: 'snapshot', id }, { limit: 1 }));
    ensure(page.total === total, `a snapshot of ${total} rows has ${page.total}`);
  }
  for (const id of known.uploaded.slice(-3)) {
    const { datapoints_count: whole, status: state } = await readDataset(studio, id);
    ensure(whole === UPLOADED && state === 'completed', `an upload that was answered is ${state} with ${whole} rows`);
  }
  if (known.sending !== null) {
    const { status: code } = await send(studio, datasetPath(known.sending));
    // Its answer may have been lost on the way.
    if (code === 200) known.uploaded.push(known.sending);
    else ensure(code === 404, `an upload that was cut off answers ${code}`);
    if (code === 200) ensure((await readDataset(studio, known.sending)).datapoints_count === UPLOADED, 'it is a part');
    known.sending = null;
  }
}

/** What is in the database that belongs to nothing. */
async function countLeftOver(dataDir: string): Promise<number> {
  const database = await openEmbedded(dataDir);
  try {
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
  await fillWithDatabase(dataDir);
  const start = (): Promise<StartedStudio> => startStudio({ dataDir, args: ['--no-sample'], seconds: 180 });
  try {
    let studio = await start();
    const { project_id: project } = await ask<{ project_id: string }>(studio, DATA_ROUTES.createProject, {
      name: 'Kills',
    });
    const known: Known = { project, dataset: randomUUID(), added: 1, snapshots: [], uploaded: [], sending: null };
    await upload(studio, project, known.dataset, 1);
    const files = readdirSync(dataDir).toSorted().join();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const working = work(studio, known);
      working.catch(() => undefined);
      await sleep(randomInt(WITHIN_MS));
      await studio.stop('SIGKILL');
      await working;
      studio = await start();
      await check(studio, known);
      ensure(readdirSync(dataDir).toSorted().join() === files, `files are left: ${readdirSync(dataDir).join()}`);
    }
    await studio.stop();
    const left = await countLeftOver(dataDir);
    ensure(left === 0, `${left} records belong to nothing`);
    process.stdout.write(
      `  ${KILLS} kills: ${known.added} single rows, ${known.uploaded.length} uploads of ${UPLOADED} rows and ` +
        `${known.snapshots.length} snapshots were acknowledged, and all are there; nothing is left over\n`,
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
