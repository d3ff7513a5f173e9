// The studio on a PostgreSQL that goes away, freezes and comes back. The server is the embedded database on a port.
import { describe, expect, it, vi } from 'vitest';
import { openStudio, type OpenedStudio } from '#app/server/openStudio.ts';
import { SAMPLE_PROJECT_ID } from '#features/projects/server/sample.ts';
import { openTestPostgres } from './postgres.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

/** A job that was cut off runs again after a lease. */
const LEASE_MS = 2_000;

const warnings: string[] = [];
const open = async (onWarning: (text: string) => void): Promise<OpenedStudio> =>
  openStudio({ dataDir: await folders.empty(), sample: true, databaseUrl: postgres.url, onWarning, leaseMs: LEASE_MS });

const folders = await keepFolders();
const postgres = await keep(openTestPostgres(`${await folders.withDatabase('sample')}/database`));
const studio = await keep(open((text) => warnings.push(text)));

const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  listProjects: () => studio.listProjects(),
  findProject: () => studio.findProject(SAMPLE_PROJECT_ID),
  findJob: () => studio.findJob(SAMPLE_PROJECT_ID),
  findRecommendation: () => studio.findRecommendation(SAMPLE_PROJECT_ID),
  findExamples: () => studio.findExamples('support-base'),
  checkDatabase: () => studio.checkDatabase(),
};

async function expectUnavailable(reason: RegExp): Promise<void> {
  await Promise.all(
    Object.entries(READS).map(async ([name, read]) => {
      const error: unknown = await read().then(
        () => `${name} answered`,
        (thrown: unknown) => thrown,
      );
      expect(error, name).toMatchObject({
        name: 'DatabaseUnavailable',
        message: expect.stringMatching(reason) as string,
      });
      expect((error as Error).message).not.toContain('secret');
    }),
  );
}

async function expectAnswers(): Promise<void> {
  await vi.waitFor(() => studio.checkDatabase(), { timeout: 20_000 });
  for (const read of Object.values(READS)) await read();
}

describe('a studio on PostgreSQL', () => {
  it('answers', async () => {
    await expectAnswers();
    expect((await studio.findProject(SAMPLE_PROJECT_ID))?.name).toBe('Support desk');
    expect(await studio.listModelFiles()).toHaveLength(7);
    expect(warnings).toEqual([]);
  });

  it('leaves no transaction open for long in which it has fallen silent: nobody could take over what that has locked', async () => {
    const { rows } = await studio.database.executeSql('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }]);
  });

  it('says that a server is gone, keeps its models, and goes on by itself', async () => {
    await postgres.stop();
    await expectUnavailable(/ECONNREFUSED|Connection terminated/);
    expect(await studio.listModelFiles()).toHaveLength(7);
    await postgres.start();
    await expectAnswers();
    expect(warnings.splice(0)).toEqual([
      expect.stringMatching(
        /^PostgreSQL at 127\.0\.0\.1:\d+\/studio does not answer \(.+\)\. The studio goes on by itself/,
      ),
      expect.stringMatching(/answers again\.$/),
    ]);
  });

  it('does not wait for a server that takes questions and gives no answers', async () => {
    postgres.freeze();
    await expectUnavailable(/no answer within|connection timeout|timeout e/);
    expect(await studio.listModelFiles()).toHaveLength(7);
    postgres.thaw();
    await expectAnswers();
    expect(warnings.splice(0)).toHaveLength(2);
  });

  it('finishes a recommendation that was begun before the server went away', async () => {
    // The largest dataset: its recommendation is not ready before the server is gone.
    const [dataset] = (await studio.findProject(SAMPLE_PROJECT_ID))?.children ?? [];
    const snapshot = dataset?.children[0]?.id ?? '';
    expect(await studio.findRecommendation(snapshot)).toMatchObject({ status: 'processing' });
    await postgres.stop();
    await postgres.start();
    await vi.waitFor(
      async () => expect(await studio.findRecommendation(snapshot)).toMatchObject({ status: 'completed' }),
      { timeout: 100_000, interval: 200 },
    );
  }, 120_000);

  it('says that a start waits for another one', async () => {
    postgres.isLocked = true;
    const said: string[] = [];
    const second = open((text) => said.push(text));
    await vi.waitFor(() =>
      expect(said).toEqual([expect.stringMatching(/^Another Model Studio prepares the database at .+ Waiting/)]),
    );
    postgres.isLocked = false;
    await (await second).close();
    expect(said).toHaveLength(1);
  });

  it('ends though the server is frozen', async () => {
    const said: string[] = [];
    const second = await open((text) => said.push(text));
    await second.listProjects();
    postgres.freeze();
    // One query waits when the end begins: it is cut off. Its caller's patience never ends here, so that on a busy
    // machine too it is the cut that answers.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const waiting = second.listProjects().catch((error: unknown) => error);
    vi.useRealTimers();
    await second.close();
    // In whose words (pg's, Node's) depends on where the query waited: in the pool, or on its connection.
    expect(await waiting).toMatchObject({
      name: 'DatabaseUnavailable',
      message: expect.not.stringContaining('no answer within') as string,
    });
    postgres.thaw();
    await expectAnswers();
  });
});
