// Where the models of an import go: into the list of models and the data folder, or nowhere when a file is only looked at.
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { findGgufProblem } from '#engine/gguf/ggufFile.ts';
import { IMPORTED } from '#engine/modelNames.ts';
import type { Orm } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { HeldLease } from '#service/database/leases/leases.ts';
import { experiments, models } from '#service/database/tables.ts';
import { keepFile } from '#features/training/server/keptFiles.ts';
import { claimModelFile, removeModelFiles, toFormFile } from '#features/training/server/modelFiles.ts';
import { trainingCheckpoints } from '#features/training/server/trainingTables.ts';

type WeightsKind = 'gguf' | 'adapter';

/**
 * Why a file can't be the weights of a model, one sentence; null: nothing speaks against it. Every weight file of an import is
 * checked by this, whether it came along or is here. `kinds`: what it may be.
 */
export async function findWeightsProblem(path: string, kinds: readonly WeightsKind[]): Promise<string | null> {
  let problem: string | null = null;
  for (const kind of kinds) {
    problem = await findGgufProblem(path, kind);
    if (problem === null) return null;
  }
  return problem;
}

interface NewModel {
  readonly id: string;
  readonly experiment_id: string;
  /** Of the weights, as the list of models has it. */
  readonly file: string;
  readonly adapter: string | null;
  readonly about: string;
  readonly created_at: Date;
}

export interface WeightsFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the file its name. What is wrong with it; null: nothing. */
  finish(): Promise<string | null>;
  /** Nothing of it stays. */
  drop(): Promise<void>;
}

export interface ModelStore {
  /** A place in the data folder for the file of a model, which nobody else gets. */
  claim(id: string): Promise<string>;
  /** Puts a model into the list. Resolves to its id: another one if a model has got that id meanwhile. */
  add(model: NewModel): Promise<string>;
  /** `format` null: the model itself, at its place; else another form of it. */
  openFile(place: string, format: string | null, kind: WeightsKind): Promise<WeightsFile>;
}

/** Names and checks as an import would. */
export const PREVIEWED: ModelStore = {
  claim: async (id) => id,
  add: async ({ id }) => id,
  openFile: async () => ({ write: async () => undefined, finish: async () => null, drop: async () => undefined }),
};

export interface ModelStoreDeps {
  readonly orm: Orm;
  readonly dataDir: string;
  /** Of the import's lease: whoever took over may make models and files of the same names. */
  readonly write: HeldLease['write'];
}

/** Throws LeaseLost where it changes something. */
export function openModelStore({ orm: outer, dataDir, write }: ModelStoreDeps): ModelStore {
  /** false: there is a model of this id. */
  async function insert(orm: Orm, model: NewModel): Promise<boolean> {
    const [last] = await orm.select({ position: sql<number | null>`max(${models.position})` }).from(models);
    const made = await orm
      .insert(models)
      .values({ ...model, position: (last?.position ?? -1) + 1, aliases: [], owned_by: IMPORTED })
      .onConflictDoNothing()
      .returning({ id: models.id });
    return made.length > 0;
  }

  return {
    claim: (id) => claimModelFile(dataDir, id),
    async add(model) {
      const place = model.adapter ?? model.file;
      try {
        await keepFile(outer, dataDir, place, model.experiment_id);
        return await write(async (orm) => {
          let id = model.id;
          for (let number = 2; !(await insert(orm, { ...model, id })); number += 1) id = `${model.id}-${number}`;
          if (id === model.id) return id;
          // Its run and checkpoint were stored before it.
          for (const [table, run] of [
            [experiments, experiments.id],
            [trainingCheckpoints, trainingCheckpoints.experiment_id],
          ] as const)
            await orm
              .update(table)
              .set({ model_id: id })
              .where(and(eq(run, model.experiment_id), eq(table.model_id, model.id)));
          return id;
        });
      } catch (error) {
        await removeModelFiles(outer, dataDir, place).catch(() => undefined);
        throw error;
      }
    },
    async openFile(place, format, kind) {
      const path = join(dataDir, format === null ? place : toFormFile(place, format));
      const part = `${path}.part`;
      const handle = await open(part, 'w', 0o600);
      const drop = async (): Promise<void> => {
        await handle.close().catch(() => undefined);
        await write(() => rm(part, { force: true })).catch((error: unknown) => {
          // It is removed already.
          if (!(error instanceof LeaseLost)) throw error;
        });
      };
      return {
        write: async (bytes) => handle.writeFile(bytes),
        async finish() {
          try {
            await handle.sync();
            await handle.close();
            const problem = await findWeightsProblem(part, format === null ? [kind] : ['gguf', 'adapter']);
            // Nobody else has this name, or writes to it: it was claimed.
            if (problem === null) await write(() => rename(part, path));
            return problem;
          } finally {
            await drop();
          }
        },
        drop,
      };
    },
  };
}
