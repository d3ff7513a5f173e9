// The studio's own finished runs, on any snapshot and base model, and those that were imported, as evidence for new data.
import { desc, isNull } from 'drizzle-orm';
import type { Job } from '#core/contract/job.ts';
import { readJob, type ReadJob } from '#core/contract/jobReader.ts';
import { findRefusal } from '#features/training/shared/parityRefusal.ts';
import { toMeasuredRun } from '#features/experiments/shared/measured/fromFacts.ts';
import type { MeasuredRun } from '#features/experiments/shared/measured/measuredRun.ts';
import { toRunFacts, type DataFacts } from '#features/runs/shared/settings/runFacts.ts';
import { CATALOGUE } from '#features/experiments/server/catalogue.ts';
import type { Orm } from '#service/database/database.ts';
import { findJob } from '#features/experiments/server/jobs.ts';
import { BLOCK_ROWS } from '#features/datasets/server/rows/rowBlocks.ts';
import { readFrame, readSnapshotPage } from '#features/datasets/server/rows/snapshotFrame.ts';
import { EMPTY_TALLY, reduceTally } from '#features/experiments/server/snapshotFacts.ts';
import { experiments, jobs, snapshots } from '#service/database/tables.ts';

/** The newest jobs: older ones add little, and each is read for every recommendation. */
const MOST_JOBS = 200;
/** The rate of this studio's jobs, and of trainers' folders, is the rate itself. */
const RATE = { means: 'rate', saidBy: 'service' } as const;

const findWeights = (base: string): number | null => CATALOGUE.find(({ id }) => id === base)?.weights ?? null;

/** By snapshot, whose rows never change: bytes of a training row, from the first rows. */
const lengths = new WeakMap<Orm, Map<string, number | null>>();

async function readBytesPerRow(orm: Orm, snapshotId: string): Promise<number | null> {
  const known = lengths.get(orm) ?? new Map<string, number | null>();
  lengths.set(orm, known);
  const found = known.get(snapshotId);
  if (found !== undefined) return found;
  const frame = await readFrame(orm, snapshotId);
  const rows = frame ? (await readSnapshotPage(orm, frame, { from: 0, end: BLOCK_ROWS * 2 })).rows : [];
  const { training, bytes } = reduceTally(EMPTY_TALLY, rows);
  const mean = training === 0 ? null : bytes / training;
  known.set(snapshotId, mean);
  return mean;
}

function toRuns(job: ReadJob, data: DataFacts, origin: 'own' | 'imported'): readonly MeasuredRun[] {
  const source = origin === 'own' ? 'studio' : 'folder';
  const about = { origin, answer_shape: job.answer_shape, findWeights, job: job.id } as const;
  return toRunFacts(job, { source, data, rate: RATE }).flatMap((facts) => toMeasuredRun(facts, about) ?? []);
}

const UNKNOWN_DATA: DataFacts = {
  snapshot_id: null,
  training_rows: null,
  validation_rows: null,
  training_bytes: null,
};

/** Runs of other trainers, from their folders. */
export const toImportedRuns = (imported: readonly Job[]): readonly MeasuredRun[] =>
  imported.flatMap((body) => {
    const read = readJob(body);
    return read.ok ? toRuns(read.value, UNKNOWN_DATA, 'imported') : [];
  });

/** Runs whose files answer worse than their training did are no evidence, nor those that learn from preferences or rewards. */
async function readRefused(orm: Orm): Promise<ReadonlySet<string>> {
  const rows = await orm.select({ id: experiments.id, settings: experiments.settings }).from(experiments);
  return new Set(
    rows
      .filter(({ settings }) => findRefusal(settings?.parity) !== null || settings?.objective !== undefined)
      .map(({ id }) => id),
  );
}

/** Runs on all snapshots but `except`, whose runs are judged by themselves. */
export async function readOwnRuns(orm: Orm, except: string): Promise<readonly MeasuredRun[]> {
  const listed = await orm
    .select({ id: jobs.id, snapshot_id: jobs.snapshot_id })
    .from(jobs)
    .where(isNull(jobs.deleted_at))
    .orderBy(desc(jobs.created_at))
    .limit(MOST_JOBS);
  const counts = new Map(
    (await orm.select().from(snapshots)).map(({ id, training_count, validation_count }) => [
      id,
      { training_rows: training_count, validation_rows: validation_count },
    ]),
  );
  const refused = await readRefused(orm);
  const runs: MeasuredRun[] = [];
  for (const { id, snapshot_id } of listed) {
    const found = snapshot_id === except ? null : await findJob(orm, id);
    const read = found && readJob(found);
    const count = counts.get(snapshot_id);
    if (!read?.ok || !count) continue;
    const job = { ...read.value, experiments: read.value.experiments.filter((run) => !refused.has(run.id)) };
    if (job.experiments.length === 0) continue;
    const mean = await readBytesPerRow(orm, snapshot_id);
    const training_bytes = mean === null ? null : mean * count.training_rows;
    runs.push(...toRuns(job, { snapshot_id, ...count, training_bytes }, 'own'));
  }
  return runs;
}
