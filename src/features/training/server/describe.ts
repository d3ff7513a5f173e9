// Trainings in the words of the contract.
import { desc, eq, inArray } from 'drizzle-orm';
import type { Job } from '#core/contract/job.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { isActiveStatus, isSucceeded, type ExperimentStatus } from '#core/contract/statuses.ts';
import type {
  ProgressPoint,
  TrainingAction,
  TrainingProgress,
  TrainingQueue,
} from '#features/training/shared/trainingRecords.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments, models } from '#service/database/tables.ts';
import { isPaused } from './pendingRuns.ts';
import { findLaunches, type Launch } from './launchers/launches.ts';
import { toJobName, toWaitReason } from './launchers/launchPlan.ts';
import { readProgress } from './progressStore.ts';
import { findTraining, listRunning, listWaiting, LOST, type QueuedRun } from './queue.ts';
import { findRefusal, NO_TRAINER, type Trainer, type TrainingBase } from './trainer.ts';
import { trainingPoints, trainings } from './trainingTables.ts';

export interface DescribeDeps {
  readonly orm: Orm;
  readonly trainer: Trainer | null;
  /** Whether machines elsewhere take runs. */
  readonly hasWorkers: () => boolean;
  /** Why a launcher can place no run now; null: it can. */
  readonly refuseLauncher: (name: string) => string | null;
  readonly findBase: (queued: QueuedRun) => Promise<TrainingBase>;
}

interface Place {
  /** null: a launcher has it, and its own queue counts. */
  readonly position: number | null;
  readonly reason: string | null;
}

/** Why a run waits that can be trained here; null: it begins at once. `ahead`: runs that wait before it. */
function toWait({ ahead, running, isShared }: { ahead: number; running: number; isShared: boolean }): string | null {
  if (!isShared) {
    const all = ahead + running;
    if (all === 0) return null;
    return all === 1 ? 'One run is trained before it.' : `${all} runs are trained before it, one at a time.`;
  }
  const taking = 'This machine and each worker train one run at a time.';
  if (ahead > 0) return `${ahead === 1 ? 'One run waits' : `${ahead} runs wait`} before it. ${taking}`;
  return running === 0 ? null : `It is next. ${taking}`;
}

/** Why a run waits that a launcher is to place. */
function toLaunchReason(
  launch: Launch | undefined,
  { launcher, reason }: QueuedRun['training'],
  refuse: DescribeDeps['refuseLauncher'],
): string {
  const name = launcher ?? '';
  const isThere = ['waiting', 'running'].includes(launch?.said.status?.kind ?? '') && launch?.state !== 'over';
  const refusal = isThere ? null : refuse(name);
  if (refusal !== null) return refusal;
  if (launch === undefined || launch.state === 'over') return reason ?? `It is given to ${name} next.`;
  return toWaitReason(name, launch.job, launch.said);
}

/** What a person who has ended a run is told of its job. */
function toLeftText(launch: Launch | undefined): string {
  if (launch === undefined) return '';
  const name = toJobName(launch.launcher, launch.job);
  const { problem } = launch.said;
  if (launch.state === 'over') return ` ${name.charAt(0).toUpperCase()}${name.slice(1)} is gone.`;
  return ` ${launch.launcher} is ending ${name}${problem === null ? '' : `, but does not answer now (${problem})`}.`;
}

/** Why each waiting run waits, and its place among all that wait, from 1, by its id. */
async function readPlaces(deps: DescribeDeps): Promise<ReadonlyMap<string, Place>> {
  const { orm, trainer, findBase, hasWorkers, refuseLauncher } = deps;
  const waiting = await listWaiting(orm);
  if (waiting.length === 0) return new Map();
  const running = (await listRunning(orm)).length;
  const known = new Map<string, string | null>();
  const places = new Map<string, Place>();
  const isShared = hasWorkers();
  const launched = await findLaunches(
    orm,
    waiting.flatMap(({ run, training }) => (training.launcher ? [run.id] : [])),
  );
  let ahead = 0;
  for (const [at, queued] of waiting.entries()) {
    const { run, training } = queued;
    if (training.launcher !== null && run.status === 'queued') {
      const launch = launched.get(run.id);
      const isGiven = launch !== undefined && launch.state !== 'over';
      places.set(run.id, {
        position: isGiven ? null : at + 1,
        reason: toLaunchReason(launch, training, refuseLauncher),
      });
      continue;
    }
    const { base_model_id: base } = run;
    const { refinetune_from: from, training_type: type, chosen, halving } = training;
    const key = JSON.stringify([base, from, type, chosen, halving === null]);
    if (!known.has(key))
      known.set(key, trainer ? await findRefusal(trainer, training, () => findBase(queued)) : NO_TRAINER);
    const refusal = known.get(key) ?? null;
    let reason = training.reason;
    const wait = refusal !== null && isShared ? 'It waits for a worker that takes it.' : refusal;
    if (isPaused(queued)) reason = training.reason;
    else if (wait !== null) reason = training.reason === LOST ? `${LOST} ${wait}` : wait;
    else if (run.status === 'pending') reason = 'It waits for the run that it goes on from.';
    else reason = toWait({ ahead, running, isShared }) ?? training.reason;
    if (refusal === null && !isPaused(queued)) ahead += 1;
    places.set(run.id, { position: at + 1, reason });
  }
  return places;
}

export async function describeWaiting(deps: DescribeDeps): Promise<TrainingQueue['waiting']> {
  const places = await readPlaces(deps);
  const waiting = await listWaiting(deps.orm);
  return waiting.slice(0, JOB_LIMITS.waiting).map(({ run, training: { launcher } }, at) => ({
    experiment_id: run.id,
    job_id: run.job_id,
    position: at + 1,
    reason: places.get(run.id)?.reason ?? null,
    launcher,
  }));
}

function toActions({ run, training }: QueuedRun): TrainingAction[] {
  const { wish } = training;
  if (isActiveStatus(run.status)) {
    const more: TrainingAction[] = run.status === 'running' && wish === null ? ['stop'] : [];
    return wish === 'cancel' ? [] : ['cancel', ...more];
  }
  return training.can_resume && !isSucceeded(run.status) ? ['resume'] : [];
}

/** What people asked for and the trainer has not done yet. */
const WISHED = {
  stop: 'It is being stopped: the trainer saves a checkpoint first.',
  cancel: 'It is being cancelled.',
} as const;

/** A number as JSON can carry it. */
const toValue = (value: number): ProgressPoint['loss'] => (Number.isFinite(value) ? value : 'NaN');

const toTime = (at: Date | null): number | null => at?.getTime() ?? null;

/** null: this studio does not train it. */
export async function describeProgress(
  deps: DescribeDeps,
  experimentId: string,
  since: number,
): Promise<TrainingProgress | null> {
  const queued = await findTraining(deps.orm, experimentId);
  if (!queued) return null;
  const { run, training, machine } = queued;
  const place = isActiveStatus(run.status) ? (await readPlaces(deps)).get(run.id) : undefined;
  const listed = await deps.orm.select({ id: models.id }).from(models).where(eq(models.experiment_id, run.id));
  const left = run.status === 'stopped' ? toLeftText((await findLaunches(deps.orm, [run.id])).get(run.id)) : '';
  const own = training.reason ?? run.failure;
  const isListed = new Set(listed.map(({ id }) => id));
  const { points, validations, checkpoints } = await readProgress(deps.orm, experimentId, since);
  return {
    experiment_id: run.id,
    job_id: run.job_id,
    status: run.status,
    ...(isStoppedEarly(run.status, training) && STOPPED_EARLY),
    reason: place ? place.reason : training.wish !== null ? WISHED[training.wish] : own && own + left,
    queue_position: place?.position ?? null,
    actions: toActions(queued),
    step: training.step,
    steps: training.steps,
    seconds_left: training.seconds_left,
    tokens_per_step: training.tokens_per_step,
    started_at: toTime(training.started_at),
    ended_at: toTime(training.ended_at),
    rows_cut: training.rows_cut,
    rows_left_out: training.rows_left_out,
    points: points.map((point) => ({
      step: point.step,
      epoch: point.epoch,
      loss: toValue(point.loss),
      learning_rate: point.learning_rate,
      gradient_norm: point.gradient_norm,
      tokens_per_second: point.tokens_per_second,
      at: point.at.getTime(),
    })),
    validations: validations.map(({ step, loss, exact_match, answers }) => ({
      step,
      loss: loss === null ? null : toValue(loss),
      exact_match,
      answers: [...answers],
    })),
    checkpoints: checkpoints.map(({ step, at, model_id: model }) => ({
      step,
      saved_at: at.getTime(),
      model_id: model !== null && isListed.has(model) ? model : null,
    })),
    ...(machine !== null && { machine }),
    ...(training.launcher !== null && { launcher: training.launcher }),
    ...(run.settings?.parity && { parity: run.settings.parity }),
  };
}

type Training = typeof trainings.$inferSelect;

const STOPPED_EARLY = { status_cause: 'stopped_early' } as const;
const isStoppedEarly = (status: ExperimentStatus, { halving }: Training): boolean =>
  status === 'stopped' && halving?.is_stopped_early === true;

/** What a step of each run took in the end, in seconds, where the trainer said its speed. */
async function readStepSeconds(orm: Orm, runs: readonly Training[]): Promise<ReadonlyMap<string, number>> {
  const { experiment_id: id, step, tokens_per_second } = trainingPoints;
  const ids = runs.map(({ experiment_id }) => experiment_id);
  const last = await orm
    .selectDistinctOn([id], { id, tokens_per_second })
    .from(trainingPoints)
    .where(inArray(id, ids))
    .orderBy(id, desc(step));
  const speedOf = new Map(last.map((row) => [row.id, row.tokens_per_second]));
  return new Map(
    runs.flatMap(({ experiment_id, tokens_per_step: tokens }) => {
      const speed = speedOf.get(experiment_id) ?? 0;
      return tokens !== null && speed > 0 ? [[experiment_id, tokens / speed] as const] : [];
    }),
  );
}

/** What successive halving has stopped and saved; null: the job trains all its runs to their ends. */
async function describeHalving(
  orm: Orm,
  rows: readonly { readonly training: Training; readonly status: ExperimentStatus }[],
): Promise<Job['halving'] | null> {
  const halving = rows[0]?.training.halving;
  if (!halving) return null;
  const early = rows.flatMap(({ training, status }) => (isStoppedEarly(status, training) ? [training] : []));
  const stepSeconds = await readStepSeconds(orm, early);
  const toSum = (values: readonly number[]): number => Math.round(values.reduce((sum, value) => sum + value, 0));
  return {
    eta: halving.eta,
    min_share: halving.min_share,
    stopped_early: early.length,
    seconds: toSum(rows.map(({ training }) => training.seconds)),
    seconds_saved: toSum(
      early.map(({ experiment_id, step, steps }) => ((steps ?? step) - step) * (stepSeconds.get(experiment_id) ?? 0)),
    ),
  };
}

/** Adds the reasons, places and settings of trainings to a job, and the losses of runs that go on. */
export async function describeJob(deps: DescribeDeps, job: Job): Promise<Job> {
  const rows = await deps.orm
    .select({ training: trainings, status: experiments.status })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .where(eq(experiments.job_id, job.id));
  if (rows.length === 0) return job;
  const byId = new Map(rows.map((row) => [row.training.experiment_id, row]));
  const places = rows.some(({ status }) => isActiveStatus(status)) ? await readPlaces(deps) : new Map<string, Place>();
  const going = rows.filter(({ status }) => isActiveStatus(status)).map(({ training }) => training.experiment_id);
  const points =
    going.length === 0
      ? []
      : await deps.orm
          .select({ id: trainingPoints.experiment_id, step: trainingPoints.step, loss: trainingPoints.loss })
          .from(trainingPoints)
          .where(inArray(trainingPoints.experiment_id, going))
          .orderBy(trainingPoints.step);
  const experimentsOf = job.experiments.map((experiment) => {
    const row = byId.get(experiment.id);
    if (!row) return experiment;
    const { training } = row;
    const place = places.get(experiment.id);
    const reason = place ? place.reason : training.reason;
    const losses = points.filter(({ id }) => id === experiment.id);
    return {
      ...experiment,
      training_type: training.training_type,
      chosen_settings: { ...training.chosen },
      ...(training.refinetune_from !== null && { refinetune_from_experiment_id: training.refinetune_from }),
      ...(isStoppedEarly(row.status, training) && STOPPED_EARLY),
      ...(reason !== null && experiment.failure === undefined && { reason }),
      ...(place && place.position !== null && { queue_position: place.position }),
      ...(training.ended_at && { ended_at: training.ended_at.toISOString() }),
      ...(losses.length > 0 && {
        losses: losses.map(({ step, loss }) => ({ step, loss: Number.isFinite(loss) ? loss : null })),
      }),
    };
  });
  const halving = await describeHalving(deps.orm, rows);
  const launcher = rows[0]?.training.launcher ?? null;
  return { ...job, ...(launcher !== null && { launcher }), ...(halving && { halving }), experiments: experimentsOf };
}
