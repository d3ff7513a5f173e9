import { ChevronLeft, ChevronRight, Flag, MessageSquareText, Star, X } from 'lucide-react';
import { memo } from 'react';
import { parseRunRef } from '#ui/address/runRefs.ts';
import { toMoved } from '#features/experiments/web/compareState/compareSet.ts';
import { removeCompared } from '#features/experiments/web/compareState/removeCompared.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { toCandidateTitle, toOriginWords, toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { keepFocus } from '#ui/kit/keepFocus.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { showUndo } from '#ui/kit/toast.ts';
import { AS_LISTED } from './columnOrder.ts';
import type { CompareColumn } from './compareColumns.ts';
import { CompareSwatch } from './CompareSwatch.tsx';

interface CompareHeadProps {
  column: CompareColumn;
  /** Its name in controls: unique among the columns. */
  name: string;
  /** Where its candidate comes from, without what all columns share. */
  origin: string;
  /** What tells it apart from columns of the same name; null if there are none. */
  trait: string | null;
  /** The refs of all columns in the shown order, the baseline first. */
  shown: readonly string[];
  /** It is outside the brush. */
  isFaded: boolean;
  /** Given while the columns are sorted: they can't be moved then. */
  fixedReason: string | null;
}

const ACTION = '-my-0.5 size-6';

/** Shows the node that a ref stands for: the experiment, or the snapshot with its recommendation. */
function openNode(ref: string): void {
  const parsed = parseRunRef(ref);
  if (parsed?.kind === 'experiment') selectNode({ id: parsed.experiment_id, type: 'experiment' });
  if (parsed?.kind === 'candidate') updateUrl({ node: parsed.snapshot_id, tab: 'recommendations' });
}

/** Moves a column beside its neighbour. From then on the columns stay as the address lists them. */
function moveColumn(shown: readonly string[], ref: string, step: -1 | 1): void {
  updateUrl({ compare: toMoved(shown, ref, step), order: AS_LISTED });
}

/**
 * A column's head: colour, name, origin, status and actions. Memoised, so scrolling does not render it again.
 */
export const CompareHead = memo(function Head(props: CompareHeadProps) {
  const { column, name, trait, shown, isFaded, fixedReason } = props;
  const { ref, series } = column;
  const isBaseline = ref === shown[0];
  const candidate = column.kind === 'ready' ? column.candidate : null;
  const model = candidate?.model_id ?? null;
  const training = candidate ? (toTrainingWord(candidate.training_type) ?? 'training not given') : null;
  const [origin, ...more] = props.origin.split(' ');
  return (
    <div className="flex h-full min-w-0 flex-col gap-0.5 text-left font-normal">
      <span className="flex min-w-0 items-start gap-1.5">
        <CompareSwatch series={series} isFaded={isFaded} />
        {candidate ? (
          <button
            type="button"
            aria-label={`${name}: show it in the project`}
            title={`${toCandidateTitle(candidate)}: show it in the project`}
            onClick={() => openNode(ref)}
            className="line-clamp-2 min-w-0 rounded text-left font-semibold hover:underline"
          >
            {toCandidateTitle(candidate)}
          </button>
        ) : (
          <span className="font-semibold">{column.kind === 'loading' ? 'Loading' : 'Not found'}</span>
        )}
      </span>
      {candidate && (
        <span className="line-clamp-3 min-w-0 shrink-0 text-sm text-soft" title={toOriginWords(candidate)}>
          {candidate.status !== null && (
            <span className="mr-1 inline-flex align-text-bottom">
              <StatusBadge status={candidate.status} cause={candidate.status_cause} />
            </span>
          )}
          {training} ·{' '}
          {/* The star is beside the origin, not the training type: the base model may be recommended for all types. */}
          <span className="whitespace-nowrap">
            {candidate.recommended && (
              <Star aria-hidden size={11} fill="currentColor" className="mr-1 mb-0.5 inline text-star" />
            )}
            {origin}
          </span>
          {more.length > 0 && ` ${more.join(' ')}`}
        </span>
      )}
      {trait !== null && <span className="text-sm font-medium">{trait}</span>}
      {isFaded && <span className="text-sm text-faint">outside the selection</span>}
      {column.kind !== 'ready' && <p className="text-xs text-soft">{column.words}</p>}
      <span className="mt-auto flex h-6 items-center gap-1.5">
        {isBaseline && <span className="text-sm font-medium text-accent">baseline</span>}
        <span className="ml-auto flex print:hidden">
          {candidate && !isBaseline && (
            <>
              <IconButton
                label={`Make ${name} the baseline`}
                icon={<Flag aria-hidden size={12} />}
                onClick={() => updateUrl({ baseline: ref })}
                className={ACTION}
              />
              <IconButton
                label={`Move ${name} left`}
                icon={<ChevronLeft aria-hidden size={13} />}
                disabledReason={fixedReason ?? undefined}
                onClick={() => moveColumn(shown, ref, -1)}
                className={ACTION}
              />
              <IconButton
                label={`Move ${name} right`}
                icon={<ChevronRight aria-hidden size={13} />}
                disabledReason={fixedReason ?? undefined}
                onClick={() => moveColumn(shown, ref, 1)}
                className={ACTION}
              />
            </>
          )}
          {model !== null && (
            <IconButton
              label={`Open ${model} of ${name} in the playground`}
              icon={<MessageSquareText aria-hidden size={12} />}
              onClick={() => updateUrl({ models: [model] })}
              className={ACTION}
            />
          )}
          <IconButton
            label={`Remove ${name} from the comparison`}
            icon={<X aria-hidden size={13} />}
            onClick={(event) => {
              keepFocus(event.currentTarget);
              showUndo(`${name} removed from the comparison.`, removeCompared([ref], true));
            }}
            className={ACTION}
          />
        </span>
      </span>
    </div>
  );
});
