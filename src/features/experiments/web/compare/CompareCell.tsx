import type { Parameter } from '#features/experiments/shared/parameters.ts';
import { toGapText, type RowsGap } from '#features/evaluation/shared/passRateDifference.ts';
import type { CompareCell as Cell } from './comparison.ts';
import { formatCount } from '#ui/kit/format.ts';
import { toClipped } from '#features/experiments/shared/trainingWords.ts';
import { NotGiven } from '#ui/kit/NotGiven.tsx';
import { toCellText, toFullText } from './cellText.ts';
import type { CompareColumn } from './compareColumns.ts';

interface CompareCellProps {
  parameter: Parameter;
  /** undefined while there is no candidate. */
  cell: Cell | undefined;
  column: CompareColumn;
  isBaseline: boolean;
}

const TONES = { better: 'text-success', worse: 'text-error' } as const;

const OTHER_DATA = 'No test: measured on other rows than the baseline, so there is no difference to show';

/** A difference whose interval holds 0 may be chance. */
const toVerdictText = ({ verdict, gap }: Cell): string =>
  gap !== null && gap.low <= 0 && gap.high >= 0 ? `${verdict}, may be chance` : `${verdict}`;

const toGapTip = (gap: RowsGap): string =>
  `On the same ${formatCount(gap.rows)} validation rows, in points: ${toGapText(gap)}. ` +
  (gap.p === null
    ? 'Newcombe, as of two groups: the outcome of each row is not kept. Evaluate compares two models row by row.'
    : 'Newcombe’s interval of pairs and the exact McNemar test.');

/** One value with its difference from the baseline, or the reason why it is missing. */
export function CompareCell({ parameter, cell, column, isBaseline }: CompareCellProps) {
  if (column.kind !== 'ready' || !cell)
    return <span className="sr-only">{column.kind === 'loading' ? 'loading' : 'not found'}</span>;
  if (cell.value === null) {
    const isTrained = column.candidate.origin === 'run';
    return parameter.isResult && !isTrained ? <span className="font-sans text-faint">not trained</span> : <NotGiven />;
  }
  const { text, isExact } = toCellText(parameter, cell.value);
  return (
    <span className="flex items-baseline justify-end gap-1.5" title={toClipped(toFullText(cell.value))}>
      <span data-value className="line-clamp-3 min-w-0">
        {!isExact && <span aria-label="about">≈</span>}
        {text}
      </span>
      {cell.isOtherData && !isBaseline && (
        <span className="text-xs whitespace-nowrap text-soft" title={OTHER_DATA}>
          other data
        </span>
      )}
      {cell.delta !== null && !isBaseline && (
        <span
          title={cell.gap ? toGapTip(cell.gap) : undefined}
          className={`text-xs whitespace-nowrap ${cell.verdict === null ? 'text-soft' : TONES[cell.verdict]}`}
        >
          {cell.delta}
          {cell.verdict !== null && <span className="font-sans"> {toVerdictText(cell)}</span>}
          {cell.gap && <span className="block text-right font-sans text-soft">{toGapText(cell.gap)}</span>}
        </span>
      )}
    </span>
  );
}
