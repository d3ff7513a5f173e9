// Which models are served from runs: kept in the data folder, and checked against the files that they need.
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, numberOr, textOr } from '#core/contract/readJson.ts';
import type { Files } from '#service/files/files.ts';
import { soon } from '#service/files/timeout.ts';
import { replaceFile } from '#features/runs/server/replaceFile.ts';
import { readBaseMark, readWeightsMark, type Marks } from './servedFileStamps.ts';

export interface ServedModel {
  readonly id: string;
  readonly run_id: string;
  readonly checkpoint: string;
  readonly way: 'llama' | 'engine';
  /** Of an adapter: for llama.cpp the path of the model file; for an engine the name of the model there, if it was chosen. */
  readonly base: string | null;
  /** For llama.cpp the converted adapter or model. */
  readonly file: string | null;
  /** Absolute path of the checkpoint. */
  readonly folder: string;
  /** Of what it was made of; null: an earlier version of the studio kept none. */
  readonly marks: Marks | null;
  /** Unix time in seconds. */
  readonly created: number;
}

export interface ServedList {
  read(): readonly ServedModel[];
  /** One change of the list at a time: each writes the whole file. What is not written is not served. */
  change<Value>(work: (keep: (next: readonly ServedModel[]) => Promise<void>) => Promise<Value>): Promise<Value>;
}

const STORE = 'served-models.json';

function toServed(value: unknown): ServedModel[] {
  if (!isObject(value)) return [];
  const { id, run_id, checkpoint, way } = value;
  if (typeof id !== 'string' || typeof run_id !== 'string' || typeof checkpoint !== 'string') return [];
  if (way !== 'llama' && way !== 'engine') return [];
  const base = textOr(value['base'], null);
  const file = textOr(value['file'] ?? value['adapter'], null);
  if (way === 'llama' && file === null) return [];
  const { marks } = value;
  const kept = isObject(marks) ? { weights: textOr(marks['weights'], null), base: textOr(marks['base'], '') } : null;
  const folder = textOr(value['folder'], '');
  return [{ id, run_id, checkpoint, way, base, file, folder, marks: kept, created: numberOr(value['created'], 0) }];
}

/** The stored list; a damaged file is put aside and said. */
async function readStore(path: string, report: (line: string) => void): Promise<readonly ServedModel[]> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list.flatMap(toServed);
  } catch {
    // Reported below.
  }
  const aside = `${path}.damaged`;
  await rename(path, aside).catch(() => undefined);
  report(`${path} is damaged, so models that were served from runs have to be chosen again. It was moved to ${aside}.`);
  return [];
}

/** Reads what was served before; loads nothing. */
export async function openServedList(dataDir: string, report: (line: string) => void): Promise<ServedList> {
  const path = join(dataDir, STORE);
  let served = await readStore(path, report);
  let turn: Promise<unknown> = Promise.resolve();
  async function keep(next: readonly ServedModel[]): Promise<void> {
    await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`);
    served = next;
  }
  return {
    read: () => served,
    change(work) {
      const done = turn.then(() => work(keep));
      turn = done.catch(() => undefined);
      return done;
    },
  };
}

/**
 * How long a file is looked at; what takes longer is taken for there and the same. `list`: every list of models asks. `one`:
 * somebody asks about one model, and must not get the answers of weights that are others by now.
 */
const LOOK_MS = { list: 100, one: 3_000 };

/**
 * Why a model can't answer any more and what to do: a file that it needs is gone, or is another one than when it was served.
 * null: it answers with what is there, as far as that is known. Weights that were deleted answer on.
 */
export async function findLoss(
  { way, base, file, folder, marks }: ServedModel,
  files: Files,
  asked: keyof typeof LOOK_MS,
): Promise<string | null> {
  /** null: it takes longer, or its disk or mount does not answer. */
  const look = <Value>(work: Promise<Value>): Promise<Value | null> =>
    soon(
      work.catch(() => null),
      LOOK_MS[asked],
    );
  const isGone = async (path: string): Promise<boolean> =>
    (await look(files.find(path).then((found) => found === null))) ?? false;
  const again = way === 'llama' ? 'convert it again' : 'load it again';
  if (file !== null && (await isGone(file)))
    return `It was served, but its converted file is gone: ${file}. Press Try to ${again}.`;
  const hasBaseFile = way === 'llama' && base !== null;
  if (hasBaseFile && (await isGone(base)))
    return `It was served, but its base model is gone: ${base}. Put the file back, or press Try and choose another base.`;
  if (marks === null)
    return way === 'llama' ? `It was served by an earlier version of the studio. Press Try to ${again}.` : null;
  const weights = await look(readWeightsMark(folder, files));
  if (weights !== null && weights !== marks.weights)
    return `Its weights or settings have changed since it was served: ${folder}. Press Try to ${again}.`;
  const baseMark = hasBaseFile ? await look(readBaseMark(base, files)) : null;
  if (baseMark !== null && baseMark !== marks.base)
    return `Its base model has changed since it was served: ${base}. Press Try to ${again}.`;
  return null;
}
