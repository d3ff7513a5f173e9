// The studio and the runs of folders, with what is known of trainings.
import type { Recommendation } from '#core/contract/recommendation.ts';
import { findJoined, type Runs } from '#features/runs/server/runs.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Training } from '#features/training/server/openTraining.ts';

/** Recommends for here only what can be trained here: the rest is recommended for elsewhere. Pure. */
function toPlaced(record: Recommendation, findWait: (base: string) => string | null): Recommendation {
  const place = <Advice extends { readonly base_model_id: string; readonly recommended: boolean }>(advice: Advice) =>
    advice.recommended && findWait(advice.base_model_id) !== null
      ? Object.assign({}, advice, { recommended: false, recommended_elsewhere: true })
      : advice;
  return {
    ...record,
    recommended_models: record.recommended_models.map(place),
    recommended_experiments: record.recommended_experiments.map(place),
  };
}

export function toTrainedStudio(studio: Studio, training: Training): Studio {
  return {
    ...studio,
    async findJob(id) {
      const job = await studio.findJob(id);
      return job && training.describeJob(job);
    },
    async findRecommendation(id) {
      const record = await studio.findRecommendation(id);
      return record?.status === 'completed' ? toPlaced(record, await training.findWaits()) : record;
    },
  };
}

/** Curves of runs from folders and of trainings in one answer. */
export function toTrainedRuns(runs: Runs, training: Training): Runs {
  return {
    ...runs,
    async findCurves({ version, ...request }, signal) {
      const own = await training.findCurves(request);
      if (own.version === '') return runs.findCurves(version === undefined ? request : { ...request, version });
      const others = await findJoined(own.version, version, (known) =>
        runs.findCurves(known === undefined ? request : { ...request, version: known }),
      );
      if (others === null) return null;
      const counts = new Map(own.names.map(({ name, runs: count }) => [name, count]));
      for (const { name, runs: count } of others.names) counts.set(name, (counts.get(name) ?? 0) + count);
      return {
        version: others.version,
        curves: [...(await own.read(signal)), ...others.curves],
        names: [...counts].map(([name, count]) => ({ name, runs: count })),
      };
    },
  };
}
