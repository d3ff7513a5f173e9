// Loads the sample project into the database, and updates it when the product comes with a newer edition.
import { eq, inArray, sql } from 'drizzle-orm';
import { toReason, type Orm } from '#service/database/database.ts';
import { SAMPLE_DATASETS, SAMPLE_OWNER, SAMPLE_PROJECT_ID, toSampleRecords, type SampleRecords } from './sample.ts';
import { readSampleFiles, SAMPLE_EDITION, type SampleFiles, type SampleRow } from './sampleFiles.ts';
import { toStoredRow } from '#features/datasets/server/rows/importedRow.ts';
import { toBlocks } from '#features/datasets/server/rows/rowBlocks.ts';
import { insertBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { StartError } from '#service/database/startError.ts';
import {
  datasets,
  experiments,
  jobs,
  models,
  projects,
  recommendations,
  rowBlocks,
  samples,
  snapshots,
} from '#service/database/tables.ts';

async function insertRows(orm: Orm, datasetId: string, rows: readonly SampleRow[]): Promise<void> {
  const stored = rows.map(({ body, bucket }) => toStoredRow(body, bucket));
  await insertBlocks(orm, datasetId, 0, toBlocks(stored));
}

/** Removes the facts of an earlier edition: runs, models, rows, recommendations. The nodes keep their ids and dates. */
async function clearFacts(orm: Orm, records: SampleRecords): Promise<void> {
  const ids = (list: readonly { readonly id: string }[]) => list.map((entry) => entry.id);
  await orm.delete(models).where(eq(models.owned_by, SAMPLE_OWNER));
  await orm.delete(experiments).where(inArray(experiments.job_id, ids(records.jobs)));
  await orm.delete(recommendations).where(inArray(recommendations.snapshot_id, ids(records.snapshots)));
  await orm.delete(rowBlocks).where(inArray(rowBlocks.dataset_id, ids(records.datasets)));
}

/** In an upsert: the value that the insert tried to write. */
const excluded = (column: { readonly name: string }) => sql.raw(`excluded."${column.name}"`);

async function upsertRecords(orm: Orm, records: SampleRecords): Promise<void> {
  await orm.insert(projects).values(records.project).onConflictDoNothing();
  await orm
    .insert(datasets)
    .values([...records.datasets])
    .onConflictDoUpdate({
      target: datasets.id,
      set: { label: excluded(datasets.label), datapoints_count: excluded(datasets.datapoints_count) },
    });
  const { label, rows_end, training_count, validation_count, answer_shape } = snapshots;
  await orm
    .insert(snapshots)
    .values([...records.snapshots])
    .onConflictDoUpdate({
      target: snapshots.id,
      set: {
        label: excluded(label),
        rows_end: excluded(rows_end),
        training_count: excluded(training_count),
        validation_count: excluded(validation_count),
        answer_shape: excluded(answer_shape),
      },
    });
  await orm
    .insert(jobs)
    .values([...records.jobs])
    .onConflictDoUpdate({ target: jobs.id, set: { label: excluded(jobs.label) } });
  await orm.insert(experiments).values([...records.experiments]);
  await orm.insert(models).values([...records.models]);
}

async function writeSample(orm: Orm, files: SampleFiles, created_at: Date): Promise<void> {
  const records = toSampleRecords(files, created_at);
  await clearFacts(orm, records);
  await upsertRecords(orm, records);
  for (const [index, dataset] of records.datasets.entries()) {
    const file = SAMPLE_DATASETS[index]?.file;
    await insertRows(orm, dataset.id, (file && files.rows.get(file)) || []);
  }
  const loaded = { digest: files.digest, edition: SAMPLE_EDITION };
  await orm
    .insert(samples)
    .values({ project_id: SAMPLE_PROJECT_ID, ...loaded })
    .onConflictDoUpdate({ target: samples.project_id, set: loaded });
}

async function readEdition(): Promise<SampleFiles> {
  try {
    return await readSampleFiles(SAMPLE_DATASETS.map((dataset) => dataset.file));
  } catch (error) {
    throw new StartError(
      `The sample project's files can't be read (${toReason(error)}). Install Model Studio again, or start with ` +
        '--no-sample.',
      { cause: error },
    );
  }
}

/**
 * Loads the sample into a database without projects. If it was loaded before, only a later edition changes it: during
 * an update, an older version of the product must not undo what a newer one has written.
 * Writes all or nothing. True when something was written. Throws StartError if the product's own files are incomplete.
 */
export async function loadSample(orm: Orm, now: () => Date): Promise<boolean> {
  const [loaded] = await orm.select().from(samples).where(eq(samples.project_id, SAMPLE_PROJECT_ID));
  if (!loaded) {
    const [project] = await orm.select({ id: projects.id }).from(projects).limit(1);
    if (project) return false;
  }
  if (loaded && loaded.edition >= SAMPLE_EDITION) return false;
  const files = await readEdition();
  if (loaded?.digest === files.digest) return false;
  await orm.transaction((transaction) => writeSample(transaction, files, now()));
  return true;
}
