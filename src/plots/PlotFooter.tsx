import { toSameText, type Axes } from './axes';

interface PlotFooterProps {
  axes: Axes;
  total: number;
  shown: number;
  onClear: (() => void) | null;
}

/** What the plot leaves out, and how much of it is selected. */
export function PlotFooter({ axes, total, shown, onClear }: PlotFooterProps) {
  const notes = axes.axes.flatMap((axis) => (axis.kind === 'number' && axis.scaleNote !== null ? [`${axis.label} is ${axis.scaleNote}`] : []));
  const parts = [toSameText(axes.same), ...notes].filter((part) => part !== null);
  if (parts.length === 0 && onClear === null) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 px-2 pt-1 text-xs text-faint">
      {onClear && (
        <span className="text-soft">
          {shown} of {total} selected on the axes ·{' '}
          <button type="button" onClick={onClear} className="text-accent hover:underline">
            Clear
          </button>
        </span>
      )}
      {parts.map((part) => (
        <span key={part} className="min-w-0 break-words">
          {part}
        </span>
      ))}
    </p>
  );
}
