// Makes jobs: each request exactly once, all of its records or none.
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm';
import { toIssue } from '#core/contract/issues.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { toRequested, type Objective } from '#core/contract/trainingSettings.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import {
  createJobSchema,
  findRowShortage,
  toNewTrainingType,
  type CreateJob,
  type NewExperiment,
  type TrainingType,
} from '#features/training/shared/createJob.ts';
import { countCandidates, findOtherLoss, toOtherLossText, toRunHalving } from '#features/training/shared/halving.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { datasets, experiments, jobs, notDeleted, projects, snapshots } from '#service/database/tables.ts';
import { found } from '#service/http/httpProblem.ts';
import type { OpenLaunchers } from './launchers/openLaunchers.ts';
import { checkQueueRoom } from './queueRoom.ts';
import { toGivenSettings } from './results.ts';
import { toJobSettings } from './runFolder.ts';
import {
  checkAdapter,
  checkSettings,
  toRunLabels,
  toWholeChoice,
  type SettingDeps,
  type Source,
} from './newJobSettings.ts';
import { TrainingProblem } from './trainer.ts';
import { jobRequests, trainings } from './trainingTables.ts';

export interface NewJobDeps extends SettingDeps {
  readonly database: Database;
  readonly now: () => Date;
  /** Whether a base model of this id is known here, even if nothing can train it. */
  readonly isKnownBase: (id: string) => Promise<boolean>;
  /** Why nothing can train in this way; null: it can, or that is not known. */
  readonly refuseType: (type: TrainingType) => string | null;
  /** Why nothing pauses at a rung; null: something does. */
  readonly refusePause: string | null;
  readonly launchers: Pick<OpenLaunchers, 'names' | 'refuse'>;
  /** Why a base model would learn nothing of a snapshot; null: it would learn something, or that is not known. */
  readonly findNothingTrained: (snapshotId: string, baseModel: string) => Promise<string | null>;
  /** Why no row of a snapshot is one to learn from in this way; null: one is. */
  readonly findMisfit: (snapshotId: string, objective: Objective) => Promise<string | null>;
}

const toDigest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The jobs that are there: neither they nor anything above them was deleted. */
const listJobs = (orm: Orm) =>
  orm
    .select({ id: jobs.id })
    .from(jobs)
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(notDeleted(jobs, snapshots, datasets, projects));

/** A key of a job that was deleted is as good as new. */
async function findRequest(orm: Orm, key: string, digest: string): Promise<string | null> {
  const [known] = await orm
    .select()
    .from(jobRequests)
    .where(and(eq(jobRequests.key, key), inArray(jobRequests.job_id, listJobs(orm))));
  if (!known) return null;
  if (known.digest === digest) return known.job_id;
  throw new TrainingProblem(
    409,
    'This Idempotency-Key was used for another request. Use a new key for each job, and the same key only to send the ' +
      'same request again.',
    'idempotency_key_reused',
    'Idempotency-Key',
  );
}

/** Resolves to the number of its validation rows. */
async function checkSnapshot(orm: Orm, id: string): Promise<number> {
  const [row] = await orm
    .select({ training_count: snapshots.training_count, validation_count: snapshots.validation_count })
    .from(snapshots)
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(eq(snapshots.id, id), notDeleted(snapshots, datasets, projects)));
  const { training_count: count, validation_count } = found(row ?? null, 'snapshot', id, 'snapshot_id');
  const shortage = findRowShortage(count);
  if (shortage !== null) throw new TrainingProblem(400, shortage, 'too_few_rows', 'snapshot_id');
  return validation_count;
}

/** Each experiment that a new one goes on from. */
async function checkSources(orm: Orm, { experiments: wanted }: CreateJob): Promise<ReadonlyMap<string, Source>> {
  const ids = wanted.flatMap(({ refinetune_from_experiment_id: id }) => (id == null ? [] : [id.toLowerCase()]));
  if (ids.length === 0) return new Map();
  const rows = await orm.select().from(experiments).where(inArray(experiments.id, ids));
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const [at, wish] of wanted.entries()) {
    const { refinetune_from_experiment_id: id, base_model_id: base } = wish;
    if (id == null) continue;
    const param = `experiments[${at}].refinetune_from_experiment_id`;
    const source = found(known.get(id.toLowerCase()) ?? null, 'experiment', id, param);
    if (source.base_model_id !== base)
      throw new TrainingProblem(
        400,
        `Experiment ${id} has the base model ${source.base_model_id}, not ${base}. A run that goes on from it needs the same.`,
        'other_base_model',
        param,
      );
    if (!isActiveStatus(source.status) && (!isSucceeded(source.status) || source.model_id === null))
      throw new TrainingProblem(
        400,
        `Experiment ${id} has no model to go on from: it is ${source.status}.`,
        'no_model_to_go_on_from',
        param,
      );
    checkAdapter(wish, source, at);
  }
  return known;
}

async function checkBases({ isKnownBase }: NewJobDeps, { experiments: wanted }: CreateJob): Promise<void> {
  const known = new Map<string, boolean>();
  for (const [at, { base_model_id: id }] of wanted.entries()) {
    const isKnown = known.get(id) ?? (await isKnownBase(id));
    known.set(id, isKnown);
    if (!isKnown)
      throw new TrainingProblem(
        400,
        `The base model ${id} is not known here. Take one of the recommendation, or one of GET /api/v1/models.`,
        'unknown_base_model',
        `experiments[${at}].base_model_id`,
      );
  }
}

function checkLauncher({ launchers }: NewJobDeps, { studio }: CreateJob): void {
  const name = studio?.launcher ?? null;
  if (name !== null && studio?.halving != null)
    throw new TrainingProblem(
      400,
      'A launcher places whole runs, which are not stopped early. Leave the launcher or the halving out.',
      'unsupported_halving',
      'studio.halving',
    );
  if (name === null) return;
  const { names } = launchers;
  const refusal = launchers.refuse(name);
  if (refusal !== null) throw new TrainingProblem(400, refusal, 'unreachable_studio', 'studio.launcher');
  if (names.includes(name)) return;
  const known = names.length === 0 ? 'None is configured.' : `There are: ${names.join(', ')}.`;
  throw new TrainingProblem(
    400,
    `There is no launcher ${name} here. ${known} The operator's launchers.json names them.`,
    'unknown_launcher',
    'studio.launcher',
  );
}

function checkTypes({ refuseType }: NewJobDeps, { experiments: wanted }: CreateJob): void {
  for (const [at, { lora, training_type }] of wanted.entries()) {
    const reason = refuseType(toNewTrainingType({ lora, training_type }));
    if (reason !== null)
      throw new TrainingProblem(400, reason, 'unsupported_training_type', `experiments[${at}].training_type`);
  }
}

async function checkTrained({ findNothingTrained, findMisfit }: NewJobDeps, request: CreateJob): Promise<void> {
  const snapshot = request.snapshot_id.toLowerCase();
  const known = new Map<string, string | null>();
  const once = async (key: string, find: () => Promise<string | null>): Promise<string | null> => {
    const reason = known.has(key) ? (known.get(key) ?? null) : await find();
    known.set(key, reason);
    return reason;
  };
  for (const [at, { base_model_id: base, objective }] of request.experiments.entries()) {
    const refuse = (text: string, field: string): never => {
      throw new TrainingProblem(400, text, 'nothing_trained', `experiments[${at}].${field}`);
    };
    const wanted = objective ?? 'sft';
    const misfit = await once(` ${wanted}`, () => findMisfit(snapshot, wanted));
    if (misfit !== null) refuse(misfit, 'objective');
    const reason = wanted === 'sft' ? await once(base, () => findNothingTrained(snapshot, base)) : null;
    if (reason !== null) refuse(`${base}: ${reason}`, 'base_model_id');
  }
}

function checkHalving({ refusePause }: NewJobDeps, request: CreateJob, validationRows: number): void {
  const halving = toRunHalving(request);
  if (halving === null) return;
  const refuse = (message: string, code: string, param = 'studio.halving'): never => {
    throw new TrainingProblem(400, message, code, param);
  };
  const candidates = countCandidates(request.experiments);
  if (candidates < halving.eta)
    refuse(
      `Of ${halving.eta} candidates one goes on, and the job has ${candidates}: runs that differ by their seed alone are ` +
        `one. ${candidates > 1 ? `Take eta ${candidates}, a` : 'A'}dd runs with other settings, or leave halving out.`,
      'too_few_candidates',
      'studio.halving.eta',
    );
  if (validationRows === 0)
    refuse(
      'Candidates are compared by their validation loss, and the snapshot has no validation rows. Make a snapshot with ' +
        'some, or leave halving out.',
      'no_validation_rows',
    );
  const other = findOtherLoss(request.experiments);
  if (other !== null) refuse(toOtherLossText(other), 'other_loss', `experiments[${other.at}].${other.name}`);
  if (refusePause !== null) refuse(refusePause, 'unsupported_halving');
}

class UsedMeanwhile extends Error {}

async function insertJob(
  orm: Orm,
  request: CreateJob,
  sources: ReadonlyMap<string, Source>,
  {
    id: jobId,
    now,
    key,
    digest,
    askedBy,
  }: { id: string; now: Date; key: string | null; digest: string; askedBy: string | null },
): Promise<void> {
  await checkQueueRoom(orm, request.experiments.length, askedBy);
  const snapshot_id = request.snapshot_id.toLowerCase();
  const [last] = await orm
    .select({ position: sql<number | null>`max(${jobs.position})` })
    .from(jobs)
    .where(eq(jobs.snapshot_id, snapshot_id));
  await orm.insert(jobs).values({
    id: jobId,
    snapshot_id,
    position: (last?.position ?? -1) + 1,
    label: request.name,
    status: 'processing',
    reasoning: false,
    created_at: now,
  });
  if (key !== null) {
    await orm.delete(jobRequests).where(and(eq(jobRequests.key, key), notInArray(jobRequests.job_id, listJobs(orm))));
    const made = await orm
      .insert(jobRequests)
      .values({ key, digest, job_id: jobId, created_at: now })
      .onConflictDoNothing()
      .returning({ key: jobRequests.key });
    // Undoes the job. The one that was made with this key meanwhile is answered.
    if (made.length === 0) throw new UsedMeanwhile();
  }
  const entries = request.experiments.map((wanted, at) => {
    const type = toNewTrainingType(wanted);
    const source = wanted.refinetune_from_experiment_id?.toLowerCase() ?? null;
    const waits = source !== null && !isSucceeded(sources.get(source)?.status);
    const kept = {
      training_type: type,
      chosen: toWholeChoice(wanted, type, source === null ? undefined : sources.get(source)),
      seed: wanted.seed ?? randomInt(1, 2 ** 31 - 1),
    };
    return { id: randomUUID(), at, wanted, kept, source, status: waits ? 'pending' : 'queued' } as const;
  });
  const labels = toRunLabels(request);
  const halving = toRunHalving(request);
  await orm.insert(experiments).values(
    entries.map(({ id, at, wanted, kept, status }) => ({
      id,
      job_id: jobId,
      experiment_number: at + 1,
      label: labels[at] ?? '',
      status,
      base_model_id: wanted.base_model_id,
      lora: kept.training_type !== 'full',
      n_epochs: wanted.n_epochs,
      batch_size: wanted.batch_size,
      learning_rate_multiplier: wanted.learning_rate_multiplier,
      settings: toGivenSettings(toJobSettings(kept)),
      created_at: now,
    })),
  );
  const [end] = await orm.select({ position: sql<number | null>`max(${trainings.position})` }).from(trainings);
  await orm.insert(trainings).values(
    entries.map(({ id, at, kept, source }) => ({
      experiment_id: id,
      launcher: request.studio?.launcher ?? null,
      training_type: kept.training_type,
      chosen: kept.chosen,
      halving,
      seed: kept.seed,
      refinetune_from: source,
      asked_by: askedBy,
      position: (end?.position ?? 0) + at + 1,
    })),
  );
}

/**
 * Makes a job and puts its experiments into the queue. The same key and request give the same job again.
 * Throws HttpProblem: 404 or 400 that names the field, 409 for a key of another request, 429 for a full queue.
 */
export async function createJob(
  deps: NewJobDeps,
  request: CreateJob,
  { key, askedBy }: { readonly key: string | null; readonly askedBy: string | null },
): Promise<string> {
  const { database, now } = deps;
  const { orm, guard } = database;
  const digest = toDigest(request);
  const known = key === null ? null : await guard(() => findRequest(orm, key, digest));
  if (known !== null) return known;
  checkLauncher(deps, request);
  const validationRows = await guard(() => checkSnapshot(orm, request.snapshot_id.toLowerCase()));
  await checkBases(deps, request);
  checkTypes(deps, request);
  await checkSettings(deps, request);
  checkHalving(deps, request, validationRows);
  const sources = await guard(() => checkSources(orm, request));
  await checkTrained(deps, request);
  const id = randomUUID();
  try {
    await guard(() =>
      orm.transaction((inner) => insertJob(inner, request, sources, { id, now: now(), key, digest, askedBy })),
    );
    return id;
  } catch (error) {
    const isUsed = error instanceof UsedMeanwhile && key !== null;
    const made = isUsed ? await guard(() => findRequest(orm, key, digest)) : null;
    if (made === null) throw error;
    return made;
  }
}

/** Throws TrainingProblem 400: a job that came in with a project may have any numbers. */
function checkAgain(request: CreateJob): CreateJob {
  const read = createJobSchema.safeParse(request, { reportInput: true });
  if (read.success) return request;
  const { message } = toIssue(read.error.issues);
  throw new TrainingProblem(
    400,
    `This job can't be run again as it is: ${message} Start another one with other settings.`,
    'can_not_duplicate',
    'jobId',
  );
}

export const toExperimentAgain = (
  run: typeof experiments.$inferSelect,
  training: typeof trainings.$inferSelect | null,
): NewExperiment => ({
  base_model_id: run.base_model_id,
  batch_size: run.batch_size,
  n_epochs: run.n_epochs,
  learning_rate_multiplier: run.learning_rate_multiplier,
  training_type: training?.training_type ?? (run.lora ? 'lora' : 'full'),
  refinetune_from_experiment_id: training?.refinetune_from ?? null,
  ...(training && toRequested(training.chosen)),
});

/** A request that makes the job again; null: there is no such job. Throws TrainingProblem 400. */
export async function toRequestAgain(orm: Orm, jobId: string): Promise<CreateJob | null> {
  const [job] = await orm
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, jobId), isNull(jobs.deleted_at)));
  if (!job) return null;
  const rows = await orm
    .select({ run: experiments, training: trainings })
    .from(experiments)
    .leftJoin(trainings, eq(trainings.experiment_id, experiments.id))
    .where(eq(experiments.job_id, jobId))
    .orderBy(experiments.experiment_number);
  const again = / \((\d+)\)$/.exec(job.label);
  const name = again ? job.label.slice(0, -again[0].length) : job.label;
  const number = again ? Number(again[1]) + 1 : 2;
  const end = ` (${number})`;
  const halving = rows[0]?.training?.halving;
  const launcher = rows[0]?.training?.launcher ?? null;
  return checkAgain({
    snapshot_id: job.snapshot_id,
    name: name.slice(0, JOB_LIMITS.name - end.length) + end,
    experiments: rows.map(({ run, training }) => toExperimentAgain(run, training)),
    ...(launcher !== null && { studio: { launcher } }),
    ...(halving && { studio: { halving: { eta: halving.eta, min_share: halving.min_share } } }),
  });
}
