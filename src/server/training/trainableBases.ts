// What a page has to know of base models before a run starts: whether the trainer takes them, their form, their speed here.
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { TrainingBases } from '#shared/contract/training/trainingRecords.ts';
import { canTrain, type ModelShape } from '#shared/training/nano/canTrain.ts';
import { toSpeed } from '#shared/training/nano/trainingEstimate.ts';
import type { ModelFile } from '#server/engine/engine.ts';
import type { Orm } from '#server/studio/database.ts';
import { experiments } from '#server/studio/tables.ts';
import { readHeader } from './ggufFile.ts';
import type { Trainer } from './trainer.ts';
import { trainings } from './trainingTables.ts';

/** null: it has another form than the models whose training can be estimated, or can't be read. */
async function readShape(file: string): Promise<ModelShape | null> {
  try {
    const found = canTrain(await readHeader(file));
    return found.canTrain ? found.shape : null;
  } catch {
    return null;
  }
}

/** Operations per second of the last run from this base that has succeeded; null: there is none. */
async function findSpeed(orm: Orm, base: string, shape: ModelShape): Promise<number | null> {
  const [last] = await orm
    .select({ training: trainings })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .where(
      and(
        eq(experiments.base_model_id, base),
        eq(experiments.status, 'succeeded'),
        isNotNull(trainings.tokens_per_step),
        isNotNull(trainings.ended_at),
      ),
    )
    .orderBy(desc(trainings.ended_at))
    .limit(1);
  const { started_at: start, ended_at: end, tokens_per_step: tokens, step } = last?.training ?? {};
  if (!start || !end || !tokens || !step) return null;
  return toSpeed(shape, tokens * step, (end.getTime() - start.getTime()) / 1000);
}

/** Bases are those with a file of their own: an adapter is trained further by its run's id, not by its name. */
export async function readTrainableBases(
  orm: Orm,
  files: readonly ModelFile[],
  trainer: Trainer | null,
): Promise<TrainingBases> {
  const bases = await Promise.all(
    files
      .filter(({ adapter, id }) => adapter === null && !id.startsWith('ft-'))
      .map(async ({ id, path }) => {
        const shape = await readShape(path);
        return {
          id,
          refusal: (await trainer?.refuse?.({ id, file: path, adapter: null })) ?? null,
          shape: shape && {
            layers: shape.layers,
            width: shape.width,
            heads: shape.heads,
            key_heads: shape.keyHeads,
            head_width: shape.headWidth,
            inner_width: shape.innerWidth,
            vocabulary: shape.vocabulary,
            context: shape.context,
            has_output: shape.hasOutput,
          },
          operations_per_second: shape && (await findSpeed(orm, id, shape)),
        };
      }),
  );
  return { bases };
}
