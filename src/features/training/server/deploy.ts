// Makes a model to chat with of what a trainer left.
import { readdir, realpath, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import type { TrainerResult } from '#trainer/protocol/trainerProtocol.ts';
import { readTriedStep, toTunedId } from '#features/training/shared/trainedModelIds.ts';
import { toReason, type Database, type Orm } from '#service/database/database.ts';
import type { HeldLease } from '#service/database/leases/leases.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import { models } from '#service/database/tables.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { findGgufProblem } from '#engine/gguf/ggufFile.ts';
import { tryConvert } from '#features/serving/server/convertedFiles.ts';
import { keepFile } from './keptFiles.ts';
import { claimModelFile, isOwnFile, moveFile, removeModel, removeModelFiles, toFormFile } from './modelFiles.ts';
import type { QueuedRun } from './queue.ts';
import { CannotTrain, removeRunFolder, type RunFolder } from './runFolder.ts';
import type { TrainingBase } from './trainer.ts';
import { trainingValidations } from './trainingTables.ts';

/** `owned_by` of the models that are trained here. */
const TUNED_OWNER = 'studio';

/** A file of the sample by its name, because the product may move; any other by its path. */
export function toStored(path: string): string {
  const name = basename(path);
  return toSamplePath(name) === path ? name : path;
}

/** The weights are whole as far as anybody can see, but nothing here answers with them. The message says why. */
class CannotAnswer extends Error {
  override readonly name = 'CannotAnswer';
}

/** The file or folder that a trainer names, which must be in its output folder. Throws CannotTrain. */
async function findResult(
  { output }: RunFolder,
  file: string,
  disk: Files,
  kind: 'file' | 'folder' = 'file',
): Promise<string> {
  const path = resolve(output, file);
  // It may be a link to a mount that hangs.
  const found = await disk.find(path).catch((error: unknown) => {
    if (error instanceof Silence) throw new CannotTrain(`The trainer's file ${file} can't be read: ${error.message}.`);
    return null;
  });
  if (found === null)
    throw new CannotTrain(`The trainer said that it left the model in ${file}, but there is no such ${kind}.`);
  const real = found.path;
  const inside = relative(await realpath(output), real);
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new CannotTrain(`The trainer named the model ${file}, which is not in its output folder.`);
  // Whoever opens a pipe waits for somebody to write into it.
  if (found.kind !== kind) throw new CannotTrain(`The trainer named the model ${file}, which is no ${kind}.`);
  return real;
}

const CONFIGS = { peft: 'adapter_config.json', hf: 'config.json' } as const;
const WEIGHTS = /\.(safetensors|bin|pt|pth)$/;

/** Writes what a trainer saved in a folder to `target`. Throws CannotTrain for what are no weights, and CannotAnswer. */
async function convertFolder(
  { folder: name, kind }: Extract<TrainerResult['model'], { folder: string }>,
  target: string,
  { folder, base, disk = nearFiles, queued }: DeployOptions,
): Promise<void> {
  const path = await findResult(folder, name, disk, 'folder');
  const files = await readdir(path);
  if (!files.includes(CONFIGS[kind])) throw new CannotTrain(`The trainer's folder ${name} has no ${CONFIGS[kind]}.`);
  if (!files.some((file) => WEIGHTS.test(file))) throw new CannotTrain(`The trainer's folder ${name} has no weights.`);
  if (kind === 'peft' && base.file === null)
    throw new CannotAnswer(
      `The weights of ${base.id} are not here. Start the service with --model ${base.id}=FILE.gguf next time.`,
    );
  const root = await realpath(folder.output);
  const place = { root, folder: relative(root, path).split(sep).join('/'), recorded: {} };
  const problem = await tryConvert(
    kind === 'peft'
      ? { place, target, kind: 'adapter', base: base.file ?? '' }
      : { place, target, kind: 'full', name: toTunedId(base.id, queued.run.id, undefined, 1), form: 'q8_0' },
  );
  if (problem !== null) throw new CannotAnswer(problem);
}

export interface DeployOptions {
  readonly dataDir: string;
  readonly folder: RunFolder;
  readonly queued: QueuedRun;
  readonly base: TrainingBase;
  /** Asks about what the trainer names. */
  readonly disk?: Files | undefined;
  readonly now: () => Date;
  /** Of a checkpoint: the file stays where it is, and the model has another id. */
  readonly step?: number;
}

interface ModelValues extends Omit<typeof models.$inferInsert, 'id' | 'position' | 'owned_by' | 'aliases'> {
  readonly experiment_id: string;
}

/** Puts a model into the list, or in the place of an older one of its run. false: the id is that of another run's model. */
async function list(orm: Orm, id: string, values: ModelValues): Promise<boolean> {
  const [last] = await orm.select({ position: sql<number | null>`max(${models.position})` }).from(models);
  const made = await orm
    .insert(models)
    .values({ id, ...values, aliases: [], owned_by: TUNED_OWNER, position: (last?.position ?? -1) + 1 })
    .onConflictDoUpdate({ target: models.id, set: values, setWhere: eq(models.experiment_id, values.experiment_id) })
    .returning({ id: models.id });
  return made.length > 0;
}

/** The first id that no other run's model has, and the file that this run made before under it; null: none. */
async function findPlace(
  orm: Orm,
  experimentId: string,
  toId: (number: number) => string,
): Promise<{ readonly number: number; readonly older: string | null }> {
  for (let number = 1; ; number += 1) {
    const [found] = await orm
      .select()
      .from(models)
      .where(eq(models.id, toId(number)));
    if (found && found.experiment_id !== experimentId) continue;
    const file = found?.adapter ?? found?.file ?? '';
    return { number, older: isOwnFile(file) ? file : null };
  }
}

export interface Deployed {
  readonly id: string;
  /** Its place in the data folder; null: another server has it. */
  readonly file: string | null;
}

/**
 * Checks the trained weights and registers them as a model. Throws CannotTrain for weights that are not whole, CannotAnswer
 * for a folder whose weights can't be converted, LeaseLost, or the error of a disk that fails.
 */
export async function deployModel(
  held: Pick<HeldLease, 'check' | 'write'>,
  model: TrainerResult['model'],
  options: DeployOptions,
): Promise<Deployed> {
  const { folder, disk = nearFiles } = options;
  if ('served_as' in model) return { id: model.served_as, file: null };
  if ('folder' in model) {
    // Beside the output, which is kept.
    const target = join(folder.path, 'converted.gguf');
    try {
      await convertFolder(model, target, options);
      return await register(held, { path: target, kind: model.kind === 'hf' ? 'gguf' : 'adapter' }, options);
    } finally {
      await rm(target, { force: true });
    }
  }
  return register(held, { path: await findResult(folder, model.file, disk), kind: model.kind }, options);
}

/** Takes a GGUF file. Throws as deployModel does. */
async function register(
  held: Pick<HeldLease, 'check' | 'write'>,
  model: { readonly path: string; readonly kind: 'gguf' | 'adapter' },
  { dataDir, queued, base, now, step }: DeployOptions,
): Promise<Deployed> {
  const { path } = model;
  const problem = await findGgufProblem(path, model.kind);
  if (problem !== null) throw new CannotTrain(`The trainer left a model that can not be used. ${problem}`);
  if (model.kind === 'adapter' && base.file === null)
    throw new CannotTrain(
      `The trainer left an adapter, but the weights of ${base.id} are not here. Start the service with --model ` +
        `${base.id}=FILE.gguf, or let the trainer merge it.`,
    );
  const { id: experiment_id } = queued.run;
  const toId = (number: number): string => toTunedId(base.id, experiment_id, step, number);
  const { number: first, older } = await held.write((orm) => findPlace(orm, experiment_id, toId));
  const file = older ?? (await claimModelFile(dataDir, toId(first)));
  await held.write((orm) => keepFile(orm, dataDir, file, experiment_id));
  const values = {
    experiment_id,
    ...(model.kind === 'gguf' ? { file, adapter: null } : { file: toStored(base.file ?? ''), adapter: file }),
    about: `${base.id}, trained in this studio${step === undefined ? '' : `, at step ${step}`}.`,
    created_at: now(),
  };
  try {
    held.check();
    await moveFile(path, join(dataDir, file), step !== undefined);
    // An import may have taken the id meanwhile.
    for (let number = first; ; number += 1)
      if (await held.write((orm) => list(orm, toId(number), values))) return { id: toId(number), file };
  } catch (error) {
    await held.write((orm) => removeModelFiles(orm, dataDir, file)).catch(() => undefined);
    throw error;
  }
}

/**
 * Registers the model of a result, and loads it once. `reason`: why nothing here answers with a folder, which is kept all the
 * same; its `id` is null then. Throws as deployModel does, but no CannotAnswer, and CannotTrain for a model that can't be loaded.
 */
export async function deployResult(
  held: Pick<HeldLease, 'check' | 'write'>,
  model: TrainerResult['model'],
  options: DeployOptions,
  tryModel: (id: string) => Promise<string | null>,
): Promise<{ readonly id: string | null; readonly file: string | null; readonly reason: string | null }> {
  try {
    const made = await deployModel(held, model, options);
    const problem = made.file === null ? null : await tryModel(made.id);
    if (problem === null) return { ...made, reason: null };
    await held.write((orm) => removeModel(orm, options.dataDir, made.id));
    if ('folder' in model) throw new CannotAnswer(problem);
    throw new CannotTrain(`The trainer left a model that can not be loaded. ${problem}`);
  } catch (error) {
    if (!(error instanceof CannotAnswer)) throw error;
    const reason = `It was trained, and its files are kept, but this studio can't answer with them. ${error.message}`;
    return { id: null, file: null, reason };
  }
}

/**
 * Keeps the other forms of a model beside its file. `note` is told of one that can't be used; the model itself stands without
 * it.
 */
export async function keepForms(
  { dataDir, folder, disk = nearFiles }: Pick<DeployOptions, 'dataDir' | 'folder' | 'disk'>,
  modelFile: string,
  files: TrainerResult['files'],
  note: (text: string) => void,
): Promise<void> {
  for (const { format, file } of files ?? []) {
    try {
      const path = await findResult(folder, file, disk);
      const problem = (await findGgufProblem(path, 'gguf')) && (await findGgufProblem(path, 'adapter'));
      if (problem !== null) throw new CannotTrain(problem);
      await moveFile(path, join(dataDir, toFormFile(modelFile, format)), false);
    } catch (error) {
      note(`The file ${format} is not kept: ${toReason(error)}`);
    }
  }
}

/** Of a run's checkpoints, so many of the last ones have a model while it goes on, and the best one. */
const KEPT_TRIED = 3;

/** The step with the lowest validation loss; null: none was measured. */
async function findBestStep(orm: Orm, experimentId: string): Promise<number | null> {
  const { step, loss, experiment_id } = trainingValidations;
  const [best] = await orm
    .select({ step })
    .from(trainingValidations)
    .where(and(eq(experiment_id, experimentId), sql`${loss} < 'infinity'`))
    .orderBy(loss)
    .limit(1);
  return best?.step ?? null;
}

export interface RemovalDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly dataDir: string;
  readonly report: (line: string) => void;
}

/**
 * Removes what is left of a run that can't go on: the models of its checkpoints, and its folder. Never throws: the next
 * start removes what can't be removed now.
 */
export async function removeRemains({ database, dataDir, report }: RemovalDeps, experimentId: string): Promise<void> {
  try {
    await removeTried(database.orm, dataDir, experimentId, 'none');
    await removeRunFolder(dataDir, experimentId);
  } catch (error) {
    report(`The files of an ended training could not be removed: ${toReason(error)}. The next start tries again.`);
  }
}

const isTuned = eq(models.owned_by, TUNED_OWNER);

/** The runs that have models of checkpoints in the list, which were made here. */
export async function listTriedRuns(orm: Orm): Promise<readonly string[]> {
  const rows = await orm
    .selectDistinct({ id: models.experiment_id })
    .from(models)
    .where(and(isTuned, sql`${models.id} ~ '-step-[0-9]+$'`));
  return rows.flatMap(({ id }) => id ?? []);
}

/**
 * Takes models of a run's checkpoints out of the list. `going`: the last ones and the best stay. `done`: the best one stays,
 * unless it is what the run has ended with. `none`: all go.
 */
export async function removeTried(
  orm: Orm,
  dataDir: string,
  experimentId: string,
  which: 'going' | 'done' | 'none',
): Promise<void> {
  const rows = await orm
    .select({ id: models.id })
    .from(models)
    .where(and(isTuned, eq(models.experiment_id, experimentId)));
  const tried = rows
    .flatMap(({ id }) => {
      const step = readTriedStep(id);
      return step === null ? [] : [{ id, step }];
    })
    .toSorted((one, other) => other.step - one.step);
  const best = which === 'none' ? null : await findBestStep(orm, experimentId);
  const isKept = (step: number, place: number): boolean => {
    if (which === 'going') return place < KEPT_TRIED || step === best;
    return step === best && place > 0;
  };
  for (const [place, { id, step }] of tried.entries()) if (!isKept(step, place)) await removeModel(orm, dataDir, id);
}
