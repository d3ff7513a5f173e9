// What an import and a preview of it have in common: which ids and names records get, and what is told in the end.
import { randomUUID } from 'node:crypto';
import type { ImportedModel, ImportPreview, ProjectImported } from '#features/project-files/shared/transfer.ts';
import type { Database } from '#service/database/database.ts';
import { toUuid } from '#service/database/uuid.ts';
import { openAdmission, type AdmittedItem, type TakenNames } from './sanitizeRecords.ts';
import type { FileItem } from './fileRecords.ts';
import { openIdCheck, readTakenNames, toFreeName } from './freeIds.ts';
import { openModelImport, type BaseFile, type ModelImport } from './importModels.ts';
import { PREVIEWED, type ModelStore } from './modelStore.ts';

export interface ReceptionDeps {
  readonly database: Database;
  readonly dataDir: string;
  /** The file of a model that is served here, by its name; null: there is none. */
  readonly findFile: (name: string) => Promise<BaseFile | null>;
  /** The names of all models that this studio has or uses. */
  readonly readNames: () => Promise<TakenNames>;
  /** Ids of nodes that are not in the database: those of folders of runs. */
  readonly listOtherNodes: () => Promise<ReadonlySet<string>>;
  readonly now: () => Date;
}

export interface ImportChoice {
  readonly ids: 'keep' | 'new';
  readonly hasModels: boolean;
  /** Whoever sends it may have functions run: the studio's own token. */
  readonly isOwner: boolean;
  /** Of a preview, whose names are to be made again; null: new ones. */
  readonly seed: string | null;
}

export interface RecordStore<Result> {
  /** Takes records, in their order. Throws TransferProblem. */
  take(items: readonly FileItem[]): Promise<void>;
  /** Ends well. Throws TransferProblem. */
  finish(): Promise<Result>;
  /** Removes all that was stored. */
  remove(): Promise<void>;
}

interface Reception {
  /** The id of a node here, by its id in the file. */
  readonly toId: (id: string) => string;
  readonly seed: string;
  /** The records as they are taken. Throws TransferProblem for an id that something here has. */
  admit(items: readonly FileItem[]): AsyncGenerator<AdmittedItem, void>;
  readonly modelImport: ModelImport;
  toResult(project_id: string, name: string, models: readonly ImportedModel[]): ProjectImported;
}

export function openReception(deps: ReceptionDeps, choice: ImportChoice, store: ModelStore): Reception {
  const { orm } = deps.database;
  const { ids, hasModels } = choice;
  const seed = choice.seed ?? randomUUID();
  const toId = (id: string): string => (ids === 'keep' ? id : toUuid(`${seed}/${id}`));
  const checkIds = ids === 'keep' ? openIdCheck(orm, deps.listOtherNodes) : null;
  const admission = openAdmission({
    toId,
    isCopy: ids === 'new',
    isOwner: choice.isOwner,
    seed,
    now: deps.now(),
    readTaken: () => readTakenNames(orm, deps.readNames),
    toFreeName: (name) => toFreeName(orm, name),
  });
  return {
    toId,
    seed,
    async *admit(items) {
      await checkIds?.(items);
      for (const item of items) yield await admission.admit(item);
    },
    modelImport: openModelImport({ ...deps, store, hasModels, toId, onRename: admission.rename }),
    toResult: (project_id, name, models) => ({
      project_id,
      name,
      counts: admission.counts,
      models: [...models],
      changes: admission.listChanges(),
    }),
  };
}

/** Reads a project's file as an import does, and stores nothing: what the import would answer. */
export function openPreview(deps: ReceptionDeps, choice: ImportChoice): RecordStore<ImportPreview> {
  const { admit, modelImport, toId, toResult, seed } = openReception(deps, choice, PREVIEWED);
  let project = { id: '', name: '' };
  return {
    async take(items) {
      for await (const item of admit(items)) {
        if (item.kind === 'project') project = { id: toId(item.id), name: item.name };
        else if (item.kind === 'model' || item.kind === 'file' || item.kind === 'part' || item.kind === 'file-end')
          await modelImport.take(item);
      }
    },
    async finish() {
      return { ...toResult(project.id, project.name, await modelImport.finish()), seed };
    },
    remove: () => modelImport.close(),
  };
}
