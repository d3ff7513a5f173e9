// The models of an imported project: files that came with it, or the same files where they are here already. A model is in
// the list before its file is written, so that a killed import leaves nothing that nobody knows.
import { createHash, type Hash } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { ImportedModel } from '#shared/contract/transfer/transfer.ts';
import type { Database } from '#server/studio/database.ts';
import { toModelPath } from '#server/studio/models.ts';
import { models } from '#server/studio/tables.ts';
import { toStored } from '#server/training/deploy.ts';
import { findGgufProblem } from '#server/training/ggufFile.ts';
import { claimModelFile, isOwnFile, removeModelFiles, toFormFile } from '#server/training/modelFiles.ts';
import { isSampleFile } from './modelNames.ts';
import type { RecordOf } from './records.ts';
import { refuseFile } from './transferProblem.ts';

export interface BaseFile {
  readonly path: string;
  readonly adapter: string | null;
}

export interface ModelImportOptions {
  readonly database: Pick<Database, 'orm'>;
  readonly dataDir: string;
  readonly findFile: (modelId: string) => Promise<BaseFile | null>;
  /** Whether files are taken that come with the project. */
  readonly hasModels: boolean;
  readonly toId: (id: string) => string;
  readonly toModelId: (id: string, experimentId: string) => string;
}

export interface ModelImport {
  take(item: RecordOf<'model'> | RecordOf<'file'> | RecordOf<'part'> | RecordOf<'file-end'>): Promise<void>;
  /** Settles the last model. What became of all of them, in their order. */
  finish(): Promise<readonly ImportedModel[]>;
  close(): Promise<void>;
}

interface Writing {
  readonly path: string;
  readonly format: string | null;
  readonly handle: FileHandle;
  readonly hash: Hash;
}

const OWNER = 'studio';

/** `bytes` null: of any size. */
async function isFile(path: string, bytes: number | null = null): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && (bytes === null || found.size === bytes),
    () => false,
  );
}

export function openModelImport(options: ModelImportOptions): ModelImport {
  const { database, dataDir, findFile, hasModels, toId, toModelId } = options;
  const { orm } = database;
  const told: ImportedModel[] = [];
  /** Stored files of whole models of this import, by their ids in the file. */
  const wholes = new Map<string, string>();
  let current: { readonly record: RecordOf<'model'>; readonly id: string } | null = null;
  let state: ImportedModel['state'] | null = null;
  let reason: string | null = null;
  /** Of the model's own file in the data folder; null: none came with it. */
  let place: string | null = null;
  let writing: Writing | null = null;

  const miss = (why: string): void => {
    state = 'missing';
    reason = why;
  };

  /** The weights under an adapter, as the list of models has them; null: they are not here. */
  async function findBase({ base, base_file: file }: RecordOf<'model'>): Promise<string | null> {
    const own = wholes.get(base);
    if (own !== undefined) return own;
    const found = await findFile(base);
    if (found && found.adapter === null) return toStored(found.path);
    return file !== null && isSampleFile(file) && (await isFile(toModelPath(dataDir, file))) ? file : null;
  }

  async function toFreeAliases(aliases: readonly string[]): Promise<string[]> {
    const rows = await orm.select({ aliases: models.aliases }).from(models);
    const taken = new Set(rows.flatMap((row) => row.aliases));
    const free: string[] = [];
    for (const alias of aliases) if (!taken.has(alias) && (await findFile(alias)) === null) free.push(alias);
    return free;
  }

  /** Puts a model into the list. false: it can't be one here, and `reason` says why. */
  async function register(record: RecordOf<'model'>, id: string, stored: string): Promise<boolean> {
    if ((await findFile(id)) !== null) {
      miss('Another model of this studio has its id.');
      return false;
    }
    const base = record.form === 'whole' ? stored : await findBase(record);
    if (base === null) {
      miss(`It is an adapter of ${record.base}, whose weights are not here.`);
      return false;
    }
    const [last] = await orm.select({ position: sql<number | null>`max(${models.position})` }).from(models);
    await orm.insert(models).values({
      id,
      position: (last?.position ?? -1) + 1,
      experiment_id: toId(record.experiment_id),
      file: base,
      adapter: record.form === 'whole' ? null : stored,
      aliases: await toFreeAliases(record.aliases),
      owned_by: OWNER,
      about: record.about,
      created_at: new Date(record.created_at),
    });
    if (record.form === 'whole') wholes.set(record.id, stored);
    state = 'ready';
    return true;
  }

  async function beginFile({ format }: RecordOf<'file'>): Promise<void> {
    if (!hasModels || !current) return;
    if (format === null) {
      const claimed = await claimModelFile(dataDir, current.id);
      if (await register(current.record, current.id, claimed)) place = claimed;
      else await removeModelFiles(orm, dataDir, claimed);
    }
    // Another form counts only beside the model itself.
    if (state !== 'ready' || place === null) return;
    const path = join(dataDir, format === null ? place : toFormFile(place, format));
    writing = { path, format, handle: await open(`${path}.part`, 'w', 0o600), hash: createHash('sha256') };
  }

  async function addPart({ data }: RecordOf<'part'>): Promise<void> {
    if (!writing) return;
    const bytes = Buffer.from(data, 'base64');
    writing.hash.update(bytes);
    await writing.handle.writeFile(bytes);
  }

  async function endFile({ sha256 }: RecordOf<'file-end'>): Promise<void> {
    if (!writing || !current) return;
    const { path, handle, hash, format } = writing;
    writing = null;
    await handle.sync();
    await handle.close();
    if (hash.digest('hex') !== sha256)
      throw refuseFile('damaged_file', `The file of the model ${current.record.id} is damaged.`);
    const kind = current.record.form === 'whole' || format !== null ? 'gguf' : 'adapter';
    const problem = await findGgufProblem(`${path}.part`, kind);
    if (problem !== null)
      throw refuseFile('wrong_model', `The file of the model ${current.record.id} can not be used. ${problem}`);
    // Nobody else has this name: it was claimed.
    await rename(`${path}.part`, path);
  }

  /** A model whose file did not come: the same file may be here. */
  async function settle(): Promise<void> {
    if (!current) return;
    const { record, id } = current;
    const { file } = record;
    if (state === null && file && (isOwnFile(file.name) || isSampleFile(file.name))) {
      const isHere = await isFile(toModelPath(dataDir, file.name), file.bytes);
      if (isHere) await register(record, id, file.name);
    }
    if (state === null)
      miss('Its file is not here. Export the project with its models, and take them with it when you import it.');
    told.push({ id, state: state ?? 'missing', reason });
    current = null;
  }

  return {
    async take(item) {
      switch (item.kind) {
        case 'model':
          await settle();
          current = { record: item, id: toModelId(item.id, item.experiment_id) };
          state = null;
          reason = null;
          place = null;
          return;
        case 'file':
          return beginFile(item);
        case 'part':
          return addPart(item);
        case 'file-end':
          return endFile(item);
        default:
          return item satisfies never;
      }
    },
    async finish() {
      await settle();
      return told;
    },
    async close() {
      if (!writing) return;
      await writing.handle.close().catch(() => undefined);
      await rm(`${writing.path}.part`, { force: true });
    },
  };
}
