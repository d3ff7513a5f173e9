// Two studios on one real PostgreSQL: both serve the same, a job is done once, and another takes over what a killed one left.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from 'pg';
import type { Job } from '#core/contract/job.ts';
import { openTableTokens } from '#features/access/server/tableTokens.ts';
import { readTokenPlace } from '#features/access/server/tokenPlace.ts';
import { testTokenStore } from '#features/access/server/tokenStores.fixture.ts';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { openOtherServices } from '#app/server/launch/otherServices.ts';
import { toPublicAddress } from '#service/database/openPostgres.ts';
import { openStudio, type OpenedStudio } from '#app/server/openStudio.ts';
import { findBinaries, openRealPostgres, type RealPostgres } from '#service/database/realPostgres.fixture.ts';
import { SAMPLE_PROJECT_ID } from '#features/projects/server/sample.ts';
import { openTestTraining, QUICK, RUN, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { ask } from './askStudio.ts';
import { buildDashboard, startStudio, type StartedStudio } from './startStudio.ts';

const binaries = findBinaries();
if (binaries === null)
  process.stderr.write('Not tested on a real PostgreSQL: there are no binaries for this system.\n');

describe.skipIf(binaries === null)('two studios on one PostgreSQL', () => {
  let folders: TestFolders;
  let postgres: RealPostgres;
  let here: OpenedStudio;
  let there: OpenedStudio;
  const warnings: string[] = [];

  beforeAll(async () => {
    folders = await openTestFolders();
    postgres = await openRealPostgres(binaries ?? '');
    const open = async (): Promise<OpenedStudio> =>
      openStudio({
        dataDir: await folders.empty(),
        sample: true,
        databaseUrl: postgres.url,
        onWarning: (text) => warnings.push(text),
      });
    // At once: one makes the tables and the sample, the other waits for it.
    [here, there] = await Promise.all([open(), open()]);
  }, 240_000);
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await postgres.close();
    await folders.remove();
  });

  it('serve the same tree and rows, made once', async () => {
    const trees = await Promise.all([here, there].map((studio) => studio.findProject(SAMPLE_PROJECT_ID)));
    expect(trees[0]?.children).toHaveLength(4);
    expect(trees[1]).toEqual(trees[0]);
    expect(await here.listProjects()).toHaveLength(1);
    expect(warnings.filter((text) => !text.startsWith('Another Model Studio prepares the database'))).toEqual([]);
    const snapshot = trees[0]?.children[0]?.children[0]?.id ?? '';
    const [own, other] = await Promise.all(
      [here, there].map(async (studio) => {
        const rows = await studio.findRows(snapshot, 'validation');
        const pages: string[] = [];
        for await (const page of rows?.pages ?? []) pages.push(...page);
        return pages;
      }),
    );
    expect(own?.length).toBeGreaterThan(10);
    expect(other).toEqual(own);
  });

  it('see at once what the other changed', async () => {
    const note = { name: 'Sweep', tags: ['keep'], is_starred: false, is_archived: false, text: '', revision: 0 };
    await here.saveNote(SAMPLE_PROJECT_ID, note, 'Anna');
    expect(await there.listNotes()).toMatchObject([{ node_id: SAMPLE_PROJECT_ID, name: 'Sweep', updated_by: 'Anna' }]);
    // A revision that was overtaken elsewhere is refused here.
    expect(await here.saveNote(SAMPLE_PROJECT_ID, { ...note, revision: 7 }, null)).toMatchObject({ kind: 'changed' });
  });

  it('know which models the other has, until it ends', async () => {
    const open = ({ database }: OpenedStudio, models: readonly string[]) =>
      openOtherServices({ database, listOwn: async () => models });
    const [own, other] = [open(here, ['both', 'own']), open(there, ['both', 'its', 'alias'])];
    await Promise.all([own.beat(), other.beat()]);
    const find = (names: readonly string[]) => Promise.all(names.map((name) => own.findServing(name)));
    const name = expect.stringContaining(`process ${process.pid}`) as string;
    expect(await find(['its', 'alias', 'own', 'nobody'])).toEqual([name, name, null, null]);
    expect((await own.listNames()).toSorted()).toEqual(['alias', 'both', 'its']);
    await other.close();
    expect(await find(['its'])).toEqual([null]);
    expect(await own.listNames()).toEqual([]);
    await own.close();
  });

  it('do not count on a service that has said nothing for a minute', async () => {
    const open = ({ database }: OpenedStudio, models: readonly string[] = []) =>
      openOtherServices({ database, listOwn: async () => models });
    const age = (seconds: number) =>
      here.database.executeSql(
        `update studio.leases set until = until - interval '${seconds} seconds' where kind = 'service'`,
      );
    const killed = open(there, ['its']);
    await killed.beat();
    const other = open(here);
    await age(50);
    expect(await other.findServing('its')).not.toBeNull();
    await age(20);
    expect(await other.findServing('its')).toBeNull();
    expect(await other.listNames()).toEqual([]);
    // It only slept, and was forgotten meanwhile.
    await other.beat();
    await killed.beat();
    expect(await other.findServing('its')).not.toBeNull();
    await Promise.all([killed, other].map((each) => each.close()));
  });

  describe('share named tokens, which', () => testTokenStore(() => openTableTokens(here.database)));

  it('compute a recommendation once, though both were asked', async () => {
    const snapshot = (await here.findProject(SAMPLE_PROJECT_ID))?.children[1]?.children[0]?.id ?? '';
    await Promise.all([here, there, here, there].map((studio) => studio.findRecommendation(snapshot)));
    await vi.waitFor(
      async () => expect(await there.findRecommendation(snapshot)).toMatchObject({ status: 'completed' }),
      { timeout: 60_000, interval: 100 },
    );
    expect(await here.findRecommendation(snapshot)).toEqual(await there.findRecommendation(snapshot));
    const { rows } = await here.database.executeSql('select attempts from studio.recommendations');
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  /** A service that is killed while it works: another one goes on with what it did, in the same data folder. */
  describe('a service that is killed', () => {
    const LEASE_SECONDS = 2;
    let killed: StartedStudio;
    let dataDir: string;
    let snapshots: readonly string[];

    beforeAll(async () => {
      dataDir = await folders.empty();
      const tree = await here.findProject(SAMPLE_PROJECT_ID);
      snapshots = tree?.children.flatMap(({ children }) => children.map(({ id }) => id)) ?? [];
      // Only the one that is killed takes jobs until then.
      await Promise.all([here.close(), there.close()]);
      await buildDashboard();
      killed = await startStudio({
        dataDir,
        args: ['--trainer', toTestTrainer('pause').command.join(' ')],
        env: { DATABASE_URL: postgres.url, STUDIO_LEASE_SECONDS: String(LEASE_SECONDS) },
        seconds: 180,
      });
    }, 240_000);
    afterAll(() => killed.stop('SIGKILL'));

    it('says in its data folder where its tokens are, for the command that makes them', async () => {
      expect(await readTokenPlace(dataDir)).toBe(toPublicAddress(postgres.url));
    });

    it('leaves a recommendation and a training to another one, which ends both', async () => {
      const [snapshot = ''] = snapshots;
      const wanted = { snapshot_id: snapshot, name: 'Killed', experiments: [RUN] };
      const { job_id: job } = await ask<{ job_id: string }>(killed, '/api/v1/public/finetuning/create', wanted);
      const run = await vi.waitFor(
        async () => {
          const [first] = (await ask<Job>(killed, `/api/v1/public/finetuning/${job}`)).experiments;
          expect(first).toMatchObject({ status: 'running' });
          return first?.id ?? '';
        },
        { timeout: 60_000, interval: 100 },
      );
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      const read = async (text: string): Promise<object | undefined> => (await client.query<object>(text)).rows[0];
      // Step 10 has a checkpoint; its trainer waits at step 12.
      const training = `select can_resume, step from studio.trainings where experiment_id = '${run}'`;
      await vi.waitFor(async () => expect(await read(training)).toEqual({ can_resume: true, step: 12 }), {
        timeout: 60_000,
        interval: 100,
      });
      // The job reads rows, so it waits for this lock in the middle.
      const holder = new Client({ connectionString: postgres.url });
      await holder.connect();
      await holder.query('begin; lock table studio.row_blocks in access exclusive mode');
      const asked = snapshots.at(-1) ?? '';
      void ask(killed, `/api/v1/public/recommendations/${asked}`).catch(() => undefined);
      const recommendation = `select status, attempts from studio.recommendations where snapshot_id = '${asked}'`;
      await vi.waitFor(async () => expect(await read(recommendation)).toEqual({ status: 'processing', attempts: 1 }), {
        timeout: 60_000,
        interval: 100,
      });
      await killed.stop('SIGKILL');
      await holder.end();
      const next = await openStudio({
        dataDir,
        sample: true,
        databaseUrl: postgres.url,
        leaseMs: LEASE_SECONDS * 1000,
      });
      const trainer = toTestTrainer('pause');
      const times = { ...QUICK, leaseMs: LEASE_SECONDS * 1000 };
      const going = await openTestTraining({ dataDir, trainer, times, studio: next });
      const { status } = await going.until(run, (progress) => progress.status === 'succeeded');
      expect(status).toBe('succeeded');
      const log = (await going.training.findLog(run, 0))?.text ?? '';
      expect(log).toMatch(/begins at step 0\n[^]*begins at step 10\n/);
      await vi.waitFor(async () => expect(await read(recommendation)).toEqual({ status: 'completed', attempts: 2 }), {
        timeout: 60_000,
        interval: 100,
      });
      await going.close();
      await next.close();
      await client.end();
    }, 240_000);
  });
});
