// The GGUF files of runs as models of the engine: a name that people recognise, of its own.
import { baseName } from './paths.ts';
import type { RunRecord } from './runRecords.ts';
import type { RootReader } from '#features/runs/server/disk/rootReader.ts';
import { isSilent, safePath } from '#features/runs/server/disk/safeFile.ts';
import { soon } from '#service/files/timeout.ts';

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

// Where the models of a root really are: only files in it, and no links out of it. Looked at whenever models are listed; a
// list waits no longer than a moment for a mount, and has then what was seen before.

const MOMENT_MS = 30;
/** Until they have been looked at once. */
const FIRST_MS = 300;

export class ModelPaths {
  /** By the path below the root; null: it is none of its files. */
  #known: ReadonlyMap<string, string | null> = new Map();
  #looking: Promise<void> | null = null;

  constructor(readonly reader: Pick<RootReader, 'folder' | 'calls'>) {}

  /** The real paths of models that are there, by their paths below the root. */
  async find(models: readonly RunModel[]): Promise<ReadonlyMap<string, string>> {
    if (models.length === 0) return new Map();
    const isFirst = models.some(({ path }) => !this.#known.has(path));
    const isGoingOn = this.#looking !== null;
    this.#looking ??= this.#look(models).finally(() => {
      this.#looking = null;
    });
    if (isFirst || !isGoingOn) await soon(this.#looking, isFirst ? FIRST_MS : MOMENT_MS);
    const found = models.flatMap(({ path }): (readonly [string, string])[] => {
      const real = this.#known.get(path) ?? null;
      return real === null ? [] : [[path, real]];
    });
    return new Map(found);
  }

  async #look(models: readonly RunModel[]): Promise<void> {
    const found = await Promise.all(models.map(async ({ path }) => [path, await this.#findPath(path)] as const));
    this.#known = new Map(found);
  }

  async #findPath(path: string): Promise<string | null> {
    try {
      const real = await safePath(this.reader, path);
      return (await this.reader.calls.lstat(real))?.isFile() === true ? real : null;
    } catch (error) {
      return isSilent(this.reader, error) ? (this.#known.get(path) ?? null) : null;
    }
  }
}
