// The server of the pollers benchmark, as a process of its own: a tree of 100,000 nodes that changes once a second.
// `ours`: the studio's own routes and reader. `plain`: each request reads, writes and hashes the tree.
// `ready`: the compressed bytes lie in memory, without a database: what the sending alone costs.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import { sendTagged } from '#service/http/etag.ts';
import type { OpenStreams } from '#service/http/openStreams.ts';
import { sendJson, type Route } from '#service/http/route.ts';
import { openTestEngine } from '#service/http/testEngine.fixture.ts';
import { openTestService, PROJECT_ID } from '#service/http/testService.fixture.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { openPostgres } from '#service/database/openPostgres.ts';
import { migrate, readMigrations } from '#service/database/migrate.ts';
import { openProjectReader } from '#features/projects/server/projects.ts';

const [mode = 'ours', databaseUrl = ''] = process.argv.slice(2);
/** 90 datasets of 10 snapshots of 10 jobs of 10 experiments: 99,991 nodes with the project. */
const DATASETS = 90;
const CHANGE_MS = 1_000;

const SEED = `
  delete from studio.projects where id = '${PROJECT_ID}';
  insert into studio.projects values ('${PROJECT_ID}', 'Bench', now());
  insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
    select gen_random_uuid(), '${PROJECT_ID}', n, 'Dataset ' || n, 'completed', 100, now() from generate_series(0, ${DATASETS - 1}) n;
  insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
    select gen_random_uuid(), datasets.id, n, 'Snapshot ' || n, 100, 90, 10, now() from studio.datasets, generate_series(1, 10) n
    where project_id = '${PROJECT_ID}';
  insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
    select gen_random_uuid(), snapshots.id, n, 'Job ' || n, 'processing', false, now()
    from studio.snapshots join studio.datasets on datasets.id = dataset_id, generate_series(1, 10) n where project_id = '${PROJECT_ID}';
  insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size, learning_rate_multiplier, created_at)
    select gen_random_uuid(), jobs.id, n, 'Experiment ' || n, 'running', 'qwen3-0.6b', true, 3, 8, 0.0002, now()
    from studio.jobs join studio.snapshots on snapshots.id = snapshot_id join studio.datasets on datasets.id = dataset_id, generate_series(1, 10) n
    where project_id = '${PROJECT_ID}';`;

const folder = mkdtempSync(join(tmpdir(), 'model-studio-pollers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const database = databaseUrl === '' ? await openEmbedded(folder) : await openPostgres(databaseUrl, () => undefined);
await migrate(database, await readMigrations());
await database.applyScript(SEED);
const { rows } = await database.executeSql(
  `select experiments.id from studio.experiments join studio.jobs on jobs.id = job_id join studio.snapshots on snapshots.id = snapshot_id
   join studio.datasets on datasets.id = dataset_id where project_id = '${PROJECT_ID}' order by experiments.id`,
);
const ids = rows.map((row) => (row as { id: string }).id);

const nothing = (): Promise<never> => Promise.reject(new Error('The benchmark asks for trees only.'));

function toOurs(streams: OpenStreams): readonly Route[] {
  const studio = {
    listProjects: nothing,
    findProject: openProjectReader(database.orm),
    findJob: nothing,
    findRecommendation: nothing,
    generateRecommendation: nothing,
    findRows: nothing,
    findRowErrors: nothing,
    chooseMainMeasure: nothing,
    listNotes: nothing,
    saveNote: nothing,
    listModelFiles: nothing,
    findExamples: nothing,
    checkDatabase: nothing,
    close: async () => undefined,
  };
  const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
  return toLocalRoutes({ studio, engine: openTestEngine(), streams, now: Date.now, random, report: () => undefined });
}

const toPlain = (): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/v1/public/projects/{projectId}',
    async handle(context) {
      const project = await openProjectReader(database.orm)(PROJECT_ID);
      return sendTagged(JSON.stringify({ project }), context.req.header('If-None-Match'));
    },
  },
];

let version = 0;
const ready =
  mode === 'ready'
    ? gzipSync(JSON.stringify({ project: await openProjectReader(database.orm)(PROJECT_ID) }), { level: 3 })
    : Buffer.alloc(0);
const toReady = (): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/v1/public/projects/{projectId}',
    handle: (context) => {
      const tagged = sendTagged(ready, context.req.header('If-None-Match'), `"${version}"`);
      if (tagged.status === 200) tagged.headers.set('Content-Encoding', 'gzip');
      return tagged;
    },
  },
];

const MODES: Readonly<Record<string, (streams: OpenStreams) => readonly Route[]>> = {
  ours: toOurs,
  plain: toPlain,
  ready: toReady,
};
/** What this process has worked so far: on a busy machine it says more than times do. */
const cpu: Route = { method: 'GET', path: '/api/v1/bench/cpu', handle: () => sendJson(process.cpuUsage()) };
const service = await openTestService({ routes: (streams) => [...(MODES[mode] ?? toOurs)(streams), cpu] });

setInterval(() => {
  version += 1;
  const id = ids[(version * 7919) % ids.length];
  void database.executeSql(
    "update studio.experiments set status = case when status = 'running' then 'succeeded' else 'running' end " +
      `where id = '${id}'`,
  );
}, CHANGE_MS);
process.stdout.write(`${service.port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
