// The GGUF files of runs as models of the engine: a name that people recognise, of its own.
import { baseName } from './paths.ts';
import type { RunRecord } from './runRecords.ts';

export interface RunModel {
  readonly id: string;
  /** Path below the root. */
  readonly path: string;
  /** Unix seconds. */
  readonly created: number;
}

const MAX_ID = 120;

/** Letters, digits and what file names have beside them. */
const toSlug = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_ID) || 'run';

const toFileName = (path: string): string => baseName(path).replace(/\.gguf$/i, '');

/** `runs/<label>-step-100`; with the name of the file where a run has several of one step. */
export function toRunModels(records: readonly RunRecord[]): readonly RunModel[] {
  const models: RunModel[] = [];
  const taken = new Set<string>();
  for (const { run, label } of records) {
    const files = run.checkpoints.filter(
      ({ kind, path, isComplete }) => kind === 'gguf' && isComplete && /\.gguf$/i.test(path),
    );
    for (const { path, step, savedAt } of files) {
      const isOnly = files.filter((other) => other.step === step).length === 1;
      const name = `${toSlug(label)}${step === null ? '' : `-step-${step}`}`;
      const wanted = isOnly ? name : `${name}-${toSlug(toFileName(path))}`;
      let id = `runs/${wanted}`;
      for (let copy = 2; taken.has(id); copy += 1) id = `runs/${wanted}-${copy}`;
      taken.add(id);
      models.push({ id, path, created: Math.floor((savedAt ?? 0) / 1000) });
    }
  }
  return models;
}
