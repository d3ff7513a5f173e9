// Which models are served from runs: kept in the data folder, and checked against the files that they need.
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, numberOr, textOr } from '#shared/contract/reading.ts';
import type { Files } from '#server/files/files.ts';
import { soon } from '#server/files/inTime.ts';
import { replaceFile } from '#server/runs/replaceFile.ts';

export interface ServedModel {
  readonly id: string;
  readonly run_id: string;
  readonly checkpoint: string;
  readonly way: 'llama' | 'engine';
  /** For llama.cpp the path of the model file; for an engine the name of the model there, if a person chose one. */
  readonly base: string | null;
  readonly adapter: string | null;
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
  const adapter = textOr(value['adapter'], null);
  if (way === 'llama' && (base === null || adapter === null)) return [];
  return [{ id, run_id, checkpoint, way, base, adapter, created: numberOr(value['created'], 0) }];
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

/** Every list of models asks: what takes longer is taken for there, and said when it is loaded. */
const LOOK_MS = 100;

/**
 * Why a model can't answer any more and what to do: a file that it needs is gone. null: all its files are there, as far as
 * that is known.
 */
export async function findLoss({ base, adapter }: ServedModel, files: Files): Promise<string | null> {
  if (base === null || adapter === null) return null;
  const isThere = async (path: string): Promise<boolean> => {
    const look = files.find(path).then(
      (found) => found !== null,
      () => true,
    );
    return (await soon(look, LOOK_MS)) ?? true;
  };
  if (!(await isThere(adapter)))
    return `It was served, but its converted adapter is gone: ${adapter}. Press Try to convert it again.`;
  if (!(await isThere(base)))
    return `It was served, but its base model is gone: ${base}. Put the file back, or press Try and choose another base.`;
  return null;
}
