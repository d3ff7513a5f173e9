// What an import changes of a file, in words.
import type { ImportChangeKind } from '#features/project-files/shared/transfer.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

interface ChangeWords {
  readonly title: (count: number) => string;
  /** Whether its texts are names that people copy, and not words. */
  readonly isName: boolean;
}

const WORDS: Readonly<Record<ImportChangeKind, ChangeWords>> = {
  project_renamed: { title: () => 'Another name for the project', isName: false },
  model_renamed: { title: (count) => `Another name for ${formatCounted(count, 'model')}`, isName: true },
  alias_dropped: {
    title: (count) => `${formatCount(count)} ${count === 1 ? 'alias' : 'aliases'} left out`,
    isName: true,
  },
  run_ended: { title: (count) => `${formatCounted(count, 'run')} ended`, isName: false },
  job_ended: { title: (count) => `${formatCounted(count, 'job')} ended`, isName: false },
  recommendation_ended: { title: (count) => `${formatCounted(count, 'recommendation')} ended`, isName: false },
  function_dropped: { title: (count) => `${formatCounted(count, 'own function')} left out`, isName: false },
  date_moved: { title: (count) => `${formatCounted(count, 'date')} in the future`, isName: false },
};

export const toChangeWords = (kind: ImportChangeKind): ChangeWords => WORDS[kind];
