import { NOT_GIVEN_MARK, toAxisText, type PlotAxis } from '#ui/plots/scales/axes.ts';

interface PlotTipProps {
  point: { readonly x: number; readonly y: number };
  /** Size of the plot, so that the tip stays inside. */
  width: number;
  height: number;
  title: string;
  axes: readonly PlotAxis[];
  row: number;
  /** Number of other rows at the same place. */
  others?: number;
}

const MOST_AXES = 8;
const HEAD_PIXELS = 48;
const LINE_PIXELS = 17;

function toTipText(axis: PlotAxis, row: number): string {
  const value = axis.values[row] ?? null;
  return value === null ? NOT_GIVEN_MARK : toAxisText(axis, value);
}

/** Name and values of the row under the pointer. The plot's table has the same values. */
export function PlotTip({ point, width, height, title, axes, row, others = 0 }: PlotTipProps) {
  const isLeft = point.x > width / 2;
  const tall = HEAD_PIXELS + Math.min(axes.length, MOST_AXES) * LINE_PIXELS;
  return (
    <div
      aria-hidden
      className={
        'pointer-events-none absolute z-10 max-w-72 rounded-md border border-line-strong bg-surface px-2 py-1 text-xs ' +
        'shadow-pop'
      }
      style={{
        top: Math.max(0, Math.min(point.y - 20, height - tall)),
        ...(isLeft ? { right: width - point.x + 14 } : { left: point.x + 14 }),
      }}
    >
      <p className="truncate font-medium">{title}</p>
      <dl className="grid grid-cols-[auto_auto] gap-x-3">
        {axes.slice(0, MOST_AXES).map((axis) => (
          <div key={axis.id} className="contents">
            <dt className="truncate text-2xs text-soft">{axis.label}</dt>
            <dd className="truncate text-right font-mono text-2xs">{toTipText(axis, row)}</dd>
          </div>
        ))}
      </dl>
      {others > 0 && <p className="text-soft">{others + 1} here</p>}
    </div>
  );
}
