// The queue of trainings in the database: whose turn is next, who trains what, and what people want of it. Any number of
// processes may work on it: a lease says which of them trains a run.
import { and, asc, eq, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import { isActiveStatus, isSucceeded, type ExperimentStatus } from '#core/contract/statuses.ts';
import type { Orm } from '#service/database/database.ts';
import { leases, type Lease, type Leases } from '#service/database/leases/leases.ts';
import { datasets, experiments, jobs, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import { changeStatus, type Change } from './jobStates.ts';
import { TrainingProblem } from './trainer.ts';
import { trainings } from './trainingTables.ts';

/** A run that is begun this often without a checkpoint between has failed. */
export const MAX_ATTEMPTS = 4;
/** Runs at the head of the queue that are looked at for one that can be trained here. */
const LOOKED_AT = 200;

type Run = typeof experiments.$inferSelect;
type Training = typeof trainings.$inferSelect;

export interface QueuedRun {
  readonly run: Run;
  readonly training: Training;
  readonly snapshot_id: string;
  /** The machine of the worker that trains it; null: the studio trains it, or nobody does. */
  readonly machine: string | null;
}

/** A run that this process has taken, as it was before. */
export interface ClaimedRun extends QueuedRun {
  readonly lease: Lease;
}

const WORKING = ['running', 'deploying'] as const satisfies readonly ExperimentStatus[];

const isTraining = eq(leases.kind, 'training');
const isLeaseOfRun = and(isTraining, eq(leases.id, trainings.experiment_id));

/** Neither the run nor anything above it was deleted. */
const isThere = notDeleted(experiments, jobs, snapshots, datasets, projects);

export const selectRuns = (orm: Orm, ...conditions: readonly (SQL | undefined)[]) =>
  orm
    .select({
      run: experiments,
      training: trainings,
      snapshot_id: jobs.snapshot_id,
      machine: sql<string | null>`${leases.detail} ->> 'machine'`,
    })
    .from(trainings)
    .leftJoin(leases, isLeaseOfRun)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(isThere, ...conditions));

/** Whether any run waits or is trained. Costs a tenth of looking for the next one, and is asked all day. */
export async function isAnyActive(orm: Orm): Promise<boolean> {
  const found = await orm
    .select({ id: trainings.experiment_id })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .where(inArray(experiments.status, ['pending', 'queued', ...WORKING]))
    .limit(1);
  return found.length > 0;
}

/** A worker, and the id by which it knows its run. */
export interface WorkerLease {
  readonly lease_id: string;
  readonly machine: string;
}

export interface Claim {
  readonly leases: Leases;
  /** null: the run is trained on this machine. */
  readonly worker: WorkerLease | null;
  /** The only experiment that is wanted; null: any that waits for no launcher. */
  readonly only: string | null;
  readonly now: Date;
  readonly canTrain: (run: QueuedRun) => Promise<boolean>;
  /** Removes the files of a run that was cancelled and that no process trains any more. */
  readonly removeFiles: (experimentId: string) => Promise<void>;
}

/** Runs whose process has ended, then those that wait, in their order. */
function listCandidates(orm: Orm, { leases: own, only }: Claim): Promise<QueuedRun[]> {
  const isLost = and(inArray(experiments.status, [...WORKING]), own.isFree());
  const isWanted = only === null ? isNull(trainings.launcher) : eq(experiments.id, only);
  const isNext = and(eq(experiments.status, 'queued'), isNotNull(trainings.position), isWanted);
  return selectRuns(orm, or(isLost, isNext))
    .orderBy(sql`${experiments.status} = 'queued'`, asc(trainings.position), asc(experiments.experiment_number))
    .limit(LOOKED_AT);
}

/** Why a run waits again. */
export const LOST = 'The service that trained it ended, and no other one can go on with it now.';

/** What becomes of a run that nobody else trains; null: it has ended, or waits for a process that can train it. */
function toTaken({ run, training }: QueuedRun, canTrain: boolean, now: Date): Change | null {
  const isLost = WORKING.some((status) => status === run.status);
  if (!isLost && !(canTrain && run.status === 'queued')) return null;
  // Nothing of it is kept, so it can't be resumed.
  if (training.wish === 'cancel')
    return { status: 'stopped', reason: 'Cancelled by a person.', training: { can_resume: false } };
  if (!canTrain) return { status: 'queued', reason: LOST };
  if (training.attempts >= MAX_ATTEMPTS)
    return {
      status: 'failed',
      reason:
        `The studio or the trainer ended ${MAX_ATTEMPTS} times before a checkpoint was reached. The log says how far ` +
        'it came. Free memory, or take a smaller batch, and start it again.',
    };
  const begun = { attempts: training.attempts + 1, started_at: training.started_at ?? now };
  return { status: 'running', reason: null, training: begun };
}

/** Takes a run, unless another process has it. `canTrain` false: only if its process has ended; then it waits again. */
async function take(
  outer: Orm,
  id: string,
  canTrain: boolean,
  { leases: own, worker, now }: Claim,
): Promise<ClaimedRun | 'cancelled' | null> {
  return outer.transaction(async (orm) => {
    const lease = await own.take(orm, id, worker && { ...worker });
    if (lease === null) return null;
    // As it is now: another process may have trained it since it was found.
    const queued = await findTraining(orm, id);
    const change = queued && toTaken(queued, canTrain, now);
    if (change) await changeStatus(orm, id, change, now);
    if (queued && change?.status === 'running') return { ...queued, lease };
    await own.release(orm, lease);
    return change?.status === 'stopped' ? 'cancelled' : null;
  });
}

/** The next run that `canTrain` here, taken for this process; null: there is none. */
export async function claimNext(orm: Orm, claim: Claim): Promise<ClaimedRun | null> {
  for (const candidate of await listCandidates(orm, claim)) {
    const { run, training } = candidate;
    // Of another one that was lost only the process has ended: it waits again.
    const isWanted = claim.only === null ? training.launcher === null : run.id === claim.only;
    const canTrain = training.wish === 'cancel' || (isWanted && (await claim.canTrain(candidate)));
    if (!canTrain && run.status === 'queued') continue;
    const outcome = await take(orm, run.id, canTrain, claim);
    if (outcome === 'cancelled') await claim.removeFiles(run.id);
    else if (outcome !== null) return outcome;
  }
  return null;
}

/**
 * Takes a worker's run over from a service that has given it up, or has not renewed its lease for half of the time. `elsewhere`:
 * its service lives. null: the lease has ended.
 */
export async function adoptRun(
  outer: Orm,
  { leases: own, leaseMs }: { readonly leases: Leases; readonly leaseMs: number },
  leaseId: string,
): Promise<ClaimedRun | 'elsewhere' | null> {
  return outer.transaction(async (orm) => {
    const isQuiet = sql<boolean>`${leases.owner} is null
      or ${leases.until} < clock_timestamp() + ${leaseMs / 2} * interval '1 millisecond'`;
    const [found] = await orm
      .select({ id: leases.id, detail: leases.detail, isQuiet })
      .from(leases)
      .where(and(isTraining, sql`${leases.detail} ->> 'lease_id' = ${leaseId}`))
      .for('update');
    const queued = found && (await findTraining(orm, found.id));
    // One whose model is being looked at may have lost files to that already: it begins again from its checkpoint.
    if (queued?.run.status !== 'running') return null;
    const lease = found?.isQuiet ? await own.take(orm, found.id, found.detail, sql`true`) : null;
    return lease ? { ...queued, lease } : 'elsewhere';
  });
}

/** All that wait, in their order. */
export function listWaiting(orm: Orm): Promise<QueuedRun[]> {
  return selectRuns(orm, inArray(experiments.status, ['pending', 'queued']), isNotNull(trainings.position)).orderBy(
    asc(trainings.position),
    asc(experiments.experiment_number),
  );
}

/** The runs that are trained now, here or by other processes. */
export async function listRunning(orm: Orm): Promise<string[]> {
  const found = await selectRuns(orm, inArray(experiments.status, [...WORKING]));
  return found.map(({ run }) => run.id);
}

/** Whether there is an experiment, wherever it was trained; null: there is none. */
export async function hasExperiment(orm: Orm, id: string): Promise<true | null> {
  const found = await orm
    .select({ id: experiments.id })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(eq(experiments.id, id), isThere));
  return found.length > 0 ? true : null;
}

export async function findTraining(orm: Orm, experimentId: string): Promise<QueuedRun | null> {
  const [found] = await selectRuns(orm, eq(experiments.id, experimentId));
  return found ?? null;
}

/** Puts these first, in this order. Throws TrainingProblem 409 for one that does not wait. */
export async function reorder(outer: Orm, ids: readonly string[]): Promise<void> {
  await outer.transaction(async (orm) => {
    const waiting = (await listWaiting(orm)).map(({ run }) => run.id);
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const gone = wanted.find((id) => !waiting.includes(id));
    if (gone !== undefined)
      throw new TrainingProblem(
        409,
        `Experiment ${gone} does not wait any more. Read the queue again.`,
        'not_in_queue',
        'experiment_ids',
      );
    const order = [...wanted, ...waiting.filter((id) => !wanted.includes(id))];
    await orm.execute(sql`
      update ${trainings} set position = entry.place
      from json_array_elements_text(${JSON.stringify(order)}::json) with ordinality as entry (id, place)
      where experiment_id = entry.id::uuid`);
  });
}

const hasEnded = (run: Run): TrainingProblem =>
  new TrainingProblem(
    409,
    `Experiment ${run.id} is ${run.status}, so there is nothing to end.`,
    'not_active',
    'experimentId',
  );

/**
 * Ends a run: `stop` keeps its checkpoint, `cancel` nothing. true: no process trained it, so it is over; false: its
 * process will end it. Throws TrainingProblem 409 if it has ended.
 */
export async function endRun(
  outer: Orm,
  { run, training }: QueuedRun,
  wish: 'cancel' | 'stop',
  now: Date,
): Promise<boolean> {
  return outer.transaction(async (orm) => {
    const reason =
      training.step === 0
        ? 'Cancelled before it began.'
        : `${wish === 'cancel' ? 'Cancelled' : 'Stopped'} by a person at step ${training.step}.`;
    const kept = wish === 'cancel' ? { can_resume: false } : {};
    const isStopped = await changeStatus(orm, run.id, { status: 'stopped', reason, training: kept }, now, [
      'pending',
      'queued',
    ]);
    if (isStopped) return true;
    const asked = await orm
      .update(trainings)
      .set({ wish })
      .where(
        and(
          eq(trainings.experiment_id, run.id),
          sql`exists (select 1 from ${experiments} where id = ${run.id} and status in ('running', 'deploying'))`,
        ),
      )
      .returning({ id: trainings.experiment_id });
    if (asked.length === 0) throw hasEnded(run);
    return false;
  });
}

/** Puts a run that was stopped or has failed at the end of the queue. Throws TrainingProblem 409 if it can't go on. */
export async function resumeRun(outer: Orm, { run, training }: QueuedRun, now: Date): Promise<void> {
  if (!training.can_resume || isActiveStatus(run.status) || isSucceeded(run.status))
    throw new TrainingProblem(
      409,
      isActiveStatus(run.status)
        ? `Experiment ${run.id} is ${run.status} already.`
        : `Experiment ${run.id} has no checkpoint to go on from. Duplicate its job to run it again.`,
      'can_not_resume',
      'experimentId',
    );
  await outer.transaction(async (orm) => {
    const [end] = await orm.select({ position: sql<number | null>`max(${trainings.position})` }).from(trainings);
    await changeStatus(
      orm,
      run.id,
      {
        status: 'queued',
        reason: null,
        training: {
          position: (end?.position ?? 0) + 1,
          attempts: 0,
          wish: null,
          // A person wants it, whatever the others have come to.
          halving: training.halving && { ...training.halving, rung: null, is_stopped_early: false },
        },
      },
      now,
      ['stopped', 'failed'],
    );
  });
}
