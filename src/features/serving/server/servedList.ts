// Which models are served from runs, as the data folder keeps it.
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, numberOr, parseJson, textOr } from '#core/contract/readJson.ts';
import { replaceFile } from '#features/runs/server/replaceFile.ts';
import type { Marks } from './servedFileStamps.ts';

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
  const list = parseJson(text);
  if (Array.isArray(list)) return list.flatMap(toServed);
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
