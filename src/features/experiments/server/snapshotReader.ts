// Reads the recommender's facts about a snapshot: its rows, page by page, and the runs of the local base model.
import { and, eq, inArray } from 'drizzle-orm';
import { findRefusal } from '#features/training/shared/parityRefusal.ts';
import { EXPERIMENT_STATUSES, toStatusMeaning } from '#core/contract/statuses.ts';
import { readBuiltInRuns } from '#features/experiments/shared/measured/builtIn.ts';
import type { Job } from '#core/contract/job.ts';
import { hasDiverged } from '#features/runs/shared/settings/divergedRun.ts';
import { readOwnRuns, toImportedRuns } from '#features/experiments/server/pastRuns/ownRuns.ts';
import { LOCAL_BASE_MODEL } from './catalogue.ts';
import type { Orm } from '#service/database/database.ts';
import type { RunFact, SnapshotFacts } from './evidence.ts';
import { EMPTY_TALLY, reduceTally, toRowFacts, type RowTally } from './snapshotFacts.ts';
import { readFrame, readSnapshotPage } from '#features/datasets/server/rows/snapshotFrame.ts';
import { datasets, experiments, jobs, snapshots } from '#service/database/tables.ts';

async function readTally(orm: Orm, snapshotId: string): Promise<RowTally> {
  const frame = await readFrame(orm, snapshotId);
  let tally = EMPTY_TALLY;
  if (!frame) return tally;
  for (let from = 0; from < frame.rows_end;) {
    const { rows, next } = await readSnapshotPage(orm, frame, { from, end: frame.rows_end });
    tally = reduceTally(tally, rows);
    from = next;
  }
  return tally;
}

function toRunFact(snapshot_id: string, run: typeof experiments.$inferSelect): RunFact {
  const { rows = null, ...held_out } = run.held_out ?? {};
  return {
    snapshot_id,
    experiment_number: run.experiment_number,
    lora: run.lora,
    learning_rate: run.learning_rate_multiplier,
    n_epochs: run.n_epochs,
    batch_size: run.batch_size,
    steps: run.steps,
    last_loss: run.last_loss,
    held_out_rows: rows,
    held_out,
    failure: toStatusMeaning(run.status) === 'bad' ? (run.failure ?? 'no reason was kept') : null,
  };
}

/** The statuses of runs that have ended with a result or a failure, so that they are evidence. */
const ENDED = EXPERIMENT_STATUSES.filter((status) => {
  const meaning = toStatusMeaning(status);
  return meaning === 'good' || meaning === 'bad';
});

/** It failed, and says nothing of its settings: they are as good as untried. */
const isFaultOfMachine = ({ status, losses, failure }: typeof experiments.$inferSelect): boolean =>
  toStatusMeaning(status) === 'bad' &&
  !hasDiverged(
    (losses ?? []).map(([, loss]) => loss),
    failure,
  );

async function readRuns(orm: Orm): Promise<RunFact[]> {
  const rows = await orm
    .select({ snapshot_id: jobs.snapshot_id, run: experiments })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .where(and(eq(experiments.base_model_id, LOCAL_BASE_MODEL), inArray(experiments.status, ENDED)));
  // A run whose file answers worse than its training did recommends nothing: its measures are not those of the model.
  // Rates of DPO and KTO say nothing of those for single answers.
  const sound = rows.filter(
    ({ run }) =>
      findRefusal(run.settings?.parity) === null && run.settings?.objective === undefined && !isFaultOfMachine(run),
  );
  return sound.map(({ snapshot_id, run }) => toRunFact(snapshot_id, run));
}

/** `imported`: jobs of other trainers' folders. Throws when the snapshot was deleted. */
export async function readSnapshotFacts(
  orm: Orm,
  snapshotId: string,
  imported: readonly Job[] = [],
): Promise<SnapshotFacts> {
  const [found] = await orm
    .select({ snapshot: snapshots, main_measure: datasets.main_measure })
    .from(snapshots)
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(eq(snapshots.id, snapshotId));
  if (!found) throw new Error('The snapshot is not there any more.');
  const { snapshot, main_measure } = found;
  const rowFacts = toRowFacts(await readTally(orm, snapshot.id));
  if (snapshot.answer_shape !== rowFacts.answer_shape)
    await orm.update(snapshots).set({ answer_shape: rowFacts.answer_shape }).where(eq(snapshots.id, snapshotId));
  return {
    snapshot_id: snapshotId,
    ...rowFacts,
    chosen_measure: main_measure,
    runs: await readRuns(orm),
    measured: [...readBuiltInRuns(), ...(await readOwnRuns(orm, snapshotId)), ...toImportedRuns(imported)],
  };
}
