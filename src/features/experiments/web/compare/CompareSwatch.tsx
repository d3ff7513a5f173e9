import { COLORS, swatchClass } from '#ui/kit/series.ts';

interface CompareSwatchProps {
  /** Its place in the address. */
  series: number;
  /** It is outside the brush. */
  isFaded: boolean;
}

/** The colour of a column's line, and its place too once colours repeat. */
export function CompareSwatch({ series, isFaded }: CompareSwatchProps) {
  return (
    <>
      <span
        aria-hidden
        className={`mt-1 inline-block size-2.5 shrink-0 rounded-[3px] ${swatchClass(series)} ${isFaded ? 'opacity-30' : ''}`}
      />
      {series >= COLORS && (
        <span
          className="mt-0.5 shrink-0 font-mono text-2xs text-soft"
          title="Colours repeat after eight, so the column is numbered"
        >
          {series + 1}
        </span>
      )}
    </>
  );
}
