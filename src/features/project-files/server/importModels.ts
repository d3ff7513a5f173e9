// The models of an imported project: files that came with it, or the same files where they are here already. A model is in
// the list before its file is written, so that a killed import leaves nothing that nobody knows.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { and, eq } from 'drizzle-orm';
import type { ImportedModel } from '#features/project-files/shared/transfer.ts';
import type { Database } from '#service/database/database.ts';
import { toModelPath } from '#features/projects/server/models.ts';
import { models } from '#service/database/tables.ts';
import { toStored } from '#features/training/server/deploy.ts';
import { isOwnFile } from '#features/training/server/modelFiles.ts';
import type { AdmittedModel } from './sanitizeRecords.ts';
import { isSampleFile } from './modelNames.ts';
import { findWeightsProblem, type ModelStore, type WeightsFile } from './modelStore.ts';
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
  readonly store: ModelStore;
  /** Whether files are taken that come with the project. */
  readonly hasModels: boolean;
  readonly toId: (id: string) => string;
  /** A model got another name, because its own was taken meanwhile. */
  readonly onRename: (from: string, to: string) => void;
}

export interface ModelImport {
  take(item: AdmittedModel | RecordOf<'file'> | RecordOf<'part'> | RecordOf<'file-end'>): Promise<void>;
  /** Settles the last model. What became of all of them, in their order. */
  finish(): Promise<readonly ImportedModel[]>;
  close(): Promise<void>;
}

interface Current {
  readonly model: AdmittedModel;
  readonly told: ImportedModel;
  /** Of its file in the data folder; null: none came with it. */
  place: string | null;
}

const NOT_HERE = 'Its file is not here. Export the project with its models, and take them with it when you import it.';

/** `bytes` null: of any size. */
async function isFile(path: string, bytes: number | null = null): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && (bytes === null || found.size === bytes),
    () => false,
  );
}

const toKind = ({ form }: AdmittedModel): 'gguf' | 'adapter' => (form === 'whole' ? 'gguf' : 'adapter');

type Here = Pick<ModelImportOptions, 'database' | 'dataDir' | 'findFile'>;

/** The weights under an adapter, as the list of models has them; null: they are not here. */
async function findBase({ base, base_file: file }: AdmittedModel, { dataDir, findFile }: Here): Promise<string | null> {
  const found = await findFile(base);
  if (found && found.adapter === null) return toStored(found.path);
  return file !== null && isSampleFile(file) && (await isFile(toModelPath(dataDir, file))) ? file : null;
}

/**
 * Whether the file of a model that did not come is here: one of the sample, or that of the very run which was copied. What
 * else has its name is another model's.
 */
async function isHere({ given, file }: AdmittedModel, { database, dataDir }: Here): Promise<boolean> {
  if (!file || !(await isFile(toModelPath(dataDir, file.name), file.bytes))) return false;
  if (isSampleFile(file.name)) return true;
  if (!isOwnFile(file.name)) return false;
  const [own] = await database.orm
    .select()
    .from(models)
    .where(and(eq(models.id, given.id), eq(models.experiment_id, given.experiment_id)));
  return own !== undefined && (own.adapter ?? own.file) === file.name;
}

/** A file that comes in parts. Throws TransferProblem if it is not the one of the model that it was; then it is gone. */
function openArrival(file: WeightsFile, modelId: string) {
  const hash = createHash('sha256');
  return {
    async add({ data }: RecordOf<'part'>): Promise<void> {
      const bytes = Buffer.from(data, 'base64');
      hash.update(bytes);
      await file.write(bytes);
    },
    async end({ sha256 }: RecordOf<'file-end'>): Promise<void> {
      if (hash.digest('hex') !== sha256) {
        await file.drop();
        throw refuseFile('damaged_file', `The file of the model ${modelId} is damaged.`);
      }
      const problem = await file.finish();
      if (problem !== null)
        throw refuseFile('wrong_model', `The file of the model ${modelId} can not be used. ${problem}`);
    },
    drop: () => file.drop(),
  };
}

export function openModelImport(options: ModelImportOptions): ModelImport {
  const { dataDir, store, hasModels, toId, onRename } = options;
  const all: ImportedModel[] = [];
  /** Stored files of whole models of this import, by their ids. */
  const wholes = new Map<string, string>();
  let current: Current | null = null;
  let arrival: ReturnType<typeof openArrival> | null = null;

  /** Puts the model into the list, with the file that `toPlace` gives. */
  async function add(entry: Current, toPlace: () => Promise<string>): Promise<void> {
    const { model, told } = entry;
    const base = model.form === 'whole' ? '' : (wholes.get(model.base) ?? (await findBase(model, options)));
    if (base === null) {
      told.reason = `It is an adapter of ${model.base}, whose weights are not here.`;
      return;
    }
    const place = await toPlace();
    const id = await store.add({
      id: told.id,
      experiment_id: toId(model.experiment_id),
      ...(model.form === 'whole' ? { file: place, adapter: null } : { file: base, adapter: place }),
      about: model.about,
      created_at: new Date(model.created_at),
    });
    if (id !== told.id) onRename(told.id, id);
    if (model.form === 'whole') wholes.set(model.id, place);
    Object.assign(told, { id, state: 'ready', reason: null });
    entry.place = place;
  }

  async function beginFile({ format, bytes }: RecordOf<'file'>): Promise<void> {
    if (!current) return;
    const { model, told } = current;
    told.bytes += bytes;
    if (!hasModels) return;
    if (format === null) await add(current, () => store.claim(told.id));
    // Another form counts only beside the model itself.
    if (current.place === null) return;
    arrival = openArrival(await store.openFile(current.place, format, toKind(model)), model.given.id);
  }

  /** A model whose file did not come: the same file may be here. */
  async function settle(): Promise<void> {
    if (!current) return;
    const entry = current;
    current = null;
    const { model, told } = entry;
    const { file } = model;
    if (told.reason !== NOT_HERE || !file || !(await isHere(model, options))) return;
    const problem = await findWeightsProblem(toModelPath(dataDir, file.name), [toKind(model)]);
    if (problem === null) await add(entry, async () => file.name);
    else told.reason = `Its file can not be used. ${problem}`;
  }

  return {
    async take(item) {
      switch (item.kind) {
        case 'model':
          await settle();
          current = { model: item, told: { id: item.id, state: 'missing', reason: NOT_HERE, bytes: 0 }, place: null };
          all.push(current.told);
          return;
        case 'file':
          return beginFile(item);
        case 'part':
          return arrival?.add(item);
        case 'file-end': {
          const whole = arrival;
          arrival = null;
          return whole?.end(item);
        }
        default:
          return item satisfies never;
      }
    },
    async finish() {
      await settle();
      return all;
    },
    async close() {
      await arrival?.drop();
      arrival = null;
    },
  };
}
