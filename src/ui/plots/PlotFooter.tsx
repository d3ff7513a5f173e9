import { toSameText, type Axes } from '#ui/plots/scales/axes.ts';

interface PlotFooterProps {
  axes: Axes;
  total: number;
  shown: number;
  /** Shown while nothing is selected. */
  hint?: string | undefined;
  /** It is wider than its room, which scrolls. */
  isCut?: boolean;
  /** Number of axes behind the fold. */
  more?: number;
  isUnfolded?: boolean;
  onUnfold?: () => void;
  onClear: (() => void) | null;
}

/** The columns that the plot leaves out, and how many rows are selected. */
export function PlotFooter({
  axes,
  total,
  shown,
  hint,
  isCut = false,
  more = 0,
  isUnfolded = false,
  onUnfold,
  onClear,
}: PlotFooterProps) {
  const notes = axes.axes.flatMap((axis) =>
    axis.kind === 'number' && axis.scaleNote !== null ? [`${axis.label} is ${axis.scaleNote}`] : [],
  );
  const parts = [toSameText(axes.same), ...notes].filter((part) => part !== null);
  if (parts.length === 0 && onClear === null && hint === undefined && more === 0 && !isCut) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 px-2 pt-1 text-xs text-faint">
      {onClear === null && hint !== undefined && <span className="text-soft print:hidden">{hint}</span>}
      {onClear && (
        <span className="text-soft">
          {shown} of {total} inside the selection
          <span className="print:hidden">
            {' · '}
            <button type="button" onClick={onClear} className="text-accent hover:underline">
              Clear
            </button>
          </span>
        </span>
      )}
      {isCut && <span className="text-soft">Scroll sideways for the other axes →</span>}
      {more > 0 && (
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={onUnfold}
          className="min-h-6 text-accent hover:underline print:hidden"
        >
          {isUnfolded ? `Hide ${more} axes` : `Show ${more} more axes`}
        </button>
      )}
      {parts.map((part) => (
        <span key={part} className="min-w-0">
          {part}
        </span>
      ))}
    </p>
  );
}
