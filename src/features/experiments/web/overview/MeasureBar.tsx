import { isShare, type Measure, toMeasureValue } from '#features/experiments/shared/measures.ts';
import { toInterval } from './measureWords.ts';

interface MeasureBarProps {
  measure: Measure;
  value: number;
  /** The same of the base model; null: not measured. */
  base: number | null;
  /** Number of rows that it was measured on; null: not given. */
  rows: number | null;
}

/** A measure with its value and interval. A share is a bar as well, with the base model as a vertical line; a loss has no end. */
export function MeasureBar({ measure, value, base, rows }: MeasureBarProps) {
  const toWidth = (part: number): string => `${Math.min(100, Math.max(0, part * 100))}`;
  const interval = toInterval(measure, value, rows);
  const note = interval ? `${interval.low}–${interval.high}` : measure.better === 'lower' ? 'lower is better' : null;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="flex items-center gap-x-2">
        {isShare(measure, value) && (
          <svg
            aria-hidden
            viewBox="0 0 100 8"
            preserveAspectRatio="none"
            className="hidden h-2 w-10 shrink-0 @[22rem]:block @xl:w-20"
          >
            <rect y="2" width="100" height="4" rx="2" className="fill-line" />
            <rect y="2" width={toWidth(value)} height="4" rx="2" className="fill-success" />
            {base !== null && (
              <line x1={toWidth(base)} x2={toWidth(base)} y1="0" y2="8" strokeWidth="1.5" className="stroke-ink" />
            )}
          </svg>
        )}
        <span className="font-semibold whitespace-nowrap tabular-nums">{toMeasureValue(measure, value)}</span>
      </span>
      <span className="text-sm text-soft" title={measure.counts}>
        <span className="whitespace-nowrap">
          {measure.label}
          {note !== null && ' ·'}
        </span>
        {note !== null && (
          <>
            {' '}
            <span className="whitespace-nowrap tabular-nums">{note}</span>
          </>
        )}
      </span>
    </span>
  );
}
