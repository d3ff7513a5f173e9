import { Columns3, ListX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toBesideRuns } from '#features/experiments/web/compareState/compareWithRuns.ts';
import { removeCompared } from '#features/experiments/web/compareState/removeCompared.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { findRecommended, toRecommendedWords, type Choices } from '#features/experiments/shared/candidates.ts';
import { Button } from '#ui/kit/Button.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { showUndo } from '#ui/kit/toast.ts';

interface CompareBarProps {
  snapshot: TreeNode;
  choices: Choices;
  /** Exports the compared candidates. */
  exportMenu: ReactNode;
}

/**
 * One line: how many candidates are compared, and a link to them. With none: what the service recommends, beside the
 * snapshot's runs.
 */
export function CompareBar({ snapshot, choices, exportMenu }: CompareBarProps) {
  const { compare } = useUrlState();
  const recommended = findRecommended(choices);
  const words = toRecommendedWords(choices);
  const { refs, runs } = toBesideRuns(
    snapshot,
    recommended.map(({ key }) => key),
  );
  const own = compare.filter((ref) => ref.startsWith(`r:${snapshot.id}:`));
  const here = own.length;
  const clear = (): void =>
    showUndo(`${formatCounted(here, 'candidate')} removed from the comparison.`, removeCompared(own));
  if (compare.length === 0) {
    return (
      <div
        className={
          'flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-[10px] border border-line bg-surface px-3 ' +
          'py-2 print:hidden'
        }
      >
        <span className="min-w-40 flex-1 text-soft">
          {words !== null && `Recommended: ${words}. `}
          Tick any of the {choices.candidates.length} candidates to compare them.
        </span>
        {recommended.length > 0 && (
          <Button
            size="small"
            onClick={() => updateUrl({ compare: refs, baseline: null, order: null, tab: 'compare' })}
          >
            <Columns3 aria-hidden size={13} />
            Compare {formatCounted(recommended.length, 'recommended setting')}
            {runs > 0 && ` with ${formatCounted(runs, 'run')}`}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div
      className={
        // The box around it has a padding: in it, text would show above the bar.
        'sticky -top-4 z-20 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-[10px] border border-line ' +
        'bg-surface px-3 py-2 print:hidden'
      }
    >
      <span className="min-w-40 flex-1">
        <span className="font-semibold">{compare.length} compared</span>
        {here < compare.length && <span className="text-soft"> · {here === 0 ? 'none' : here} from this snapshot</span>}
      </span>
      {own.length > 0 && (
        <Button
          size="small"
          variant="quiet"
          title="Removes the candidates of this snapshot from the comparison"
          onClick={clear}
        >
          <ListX aria-hidden size={14} />
          Clear
        </Button>
      )}
      {exportMenu}
      <Button size="small" variant="primary" onClick={() => updateUrl({ tab: 'compare' })}>
        <Columns3 aria-hidden size={13} />
        Compare
      </Button>
    </div>
  );
}
