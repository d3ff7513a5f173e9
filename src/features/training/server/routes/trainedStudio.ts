// The studio and the runs of folders, with what is known of trainings.
import { createHash } from 'node:crypto';
import type { Runs } from '#features/runs/server/runs.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Training } from '#features/training/server/openTraining.ts';

export function toTrainedStudio(studio: Studio, training: Training): Studio {
  return {
    ...studio,
    async findJob(id) {
      const job = await studio.findJob(id);
      return job && training.describeJob(job);
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
      const others = await runs.findCurves(request);
      const joined = createHash('sha256').update(`${own.version} ${others?.version}`).digest('base64url').slice(0, 22);
      if (joined === version) return null;
      const counts = new Map(own.names.map(({ name, runs: count }) => [name, count]));
      for (const { name, runs: count } of others?.names ?? []) counts.set(name, (counts.get(name) ?? 0) + count);
      return {
        version: joined,
        curves: [...(await own.read(signal)), ...(others?.curves ?? [])],
        names: [...counts].map(([name, count]) => ({ name, runs: count })),
      };
    },
  };
}
