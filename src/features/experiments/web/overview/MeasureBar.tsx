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

/** A measure as a bar with its value and interval; the vertical line is the base model. A loss fills its part of the base's. */
export function MeasureBar({ measure, value, base, rows }: MeasureBarProps) {
  const most = isShare(measure, value) ? 1 : Math.max(value, base ?? value);
  const toWidth = (part: number): string => `${Math.min(100, Math.max(0, most > 0 ? (part / most) * 100 : 0))}`;
  const interval = toInterval(measure, value, rows);
  const note = interval ? `${interval.low}–${interval.high}` : measure.better === 'lower' ? 'lower is better' : null;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="flex items-center gap-x-2">
        <svg
          aria-hidden
          viewBox="0 0 100 8"
          preserveAspectRatio="none"
          className="hidden h-2 w-10 shrink-0 @[22rem]:block @xl:w-20"
        >
          <rect y="2" width="100" height="4" rx="2" className="fill-line" />
          <rect y="2" width={toWidth(value)} height="4" rx="2" className="fill-ok" />
          {base !== null && (
            <line x1={toWidth(base)} x2={toWidth(base)} y1="0" y2="8" strokeWidth="1.5" className="stroke-ink" />
          )}
        </svg>
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
