// What is said about a folder of runs. Pure.
import type { RunGrouping, RunRoot } from '#features/runs/shared/runs.ts';
import { formatAge, formatCount, formatCounted } from '#ui/kit/format.ts';

const STATES: Readonly<Record<RunRoot['state'], string>> = {
  scanning: 'being read for the first time',
  watching: 'watched: the page shows changes at once',
  polling: 'checked again at intervals',
  missing: 'not available now: its runs come back with the folder',
};

/** The state, and why the service says so where it isn't the usual one. Ends without a full stop. */
export function toRootState({ state, state_reason: reason }: Pick<RunRoot, 'state' | 'state_reason'>): string {
  if (reason === undefined || state === 'scanning' || state === 'watching') return STATES[state];
  return `${STATES[state]}. ${reason.replace(/\.$/, '')}`;
}

/** "12 runs in 31 folders, 412 files, read 4 s ago". */
export function toRootCounts({ runs, folders, files, scanned_at: at }: RunRoot, now: number): string {
  const counts = `${formatCounted(runs, 'run')} in ${formatCounted(folders, 'folder')}, ${formatCounted(files, 'file')}`;
  return at === null ? counts : `${counts}, read ${formatAge(Math.max(0, now - at))}`;
}

export const toFormatsText = ({ formats }: Pick<RunRoot, 'formats'>): string =>
  formats.map(({ label, runs }) => `${label} ${formatCount(runs)}`).join(' · ');

/** The runs of one parent folder are a job, and so on. */
export function toGroupingText(grouping: RunGrouping): string {
  switch (grouping.by) {
    case 'folder':
      return 'Runs of one parent folder are one job.';
    case 'pattern':
      return `Runs whose path has the same part matching ${grouping.pattern} are one job.`;
    case 'parameter':
      return `Runs with the same value of ${grouping.parameter} are one job.`;
    default:
      return grouping satisfies never;
  }
}

/** Why the grouping can't be used; null: it can. */
export function findGroupingProblem(grouping: RunGrouping): string | null {
  if (grouping.by === 'parameter')
    return grouping.parameter.trim() === '' ? 'Name a setting, such as learning_rate.' : null;
  if (grouping.by !== 'pattern') return null;
  if (grouping.pattern.trim() === '') return 'Write a regular expression, such as (lr[^/-]+).';
  try {
    void new RegExp(grouping.pattern);
    return null;
  } catch (error) {
    return `This is not a regular expression: ${error instanceof Error ? error.message : 'unknown reason'}.`;
  }
}
