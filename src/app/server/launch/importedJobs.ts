// The jobs of other trainers' folders, from which recommendations learn.
import type { Job } from '#core/contract/job.ts';
import type { Runs } from '#features/runs/server/runs.ts';

/** Each is a job's whole record, so there is an end to it. */
const MOST_JOBS = 100;

/** What can't be read now is left out: a recommendation is made without it. */
export async function listImportedJobs(runs: Runs | null): Promise<readonly Job[]> {
  if (runs === null) return [];
  try {
    const found: Job[] = [];
    for (const { id } of await runs.listProjects()) {
      const project = await runs.findProject(id);
      const jobs = project?.children.flatMap(({ children }) => children.flatMap((snapshot) => snapshot.children)) ?? [];
      for (const job of jobs) {
        if (found.length === MOST_JOBS) return found;
        const record = await runs.findJob(job.id);
        if (record !== null) found.push(record);
      }
    }
    return found;
  } catch {
    return [];
  }
}
