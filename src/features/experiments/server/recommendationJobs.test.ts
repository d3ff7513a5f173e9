import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recommendationSchema, type Recommendation } from '#core/contract/recommendation.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { openStudio, type OpenedStudio } from '#app/server/openStudio.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { toUuid } from '#service/database/uuid.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const [TRIAGE, ORDERS, REPLIES] = ['triage', 'orders', 'replies'].map((name) =>
  toUuid(`support-desk/${name}/snapshot-1`),
) as [string, string, string];
const EMPTY = toUuid('test/empty-snapshot');

const unexpected = (text: string): never => {
  throw new Error(text);
};
const open = (dataDir: string) => openStudio({ dataDir, sample: true, onWarning: unexpected });

const folders = await keepFolders();

/** One more snapshot, which has no rows. */
const addEmpty = ({ database }: Pick<OpenedStudio, 'database'>) =>
  database.executeSql(
    `insert into studio.snapshots select '${EMPTY}', dataset_id, 1, 'Empty', 0, 0, 0, created_at from ` +
      `studio.snapshots where id = '${TRIAGE}'`,
  );

async function settle(studio: Studio, snapshotId: string): Promise<Recommendation> {
  let last: Recommendation | null = null;
  await expect
    .poll(
      async () => {
        last = await studio.findRecommendation(snapshotId);
        return last?.status;
      },
      { timeout: 20_000, interval: 20 },
    )
    .not.toBe('processing');
  return recommendationSchema.parse(last);
}

describe('a recommendation', () => {
  let studio: OpenedStudio;
  const readSql = async (text: string) => (await studio.database.executeSql(text)).rows;
  beforeAll(async () => {
    studio = await open(await folders.withDatabase('sample'));
    await addEmpty(studio);
  });
  afterAll(() => studio.close());

  it('is processing first, then completed, once for any number of callers', async () => {
    const first = await Promise.all(Array.from({ length: 12 }, () => studio.findRecommendation(TRIAGE)));
    for (const answer of first) {
      expect(answer).toEqual({
        snapshot_id: TRIAGE,
        status: 'processing',
        recommended_models: [],
        recommended_experiments: [],
      });
    }
    const done = await settle(studio, TRIAGE);
    expect(done.status).toBe('completed');
    expect(done.recommended_models[0]).toMatchObject({ base_model_id: 'support-base', recommended: true });
    expect(done.recommended_experiments).toHaveLength(5);
    expect(
      await readSql(
        'select attempts, error, body is not null as has_body, finished_at >= started_at as in_order from ' +
          'studio.recommendations',
      ),
    ).toEqual([{ attempts: 1, error: null, has_body: true, in_order: true }]);
    expect(await readSql('select * from studio.leases')).toEqual([]);
  });

  it('is made from the rows of its snapshot', async () => {
    const answers = await Promise.all(
      [TRIAGE, ORDERS, REPLIES].map((id) => studio.findRecommendation(id).then(() => settle(studio, id))),
    );
    expect(
      answers.map(({ recommended_experiments: list }) => [
        list[0]?.lora,
        list[0]?.n_epochs,
        list.at(-1)?.base_model_id,
      ]),
    ).toEqual([
      [false, 3, 'qwen2.5-0.5b'],
      [false, 5, 'qwen3-0.6b'],
      [false, 3, 'llama3.2-1b'],
    ]);
    // The best runs are full ones, at 1.5e-3: a third of it comes next.
    expect(answers.map(({ recommended_experiments: list }) => list[0]?.learning_rate_multiplier)).toEqual([
      5e-4, 5e-4, 5e-4,
    ]);
    expect(answers[0]?.recommended_models[0]?.reason_for_recommendation).toContain('20,000 rows');
  });

  it('fails for a snapshot without rows after all attempts, with its reason kept', async () => {
    await studio.findRecommendation(EMPTY);
    expect(await settle(studio, EMPTY)).toEqual({
      snapshot_id: EMPTY,
      status: 'failed',
      recommended_models: [],
      recommended_experiments: [],
      error: expect.stringContaining('no training rows') as string,
    });
    const [record] = await readSql(
      'select attempts, error, finished_at is not null as is_finished from studio.recommendations ' +
        `where snapshot_id = '${EMPTY}'`,
    );
    expect(record).toEqual({ attempts: 3, error: expect.stringContaining('no training rows'), is_finished: true });
  });
});

describe('after a restart', () => {
  /** Leaves four records behind that are processing, each in another state of affairs. */
  async function leaveUnfinished(): Promise<string> {
    const dataDir = await folders.withDatabase('sample');
    const database = await openEmbedded(dataDir);
    await addEmpty({ database });
    await database.executeSql(`
      update studio.snapshots set rows_end = 300 where rows_end > 300;
      insert into studio.recommendations (snapshot_id, status, job_id, attempts, error, started_at) values
        ('${TRIAGE}', 'processing', '${toUuid('never begun')}', 0, null, now()),
        ('${ORDERS}', 'processing', '${toUuid('cut off')}', 1, null, now()),
        ('${REPLIES}', 'processing', '${toUuid('to be tried again')}', 1, 'No luck.', now()),
        ('${EMPTY}', 'processing', '${toUuid('given up')}', 3, null, now());
      insert into studio.leases (kind, id, owner, until) values
        ('recommendation', '${toUuid('cut off')}', 'a killed process', now() + interval '15 seconds'),
        ('recommendation', '${toUuid('to be tried again')}', null, now() + interval '1 second'),
        ('recommendation', '${toUuid('given up')}', 'a killed process', now() + interval '15 seconds'),
        ('recommendation', '${toUuid('of a record that is gone')}', 'a killed process', now());
      create schema studio_jobs;
      create table studio_jobs.job (id uuid);`);
    await database.close();
    return dataDir;
  }

  it('nothing is processing for ever', async () => {
    const dataDir = await leaveUnfinished();
    const studio = await open(dataDir);
    const settled = await Promise.all([TRIAGE, ORDERS, REPLIES, EMPTY].map((id) => settle(studio, id)));
    expect(settled.map((record) => record.status)).toEqual(['completed', 'completed', 'completed', 'failed']);
    const { rows } = await studio.database.executeSql(
      `select attempts, error from studio.recommendations where snapshot_id = '${EMPTY}'`,
    );
    const left = await studio.database.executeSql(
      "select (select count(*)::integer from studio.leases) as leases, to_regnamespace('studio_jobs') as queue",
    );
    await studio.close();
    expect(rows).toEqual([
      { attempts: 3, error: 'The studio stopped in each of 3 attempts to compute this recommendation.' },
    ]);
    // The queue of an earlier version is gone, too.
    expect(left.rows).toEqual([{ leases: 0, queue: null }]);
  });
});

describe('kill -9', () => {
  /** Runs a studio in a process of its own that asks for recommendations and then waits to be killed. */
  const script = (dataDir: string) => `
    import { openStudio } from ${JSON.stringify(new URL('../../../app/server/openStudio.ts', import.meta.url).href)};
    const studio = await openStudio({ dataDir: ${JSON.stringify(dataDir)}, sample: true });
    for (const id of ${JSON.stringify([TRIAGE, ORDERS, REPLIES])}) process.stdout.write((await studio.findRecommendation(id)).status + '\\n');
    setInterval(() => undefined, 1000);`;

  it('loses nothing that was answered, and the next start goes on with it', async () => {
    const dataDir = await folders.withDatabase('sample');
    const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '--eval', script(dataDir)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: process.cwd(),
    });
    let answers = '';
    for await (const chunk of child.stdout) {
      answers += String(chunk);
      if (answers.split('\n').length > 3) break;
    }
    expect(answers).toBe('processing\nprocessing\nprocessing\n');
    child.kill('SIGKILL');
    if (child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    expect(await readdir(dataDir)).toContain('lock');

    const studio = await open(dataDir);
    expect(await studio.listProjects()).toHaveLength(1);
    const settled = await Promise.all([TRIAGE, ORDERS, REPLIES].map((id) => settle(studio, id)));
    expect(settled.map((record) => record.status)).toEqual(['completed', 'completed', 'completed']);
    const { rows } = await studio.database.executeSql('select sum(row_count)::integer as rows from studio.row_blocks');
    await studio.close();
    expect(rows).toEqual([{ rows: 26_060 }]);
  }, 60_000);
});
