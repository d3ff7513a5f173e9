// The files of models in the data folder: how one gets a name that no other has, its other forms, and how all of them go.
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Orm } from '#service/database/database.ts';
import { models } from '#service/database/tables.ts';

const MODELS_FOLDER = 'models';
const LONGEST_STEM = 120;

/** `models/ft-base-1a2b3c4d.gguf`: a file that a studio put into the data folder, and no path that leads out of it. */
export const isOwnFile = (file: string): boolean => /^models[/\\]ft-[\w.-]+\.gguf$/.test(file) && !file.includes('..');

/** A hub name holds a slash. No dots: what follows one is the name of another form of the model. */
const toStem = (modelId: string): string =>
  modelId
    .replaceAll('.', '_')
    .replaceAll(/[^\w-]+/g, '-')
    .slice(0, LONGEST_STEM);

/** Some file systems hold `A` and `a` for one name. */
const toFirstPart = (name: string): string => name.slice(0, name.indexOf('.')).toLowerCase();

/** Makes an empty file. false: there is a file of this name, which stays as it is. */
async function makeFile(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes a name for the file of a model, which is empty then: many ids make the same name, so it gets a number where another
 * file has it. Resolves to its place in the data folder. Throws the error of a disk that fails.
 */
export async function claimModelFile(dataDir: string, modelId: string): Promise<string> {
  const folder = join(dataDir, MODELS_FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const taken = new Set((await readdir(folder)).map(toFirstPart));
  const stem = toStem(modelId);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (taken.has(name.toLowerCase())) continue;
    if (await makeFile(join(folder, `${name}.gguf`))) return join(MODELS_FOLDER, `${name}.gguf`);
  }
}

/** Moves a file to a place that is the caller's, also to another disk: whole or not at all. `isKept`: a copy of it. */
export async function moveFile(from: string, to: string, isKept: boolean): Promise<void> {
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

/** `models/ft-base-1a2b3c4d.gguf` and `merged F16` -> `models/ft-base-1a2b3c4d.merged-F16.gguf`. */
export const toFormFile = (modelFile: string, format: string): string =>
  join(dirname(modelFile), `${basename(modelFile, '.gguf')}.${format.replaceAll(' ', '-')}.gguf`);

interface KeptForm {
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
    // With a dot it is a model of its own, whose name begins in the same way.
    return /^[\w-]+$/.test(format)
      ? [{ format: format.replaceAll('-', ' '), path: join(dirname(modelPath), name) }]
      : [];
  });
  return Promise.all(forms.map(async ({ format, path }) => ({ format, path, bytes: (await stat(path)).size })));
}

/** Removes a model's file with its other forms, if it is one of the data folder: none that a model of the list has. */
export async function removeModelFiles(orm: Orm, dataDir: string, file: string): Promise<void> {
  if (!isOwnFile(file)) return;
  const rows = await orm.select({ file: models.file, adapter: models.adapter }).from(models);
  const used = new Set(rows.flatMap((row) => [row.file, row.adapter]));
  if (used.has(file)) return;
  const path = join(dataDir, file);
  const forms = (await listForms(path)).filter((form) => !used.has(join(MODELS_FOLDER, basename(form.path))));
  for (const each of [...forms.map((form) => form.path), path, `${path}.part`]) await rm(each, { force: true });
}

/** Takes a model out of the list, with its files. */
export async function removeModel(orm: Orm, dataDir: string, id: string): Promise<void> {
  const [gone] = await orm.delete(models).where(eq(models.id, id)).returning();
  if (gone) await removeModelFiles(orm, dataDir, gone.adapter ?? gone.file);
}
