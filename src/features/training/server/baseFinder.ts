// The models that runs start from, as this studio has them.
import { eq } from 'drizzle-orm';
import type { ModelFile } from '#engine/engine.ts';
import { findByName } from '#engine/modelNames.ts';
import { CATALOGUE } from '#features/experiments/server/catalogue.ts';
import type { Orm } from '#service/database/database.ts';
import { experiments } from '#service/database/tables.ts';
import type { QueuedRun } from './queue.ts';
import { CannotTrain } from './runFolder.ts';
import type { Trainer, TrainingBase } from './trainer.ts';

interface BaseOptions {
  readonly orm: Orm;
  /** All models that are served here from files. */
  readonly listFiles: () => Promise<readonly ModelFile[]>;
  readonly trainer: Trainer | null;
  readonly hasWorkers: () => boolean;
}

const toBase = (id: string, file: ModelFile | null | undefined): TrainingBase => ({
  id,
  file: file?.path ?? null,
  adapter: file?.adapter ?? null,
});

export function openBaseFinder({ orm, listFiles, trainer, hasWorkers }: BaseOptions) {
  const findNamed = async (name: string): Promise<TrainingBase> => toBase(name, findByName(await listFiles(), name));
  return {
    findNamed,
    /** Throws CannotTrain for a run that goes on from one without a model. */
    async findBase({ run, training }: Pick<QueuedRun, 'run' | 'training'>): Promise<TrainingBase> {
      if (training.refinetune_from === null) return findNamed(run.base_model_id);
      const [source] = await orm.select().from(experiments).where(eq(experiments.id, training.refinetune_from));
      if (!source?.model_id) throw new CannotTrain('The run that it goes on from has no model any more.');
      const tuned = (await listFiles()).find((file) => file.id === source.model_id);
      return toBase(tuned ? run.base_model_id : source.model_id, tuned);
    },
    async isKnown(id: string): Promise<boolean> {
      if (CATALOGUE.some((base) => base.id === id) || (await findNamed(id)).file !== null) return true;
      // A trainer of a person's own may get its weights from a hub.
      const isOwn = trainer !== null && trainer.refuse === undefined;
      return (isOwn || hasWorkers()) && id.includes('/');
    },
    /** The ids of the models that the trainer can start from; null: it decides for itself. */
    async listTrainable(): Promise<string[] | null> {
      const refuse = trainer?.refuse;
      if (refuse === undefined) return null;
      const bases = (await listFiles()).map((file) => toBase(file.id, file));
      const refusals = await Promise.all(bases.map((base) => refuse(base)));
      return bases.filter((_, at) => refusals[at] === null).map(({ id }) => id);
    },
  };
}

export type BaseFinder = ReturnType<typeof openBaseFinder>;
