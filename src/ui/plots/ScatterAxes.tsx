import { NOT_GIVEN, NOT_GIVEN_MARK, type PlotAxis } from '#ui/plots/scales/axes.ts';
import type { AxisBrush } from '#ui/plots/scales/brush.ts';
import { RangeHandles } from './RangeHandles.tsx';
import { toAxisLabels, type Area } from './scatterLayout.ts';

interface ScatterAxesProps {
  x: PlotAxis;
  y: PlotAxis;
  area: Area;
  chosen: { readonly x: AxisBrush | undefined; readonly y: AxisBrush | undefined };
  onChoose: (axisId: string, choice: AxisBrush | null) => void;
}

const LABEL = 'absolute truncate font-mono text-2xs leading-none text-faint';
const CHARACTER = 6.8;
const MOST_LABEL = 100;

/** Frame, labels and selection handles of the two axes. */
export function ScatterAxes({ x, y, area, chosen, onChoose }: ScatterAxesProps) {
  const [width, height] = [area.right - area.left, area.bottom - area.top];
  const across = toAxisLabels(x, true, (text) => Math.min(MOST_LABEL, text.length * CHARACTER + 10) / width);
  const upright = toAxisLabels(y, false, () => 13 / height);
  return (
    <>
      <span
        className="pointer-events-none absolute border border-line"
        style={{ left: area.left, top: area.top, width, height }}
      />
      <div className="absolute w-2" style={{ left: area.left - 8, top: area.top, height }}>
        {upright.map(({ text, at }) => (
          <span
            key={text}
            aria-hidden
            title={text}
            className={`${LABEL} right-full mr-0.5 translate-y-1/2 text-right`}
            style={{ bottom: `${at * 100}%`, maxWidth: area.left - 14 }}
          >
            {text}
          </span>
        ))}
        {y.kind === 'number' && (
          <RangeHandles axis={y} chosen={chosen.y} onChoose={(choice) => onChoose(y.id, choice)} />
        )}
      </div>
      <div className="absolute h-2" style={{ top: area.bottom, left: area.left, width }}>
        {across.map(({ text, at }) => (
          <span
            key={text}
            aria-hidden
            title={text}
            className={`${LABEL} top-full mt-1 -translate-x-1/2`}
            style={{ left: `${at * 100}%`, maxWidth: MOST_LABEL }}
          >
            {text}
          </span>
        ))}
        {x.kind === 'number' && (
          <RangeHandles axis={x} chosen={chosen.x} onChoose={(choice) => onChoose(x.id, choice)} isAcross />
        )}
      </div>
      {y.hasMissing && (
        <span
          aria-hidden
          title={NOT_GIVEN}
          className={`${LABEL} bg-surface px-0.5 -translate-y-1/2`}
          style={{ left: area.missingX - 30, top: area.missingY }}
        >
          {NOT_GIVEN_MARK}
        </span>
      )}
      {x.hasMissing && (
        <span
          aria-hidden
          title={NOT_GIVEN}
          className={`${LABEL} bg-surface px-0.5 -translate-x-1/2`}
          style={{ left: area.missingX, top: area.bottom + 12 }}
        >
          {NOT_GIVEN_MARK}
        </span>
      )}
    </>
  );
}
