// Which jobs have ended since the page last looked, and what is said of them. Pure.
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';

/** Status of each job, by its id. */
export type JobStates = ReadonlyMap<string, string>;

export interface JobEnd {
  readonly job: TreeNode;
  /** `Round 3 has ended: 2 runs done, 1 failed.` */
  readonly text: string;
  /** `stopped`: a person ended all of its runs. */
  readonly outcome: 'good' | 'stopped' | 'bad';
}

const findJobs = (project: TreeNode): readonly TreeNode[] =>
  project.type === 'finetuning-job' ? [project] : project.children.flatMap(findJobs);

/** A job goes on while one of its runs does. */
const toState = ({ status, children }: TreeNode): string =>
  children.some((run) => isActiveStatus(run.status)) ? 'running' : (status ?? 'unknown');

export const toJobStates = (project: TreeNode): JobStates =>
  new Map(findJobs(project).map((job) => [job.id, toState(job)]));

function toWords(job: TreeNode): string {
  const runs = job.children.filter(({ type }) => type === 'experiment');
  const good = runs.filter(({ status }) => isSucceeded(status)).length;
  const bad = runs.filter(({ status }) => status === 'failed').length;
  const parts = [
    ...(good > 0 ? [`${good} ${good === 1 ? 'run' : 'runs'} done`] : []),
    ...(bad > 0 ? [`${bad} failed`] : []),
    ...(runs.length > good + bad ? [`${runs.length - good - bad} stopped`] : []),
  ];
  return `${nodeLabel(job)} has ended${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
}

function toOutcome({ children }: TreeNode): JobEnd['outcome'] {
  if (children.some(({ status }) => isSucceeded(status))) return 'good';
  return children.some(({ status }) => status === 'failed') ? 'bad' : 'stopped';
}

/** Jobs that went on in `before` and have ended in `project`. Jobs that are gone were deleted by somebody. */
export const findJobEnds = (before: JobStates, project: TreeNode): readonly JobEnd[] =>
  findJobs(project).flatMap((job) => {
    const last = before.get(job.id);
    if (last === undefined || !isActiveStatus(last) || isActiveStatus(toState(job))) return [];
    return [{ job, text: toWords(job), outcome: toOutcome(job) }];
  });

/** The title of the page with the number of jobs that ended while nobody looked. */
export function toBadgedTitle(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\) /, '');
  return count === 0 ? plain : `(${count}) ${plain}`;
}
