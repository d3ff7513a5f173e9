// What people call the models of runs, as the page does: by run and dataset, with the names that people gave them.
import { aliasedTable, eq, inArray, or, sql } from 'drizzle-orm';
import { parseTriedId } from '#features/training/shared/trainedModelIds.ts';
import type { Orm } from '#service/database/database.ts';
import { datasets, experiments, jobs, notes, snapshots } from '#service/database/tables.ts';

/** Gives a model's label by its id: `Experiment 2 · Ticket triage`, of a checkpoint with its step. Its id where it has none of its own. */
export async function readModelLabels(orm: Orm, models: readonly string[]): Promise<(model: string) => string> {
  const ofDataset = aliasedTable(notes, 'dataset_notes');
  const key = sql<string>`left(replace(${experiments.id}::text, '-', ''), 8)`;
  const tried = new Map(models.map((model) => [model, parseTriedId(model)]));
  const keys = [...tried.values()].flatMap((checkpoint) => checkpoint?.experimentKey ?? []);
  const found = await orm
    .select({
      key,
      model: experiments.model_id,
      run: sql<string>`coalesce(${notes.name}, ${experiments.label})`,
      dataset: sql<string>`coalesce(${ofDataset.name}, ${datasets.label})`,
    })
    .from(experiments)
    .innerJoin(jobs, eq(jobs.id, experiments.job_id))
    .innerJoin(snapshots, eq(snapshots.id, jobs.snapshot_id))
    .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .leftJoin(notes, eq(notes.node_id, experiments.id))
    .leftJoin(ofDataset, eq(ofDataset.node_id, datasets.id))
    .where(or(inArray(experiments.model_id, [...models]), inArray(key, keys)));
  const labels = models.map((model) => {
    const checkpoint = tried.get(model) ?? null;
    const own = found.find((each) =>
      checkpoint === null ? each.model === model : each.key === checkpoint.experimentKey,
    );
    if (!own) return model;
    return checkpoint === null ? `${own.run} · ${own.dataset}` : `${own.run}, step ${checkpoint.step}`;
  });
  return (model) => {
    const label = labels[models.indexOf(model)] ?? model;
    return labels.filter((each) => each === label).length > 1 ? model : label;
  };
}
