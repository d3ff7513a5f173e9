// Makes a model to chat with of what a trainer left.
import { copyFile, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import type { TrainerResult } from '#shared/contract/training/trainerProtocol.ts';
import { toReason, type Database, type Orm } from '#server/studio/database.ts';
import { toSamplePath } from '#server/studio/sampleFiles.ts';
import { models } from '#server/studio/tables.ts';
import { findGgufProblem } from './ggufFile.ts';
import type { QueuedRun } from './queue.ts';
import { CannotTrain, removeRunFolder, type RunFolder } from './runFolder.ts';
import type { TrainingBase } from './trainer.ts';
import { trainingValidations } from './trainingTables.ts';

export const MODELS_FOLDER = 'models';
const TUNED_OWNER = 'studio';

/** `ft-<base>-<first 8 hex digits of the experiment's id>`. */
const toModelId = (baseId: string, experimentId: string): string =>
  `ft-${baseId}-${experimentId.replaceAll('-', '').slice(0, 8)}`;

/** A name for a file: a hub name holds a slash. */
export const toFileName = (modelId: string): string => `${modelId.replaceAll(/[^\w.-]+/g, '-')}.gguf`;

/** A file of the sample by its name, because the product may move; any other by its path. */
export function toStored(path: string): string {
  const name = basename(path);
  return toSamplePath(name) === path ? name : path;
}

/** The file that a trainer names, which must be in its output folder. Throws CannotTrain. */
async function findResult({ output }: RunFolder, file: string): Promise<string> {
  const path = resolve(output, file);
  const [real, root] = await Promise.all([realpath(path).catch(() => null), realpath(output)]);
  if (real === null)
    throw new CannotTrain(`The trainer said that it left the model in ${file}, but there is no such file.`);
  const inside = relative(root, real);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
    throw new CannotTrain(`The trainer named the model ${file}, which is not in its output folder.`);
  return real;
}

/** Moves a file, also to another disk: whole or not at all. */
async function moveFile(from: string, to: string, isKept: boolean): Promise<void> {
  if (!isKept) {
    const isMoved = await rename(from, to).then(
      () => true,
      () => false,
    );
    if (isMoved) return;
  }
  const part = `${to}.part`;
  try {
    await copyFile(from, part);
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

export interface DeployOptions {
  readonly dataDir: string;
  readonly folder: RunFolder;
  readonly queued: QueuedRun;
  readonly base: TrainingBase;
  readonly now: () => Date;
  /** Of a checkpoint: the file stays where it is, and the model has another id. */
  readonly step?: number;
}

/** Puts a model into the list of models. */
async function register(
  orm: Orm,
  record: Omit<typeof models.$inferInsert, 'position' | 'owned_by' | 'aliases'>,
): Promise<void> {
  const { id, ...values } = record;
  const [last] = await orm.select({ position: sql<number | null>`max(${models.position})` }).from(models);
  await orm
    .insert(models)
    .values({ id, ...values, aliases: [], owned_by: TUNED_OWNER, position: (last?.position ?? -1) + 1 })
    .onConflictDoUpdate({ target: models.id, set: values });
}

/**
 * Checks the trained weights and registers them as a model. Resolves to the model's id.
 * Throws CannotTrain for weights that are not whole, or the error of a disk that fails.
 */
export async function deployModel(orm: Orm, model: TrainerResult['model'], options: DeployOptions): Promise<string> {
  const { dataDir, folder, queued, base, now, step } = options;
  if ('served_as' in model) return model.served_as;
  const path = await findResult(folder, model.file);
  const problem = await findGgufProblem(path, model.kind);
  if (problem !== null) throw new CannotTrain(`The trainer left a model that can not be used. ${problem}`);
  if (model.kind === 'adapter' && base.file === null)
    throw new CannotTrain(
      `The trainer left an adapter, but the weights of ${base.id} are not here. Start the service with --model ` +
        `${base.id}=FILE.gguf, or let the trainer merge it.`,
    );
  const id = toModelId(base.id, queued.run.id) + (step === undefined ? '' : `-step-${step}`);
  await mkdir(join(dataDir, MODELS_FOLDER), { recursive: true, mode: 0o700 });
  const file = join(MODELS_FOLDER, toFileName(id));
  await moveFile(path, join(dataDir, file), step !== undefined);
  await register(orm, {
    id,
    experiment_id: queued.run.id,
    ...(model.kind === 'gguf' ? { file, adapter: null } : { file: toStored(base.file ?? ''), adapter: file }),
    about: `${base.id}, trained in this studio${step === undefined ? '' : `, at step ${step}`}.`,
    created_at: now(),
  });
  return id;
}

/** `models/ft-base-1a2b3c4d.gguf` and `merged F16` -> `ft-base-1a2b3c4d.merged-F16.gguf`. */
const toFormName = (modelFile: string, format: string): string =>
  `${basename(modelFile, '.gguf')}.${format.replaceAll(' ', '-')}.gguf`;

/** The file of the model that another form belongs to, as the list of models has it. */
const toMainFile = (name: string): string => join(MODELS_FOLDER, name.replace(/\.[\w-]+\.gguf$/, '.gguf'));

/**
 * Keeps the other forms of a model beside it. `note` is told of one that can't be used; the model itself stands without it.
 */
export async function keepForms(
  { dataDir, folder, queued, base }: Pick<DeployOptions, 'dataDir' | 'folder' | 'queued' | 'base'>,
  files: TrainerResult['files'],
  note: (text: string) => void,
): Promise<void> {
  const model = toFileName(toModelId(base.id, queued.run.id));
  for (const { format, file } of files ?? []) {
    try {
      const path = await findResult(folder, file);
      const problem = (await findGgufProblem(path, 'gguf')) && (await findGgufProblem(path, 'adapter'));
      if (problem !== null) throw new CannotTrain(problem);
      await moveFile(path, join(dataDir, MODELS_FOLDER, toFormName(model, format)), false);
    } catch (error) {
      note(`The file ${format} is not kept: ${toReason(error)}`);
    }
  }
}

export interface KeptForm {
  readonly format: string;
  readonly path: string;
  readonly bytes: number;
}

/** The other forms of a model of this studio, by the path of its own file. */
export async function listForms(modelPath: string): Promise<readonly KeptForm[]> {
  const stem = `${basename(modelPath, '.gguf')}.`;
  const names = await readdir(dirname(modelPath)).catch(() => []);
  const forms = names.toSorted().flatMap((name) => {
    const format = name.startsWith(stem) && name.endsWith('.gguf') ? name.slice(stem.length, -'.gguf'.length) : '';
    return format === '' ? [] : [{ format: format.replaceAll('-', ' '), path: join(dirname(modelPath), name) }];
  });
  return Promise.all(forms.map(async ({ format, path }) => ({ format, path, bytes: (await stat(path)).size })));
}

/** Removes the files of models that are not in the list any more. */
export async function sweepModels(orm: Orm, dataDir: string): Promise<void> {
  const names = await readdir(join(dataDir, MODELS_FOLDER)).catch(() => []);
  if (names.length === 0) return;
  const rows = await orm.select({ file: models.file, adapter: models.adapter }).from(models);
  const used = new Set(rows.flatMap(({ file, adapter }) => [file, adapter]));
  for (const name of names)
    if (/^ft-.*\.gguf(\.part)?$/.test(name) && !used.has(join(MODELS_FOLDER, name)) && !used.has(toMainFile(name)))
      await rm(join(dataDir, MODELS_FOLDER, name), { force: true });
}

/** Takes a model out of the list, with its files. */
export async function removeModel(orm: Orm, dataDir: string, id: string): Promise<void> {
  await orm.delete(models).where(eq(models.id, id));
  const file = join(dataDir, MODELS_FOLDER, toFileName(id));
  for (const { path } of await listForms(file)) await rm(path, { force: true });
  await rm(file, { force: true });
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

/** The runs that have models of checkpoints in the list. */
export async function listTriedRuns(orm: Orm): Promise<readonly string[]> {
  const rows = await orm
    .selectDistinct({ id: models.experiment_id })
    .from(models)
    .where(sql`${models.id} ~ '-step-[0-9]+$'`);
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
  const rows = await orm.select({ id: models.id }).from(models).where(eq(models.experiment_id, experimentId));
  const tried = rows
    .flatMap(({ id }) => {
      const step = /-step-(\d+)$/.exec(id)?.[1];
      return step === undefined ? [] : [{ id, step: Number(step) }];
    })
    .toSorted((one, other) => other.step - one.step);
  const best = which === 'none' ? null : await findBestStep(orm, experimentId);
  const isKept = (step: number, place: number): boolean => {
    if (which === 'going') return place < KEPT_TRIED || step === best;
    return step === best && place > 0;
  };
  for (const [place, { id, step }] of tried.entries()) if (!isKept(step, place)) await removeModel(orm, dataDir, id);
}
