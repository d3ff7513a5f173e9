// The queue of trainings in the database: whose turn is next, who trains what, and what people want of it. Any number of
// processes may work on it: a lease says which of them trains a run.
import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { isActiveStatus, isSucceeded, type ExperimentStatus } from '#shared/contract/statuses.ts';
import type { Orm } from '#server/studio/database.ts';
import { datasets, experiments, jobs, notDeleted, projects, snapshots } from '#server/studio/tables.ts';
import { changeStatus, ENDED, FREED, type Change } from './jobStates.ts';
import { TrainingProblem } from './trainer.ts';
import { trainings } from './trainingTables.ts';

/** A run that is begun this often without a checkpoint between has failed. */
export const MAX_ATTEMPTS = 4;
/** Runs at the head of the queue that are looked at for one that can be trained here. */
const LOOKED_AT = 200;

type Run = typeof experiments.$inferSelect;
export type Training = typeof trainings.$inferSelect;

export interface QueuedRun {
  readonly run: Run;
  readonly training: Training;
  readonly snapshot_id: string;
}

const WORKING = ['running', 'deploying'] as const satisfies readonly ExperimentStatus[];

/** Neither the run nor anything above it was deleted. */
const isThere = notDeleted(experiments, jobs, snapshots, datasets, projects);

const selectRuns = (orm: Orm, ...conditions: readonly (SQL | undefined)[]) =>
  orm
    .select({ run: experiments, training: trainings, snapshot_id: jobs.snapshot_id })
    .from(trainings)
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

/** Runs whose process has ended, then those that wait, in their order. */
function listCandidates(orm: Orm, now: Date): Promise<QueuedRun[]> {
  const isLost = and(
    inArray(experiments.status, [...WORKING]),
    or(isNull(trainings.lease_until), lt(trainings.lease_until, now)),
  );
  const isNext = and(eq(experiments.status, 'queued'), isNotNull(trainings.position));
  return selectRuns(orm, or(isLost, isNext))
    .orderBy(sql`${experiments.status} = 'queued'`, asc(trainings.position), asc(experiments.experiment_number))
    .limit(LOOKED_AT);
}

/** Who has a lease: a random text, and the name of the machine if it is another one. */
export const toLeaseOwner = (machine: string | null = null): string =>
  machine === null ? randomUUID() : `${randomUUID()} ${machine}`;

/** null: the machine of the studio, or nobody. */
export const toMachine = (owner: string | null): string | null => owner?.slice(37) || null;

export interface Lease {
  readonly owner: string;
  readonly until: Date;
  /** Of a worker. */
  readonly id?: string;
}

/** A run that is cancelled while no process trains it. Nothing of it is kept, so it can't be resumed. */
const CANCELLED: Change = {
  status: 'stopped',
  reason: 'Cancelled by a person.',
  training: { ...ENDED, can_resume: false },
};

export interface Claim {
  readonly lease: Lease;
  readonly now: Date;
  readonly canTrain: (run: QueuedRun) => Promise<boolean>;
  /** Removes the files of a run that was cancelled and that no process trains any more. */
  readonly removeFiles: (experimentId: string) => Promise<void>;
}

/** No process holds it. */
const isFree = (now: Date): SQL | undefined =>
  or(isNull(trainings.owner), isNull(trainings.lease_until), lt(trainings.lease_until, now));

/** Takes a run if no other process has taken it meanwhile. */
async function take(
  outer: Orm,
  { run, training }: QueuedRun,
  { lease, now }: Claim,
): Promise<'taken' | 'cancelled' | null> {
  return outer.transaction(async (orm) => {
    const [taken] = await orm
      .update(trainings)
      .set({
        owner: lease.owner,
        lease_until: lease.until,
        lease_id: lease.id ?? null,
        attempts: training.attempts + 1,
      })
      .where(and(eq(trainings.experiment_id, run.id), eq(trainings.attempts, training.attempts), isFree(now)))
      .returning({ wish: trainings.wish });
    if (!taken) return null;
    // A person may have cancelled it since it was found.
    if (taken.wish === 'cancel') return (await changeStatus(orm, run.id, CANCELLED)) ? 'cancelled' : null;
    if (training.attempts >= MAX_ATTEMPTS)
      await changeStatus(orm, run.id, {
        status: 'failed',
        reason:
          `The studio or the trainer ended ${MAX_ATTEMPTS} times before a checkpoint was reached. The log says how far ` +
          'it came. Free memory, or take a smaller batch, and start it again.',
        training: { ...ENDED, ended_at: now },
      });
    else {
      const training_ = { started_at: training.started_at ?? now, ended_at: null };
      if (await changeStatus(orm, run.id, { status: 'running', reason: null, training: training_ })) return 'taken';
    }
    return null;
  });
}

/** Why a run waits again. */
export const LOST = 'The service that trained it ended, and no other one can go on with it now.';

/** Puts a run back whose process has ended and that can't be trained here: it waits for a process that can. */
async function putBack(outer: Orm, { run, training }: QueuedRun, now: Date): Promise<'cancelled' | null> {
  return outer.transaction(async (orm) => {
    const [freed] = await orm
      .update(trainings)
      .set(FREED)
      .where(and(eq(trainings.experiment_id, run.id), eq(trainings.attempts, training.attempts), isFree(now)))
      .returning({ wish: trainings.wish });
    if (!freed) return null;
    const isCancelled = freed.wish === 'cancel';
    const isChanged = await changeStatus(orm, run.id, isCancelled ? CANCELLED : { status: 'queued', reason: LOST }, [
      ...WORKING,
    ]);
    return isCancelled && isChanged ? 'cancelled' : null;
  });
}

/** The next run that `canTrain` here, taken for this process; null: there is none. */
export async function claimNext(orm: Orm, claim: Claim): Promise<QueuedRun | null> {
  for (const candidate of await listCandidates(orm, claim.now)) {
    let outcome: 'taken' | 'cancelled' | null = null;
    if (await claim.canTrain(candidate)) outcome = await take(orm, candidate, claim);
    else if (candidate.run.status !== 'queued') outcome = await putBack(orm, candidate, claim.now);
    if (outcome === 'taken') return candidate;
    if (outcome === 'cancelled') await claim.removeFiles(candidate.run.id);
  }
  return null;
}

/** What a person wants of a run; `lost`: the run is no longer this process's. Renews the lease. */
export async function renewLease(orm: Orm, experimentId: string, lease: Lease): Promise<Training['wish'] | 'lost'> {
  const [kept] = await orm
    .update(trainings)
    .set({ lease_until: lease.until })
    .where(and(eq(trainings.experiment_id, experimentId), eq(trainings.owner, lease.owner)))
    .returning({ wish: trainings.wish });
  return kept ? kept.wish : 'lost';
}

/**
 * Lets another process, or this one after a restart, go on at once with all that `owner` trains. null: all but workers,
 * which train on while the studio restarts.
 */
export async function releaseLeases(orm: Orm, owner: string | null): Promise<void> {
  const isIts = owner === null ? isNull(trainings.lease_id) : eq(trainings.owner, owner);
  await orm
    .update(trainings)
    .set(FREED)
    .where(and(isNotNull(trainings.owner), isIts));
}

/** A worker's run whose service has ended well: the next one that hears of the worker goes on with it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Leaves a worker's run to whichever service the worker reaches next, until `until`. */
export async function handOver(orm: Orm, owner: string, until: Date): Promise<void> {
  await orm
    .update(trainings)
    .set({ owner: `${NOBODY} ${toMachine(owner)}`, lease_until: until })
    .where(and(eq(trainings.owner, owner), isNotNull(trainings.lease_id)));
}

/** A worker's run that another service looks after, or one that no service has renewed since. */
export type Adopted = QueuedRun | 'elsewhere' | null;

/**
 * Takes a worker's run over from a service that has ended. `elsewhere`: a service has renewed its lease to end after
 * `quiet`, so it lives. null: the lease has ended. `makeOwner` gets the name of the machine.
 */
export async function adoptLease(
  orm: Orm,
  leaseId: string,
  { quiet, until, makeOwner }: { quiet: Date; until: Date; makeOwner: (machine: string | null) => string },
): Promise<Adopted> {
  const [found] = await selectRuns(orm, eq(trainings.lease_id, leaseId), isNotNull(trainings.owner));
  // One whose model is being looked at may have lost files to that already: it begins again from its checkpoint.
  if (found?.run.status !== 'running') return null;
  const { owner, lease_until: last } = found.training;
  if (owner === null || last === null) return null;
  if (!owner.startsWith(NOBODY) && last > quiet) return 'elsewhere';
  const mine = makeOwner(toMachine(owner));
  const [taken] = await orm
    .update(trainings)
    .set({ owner: mine, lease_until: until })
    .where(and(eq(trainings.lease_id, leaseId), eq(trainings.owner, owner), eq(trainings.lease_until, last)))
    .returning();
  return taken ? { ...found, training: taken } : 'elsewhere';
}

/** Runs that wait for the model of another run: queued when it is there, failed when it never will be. */
export async function promotePending(orm: Orm): Promise<void> {
  const waiting = await selectRuns(orm, eq(experiments.status, 'pending'));
  if (waiting.length === 0) return;
  const ids = waiting.flatMap(({ training }) => training.refinetune_from ?? []);
  const sources = ids.length === 0 ? [] : await orm.select().from(experiments).where(inArray(experiments.id, ids));
  const statusOf = new Map(sources.map(({ id, status }) => [id, status]));
  for (const { run, training } of waiting) {
    const status = training.refinetune_from === null ? null : (statusOf.get(training.refinetune_from) ?? null);
    if (isSucceeded(status))
      await orm.transaction((inner) => changeStatus(inner, run.id, { status: 'queued', reason: null }));
    else if (!isActiveStatus(status))
      await orm.transaction((inner) =>
        changeStatus(inner, run.id, {
          status: 'failed',
          reason: 'The run that it goes on from made no model. Choose another one.',
          training: ENDED,
        }),
      );
  }
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
export async function endRun(outer: Orm, { run, training }: QueuedRun, wish: 'cancel' | 'stop'): Promise<boolean> {
  return outer.transaction(async (orm) => {
    const reason =
      training.step === 0
        ? 'Cancelled before it began.'
        : `${wish === 'cancel' ? 'Cancelled' : 'Stopped'} by a person at step ${training.step}.`;
    const kept = wish === 'cancel' ? { can_resume: false } : {};
    const isStopped = await changeStatus(orm, run.id, { status: 'stopped', reason, training: { ...ENDED, ...kept } }, [
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
export async function resumeRun(outer: Orm, { run, training }: QueuedRun): Promise<void> {
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
        training: { position: (end?.position ?? 0) + 1, attempts: 0, wish: null, ended_at: null },
      },
      ['stopped', 'failed'],
    );
  });
}
