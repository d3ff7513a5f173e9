// Opens the local studio: folder, lock, database, tables, sample project, background jobs, in that order.
import { sql } from 'drizzle-orm';
import type { Job } from '#core/contract/job.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { CATALOGUE } from '#features/experiments/server/catalogue.ts';
import { prepareDataFolder } from '#service/database/dataFolder.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { toFullDisk } from '#service/database/disk/freeDisk.ts';
import { giveUpReserve } from '#service/database/disk/reserve.ts';
import { lockFolder } from '#service/database/folderLock.ts';
import { chooseMainMeasure, findJob } from '#features/experiments/server/jobs.ts';
import { readRowErrors } from '#features/experiments/server/rowErrors.ts';
import { loadSample } from '#features/projects/server/loadSample.ts';
import { migrate, readMigrations } from '#service/database/migrate.ts';
import { findExamples, keepLast, listModelFiles, toModelPath } from '#features/projects/server/models.ts';
import { listNotes, saveNote } from '#features/notes/server/notes.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { openPostgres } from '#service/database/openPostgres.ts';
import { moveOldRows } from '#features/datasets/server/rows/moveRows.ts';
import { listProjects, openProjectReader } from '#features/projects/server/projects.ts';
import { openRecommendationJobs, type RecommendationJobs } from '#features/experiments/server/recommendationJobs.ts';
import { recommend } from '#features/experiments/server/recommender.ts';
import { readSnapshotFacts } from '#features/experiments/server/snapshotReader.ts';
import { findRows } from '#features/datasets/server/rows/snapshotRows.ts';
import { type Studio } from '#features/projects/server/studio.ts';
import { StartError } from '#service/database/startError.ts';

export interface StudioOptions {
  readonly dataDir: string;
  /** Loads the sample project into a database that has no project yet. */
  readonly sample: boolean;
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl?: string | null;
  readonly now?: () => Date;
  /** Jobs of other trainers' folders, from which recommendations learn too. */
  readonly listImported?: () => Promise<readonly Job[]>;
  /** Receives trouble in the background that no caller sees; one line each. */
  readonly onWarning?: (text: string) => void;
  /** Called when the embedded database has failed for good: the process is to end. `reason`: for people. */
  readonly onEnd?: ((reason: string) => void) | undefined;
  /** After so long without a word a service has ended, and others go on with its background jobs. */
  readonly leaseMs?: number | undefined;
}

/** How long a check of the database may take. */
const CHECK_MS = 2_000;

type Close = () => Promise<void>;

/** Closes everything in reverse order, and then throws the first failure if there was one. */
async function closeAll(closers: readonly Close[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function openDatabase(options: StudioOptions, closers: Close[]): Promise<Database> {
  const { databaseUrl, onWarning = () => undefined } = options;
  const folder = await prepareDataFolder(options.dataDir);
  if (databaseUrl) {
    const database = await openPostgres(databaseUrl, onWarning);
    closers.push(database.close);
    return database;
  }
  // The lock and the database write something, too.
  giveUpReserve(folder);
  closers.push(await lockFolder(folder, { onWarning }));
  const database = await openEmbedded(folder, { onWarning, onEnd: options.onEnd });
  closers.push(database.close);
  return database;
}

async function openJobs(database: Database, options: StudioOptions): Promise<RecommendationJobs> {
  const { sample, now = () => new Date(), onWarning = () => undefined, listImported = async () => [] } = options;
  return database.exclusively(async () => {
    await migrate(database, await readMigrations());
    await moveOldRows(database.orm);
    await database.tidyRows?.();
    if (sample) await loadSample(database.orm, now);
    return openRecommendationJobs({
      database,
      now,
      onWarning,
      leaseMs: options.leaseMs,
      compute: async (snapshotId) =>
        recommend(await readSnapshotFacts(database.orm, snapshotId, await listImported()), CATALOGUE),
    });
  });
}

function toStudio({ orm, guard }: Database, jobs: RecommendationJobs, options: StudioOptions, close: Close): Studio {
  const { dataDir, now = () => new Date() } = options;
  const findProject = openProjectReader(orm);
  const toPath = (file: string): string => toModelPath(dataDir, file);
  return {
    listProjects: () => guard(() => listProjects(orm)),
    // Check that ids are UUIDs (SPEC 2.1): for others the database would report an error.
    findProject: async (id) => (isUuid(id) ? guard(() => findProject(id)) : null),
    findJob: async (id) => (isUuid(id) ? guard(() => findJob(orm, id)) : null),
    findRecommendation: async (id) => (isUuid(id) ? guard(() => jobs.find(id)) : null),
    generateRecommendation: async (id) => (isUuid(id) ? guard(() => jobs.generate(id)) : null),
    chooseMainMeasure: async (id, measure) => (isUuid(id) ? guard(() => chooseMainMeasure(orm, id, measure)) : null),
    findRows: async (id, bucket) => (isUuid(id) ? findRows({ orm, guard }, id, bucket) : null),
    findRowErrors: async (id, experiment, signal) =>
      isUuid(id) ? readRowErrors({ orm, guard, signal }, id, experiment) : null,
    listNotes: () => guard(() => listNotes(orm)),
    saveNote: (id, change, who) => guard(() => saveNote(orm, id, change, { now: now(), who })),
    listModelFiles: keepLast((limitMs) => guard(() => listModelFiles(orm, toPath), limitMs)),
    findExamples: (model) => guard(() => findExamples(orm, model)),
    async checkDatabase() {
      await guard(() => orm.execute(sql`select 1`), CHECK_MS);
    },
    close,
  };
}

/** The studio, with its database for the rooms that have tables of their own there. */
export interface OpenedStudio extends Studio {
  readonly database: Database;
}

/** Opens the studio, or throws a StartError of one line and leaves nothing open. */
export async function openStudio(options: StudioOptions): Promise<OpenedStudio> {
  const closers: Close[] = [];
  try {
    const database = await openDatabase(options, closers);
    const jobs = await openJobs(database, options);
    closers.push(jobs.close, async () => database.limitSilence());
    let closing: Promise<void> | null = null;
    const close: Close = () => (closing ??= closeAll(closers));
    return { ...toStudio(database, jobs, options, close), database };
  } catch (error) {
    await closeAll(closers).catch(() => undefined);
    if (error instanceof StartError) throw error;
    const full = options.databaseUrl ? null : toFullDisk(options.dataDir, error, "can't be made ready");
    if (full) throw full;
    throw new StartError(
      `The studio's database could not be made ready (${toReason(error)}). Restore it from a backup, or choose ` +
        'another folder with --data (another DATABASE_URL). Nothing was deleted.',
      { cause: error },
    );
  }
}
