// What a page has to know of base models before a run starts: whether the trainer takes them, their form, their speed here.
import { availableMemory } from 'node:process';
import { and, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { TrainingBases } from '#features/training/shared/trainingRecords.ts';
import { canTrain, type ModelShape } from '#trainer/shared/canTrain.ts';
import { toSpeed } from '#trainer/shared/trainingEstimate.ts';
import type { ModelFile } from '#engine/engine.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import type { Orm } from '#service/database/database.ts';
import { datasets, experiments, jobs, projects, snapshots } from '#service/database/tables.ts';
import { oncePerFile, readHeader } from '#engine/gguf/ggufFile.ts';
import { readFreeDisk } from '#service/database/disk/freeDisk.ts';
import type { Trainer } from './trainer.ts';
import { trainings } from './trainingTables.ts';

/** null: it has another form than the models whose training can be estimated, or can't be read. */
const readShape = oncePerFile(async (file, disk): Promise<ModelShape | null> => {
  try {
    const found = canTrain(await readHeader(file, disk));
    return found.canTrain ? found.shape : null;
  } catch (error) {
    if (error instanceof Silence) throw error;
    return null;
  }
});

/** So many of the last finished runs say how quick this machine is: an older one may have been on another. */
const READ_RUNS = 5;

/** Operations per second of the last runs from this base that have succeeded, the middle one; null: there is none. */
async function findSpeed(
  orm: Orm,
  base: string,
  shape: ModelShape,
): Promise<{ readonly speed: number | null; readonly runs: number }> {
  const last = await orm
    .select({ training: trainings, isAdapter: experiments.lora })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(
      and(
        // The others came with their project, from another machine.
        or(isNull(projects.imported_at), gt(trainings.ended_at, projects.imported_at)),
        eq(experiments.base_model_id, base),
        eq(experiments.status, 'succeeded'),
        isNotNull(trainings.tokens_per_step),
        isNotNull(trainings.ended_at),
        // Others take more passes for each token.
        sql`${trainings.chosen} ->> 'objective' is null`,
      ),
    )
    .orderBy(desc(trainings.ended_at))
    .limit(READ_RUNS);
  const speeds = last
    // The time between a stop and the resume is not one of training.
    .flatMap(({ isAdapter, training: { tokens_per_step: tokens, step, seconds } }) =>
      tokens === null ? [] : (toSpeed(shape, { isAdapter, tokens: tokens * step, seconds }) ?? []),
    )
    .toSorted((one, other) => one - other);
  return { speed: speeds[Math.floor(speeds.length / 2)] ?? null, runs: speeds.length };
}

/** Bases are those with a file of their own: an adapter is trained further by its run's id, not by its name. */
export async function readTrainableBases(
  orm: Orm,
  files: readonly ModelFile[],
  trainer: Trainer | null,
  { dataDir, disk = nearFiles }: { readonly dataDir: string; readonly disk?: Files | undefined },
): Promise<TrainingBases> {
  const bases = await Promise.all(
    files
      .filter(({ adapter, id }) => adapter === null && !id.startsWith('ft-'))
      .map(async ({ id, path }) => {
        const shape = await readShape(path, disk).catch(() => null);
        const { speed, runs } = shape ? await findSpeed(orm, id, shape) : { speed: null, runs: 0 };
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
          operations_per_second: speed,
          finished_runs: runs,
          file_bytes: (await disk.find(path).catch(() => null))?.bytes ?? null,
        };
      }),
  );
  const disk_free = await readFreeDisk(dataDir).catch(() => null);
  const machine = disk_free === null ? null : { memory_free: availableMemory(), disk_free };
  return { bases, machine, threads: trainer?.threads ?? 1 };
}
