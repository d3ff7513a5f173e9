// The models of a project's runs: told by name, and their files if they are asked for.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { toModelPath } from '#features/projects/server/models.ts';
import { datasets, experiments, jobs, notDeleted, snapshots } from '#service/database/tables.ts';
import { isOwnFile, listForms } from '#features/training/server/modelFiles.ts';
import { isSampleFile } from './modelNames.ts';
import type { Database } from '#service/database/database.ts';
import { PART_BYTES, type RecordOf, type TransferRecord } from './records.ts';
import { selectModels } from './projectImportLeases.ts';

interface ModelPart {
  readonly format: string | null;
  readonly path: string;
  readonly bytes: number;
}

export interface ModelFiles {
  readonly models: readonly { readonly record: RecordOf<'model'>; readonly parts: readonly ModelPart[] }[];
  /** Of all parts together. */
  readonly bytes: number;
}

const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );

/** `hasModels`: the files themselves go into the file, too. */
export async function readModelFiles(
  {
    database: { orm, guard },
    dataDir,
  }: { readonly database: Pick<Database, 'orm' | 'guard'>; readonly dataDir: string },
  projectId: string,
  hasModels: boolean,
): Promise<ModelFiles> {
  const isThere = notDeleted(experiments, jobs, snapshots, datasets);
  const rows = await guard(async () => selectModels(orm, projectId, isThere));
  const wholes = new Map(rows.flatMap(({ model }) => (model.adapter === null ? [[model.file, model.id]] : [])));
  const found = await Promise.all(
    rows.map(async ({ model, base }) => {
      const name = model.adapter ?? model.file;
      const path = toModelPath(dataDir, name);
      // A path of this machine says nothing elsewhere.
      const bytes = isAbsolute(name) ? null : await sizeOf(path);
      const record: RecordOf<'model'> = {
        kind: 'model',
        id: model.id,
        experiment_id: model.experiment_id ?? '',
        form: model.adapter === null ? 'whole' : 'adapter',
        base: (model.adapter === null ? undefined : wholes.get(model.file)) ?? base,
        base_file: model.adapter !== null && isSampleFile(model.file) ? model.file : null,
        aliases: [...model.aliases],
        about: model.about,
        created_at: model.created_at.toISOString(),
        file: bytes === null ? null : { name, bytes },
      };
      // Those of the sample come with Model Studio.
      if (!hasModels || bytes === null || !isOwnFile(name)) return { record, parts: [] };
      return { record, parts: [{ format: null, path, bytes }, ...(await listForms(path))] };
    }),
  );
  const parts = found.flatMap((each) => each.parts);
  return { models: found, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** A file that changes meanwhile ends the export: its bytes would not be what was said. */
async function* readPart(model_id: string, { format, path, bytes }: ModelPart): AsyncGenerator<TransferRecord, void> {
  yield { kind: 'file', model_id, format, bytes };
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: PART_BYTES }) as AsyncIterable<Buffer>) {
    read += chunk.length;
    hash.update(chunk);
    yield { kind: 'part', data: chunk.toString('base64') };
  }
  if (read !== bytes) throw new Error(`The model file ${path} changed while it was read.`);
  yield { kind: 'file-end', sha256: hash.digest('hex') };
}

/** Of the runs that are in the file. */
export async function* readModelRecords(
  { models: found }: ModelFiles,
  experimentIds: ReadonlySet<string>,
): AsyncGenerator<TransferRecord, void> {
  for (const { record, parts } of found) {
    if (!experimentIds.has(record.experiment_id)) continue;
    yield record;
    for (const part of parts) yield* readPart(record.id, part);
  }
}
