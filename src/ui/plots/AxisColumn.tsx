import type { MouseEvent } from 'react';
import { NOT_GIVEN, NOT_GIVEN_MARK, type PlotAxis } from '#ui/plots/scales/axes.ts';
import { AxisHead } from './AxisHead.tsx';
import { MISSING, type AxisBrush } from '#ui/plots/scales/brush.ts';
import { isMissingChosen, moveDrag, startDrag, toChoice, toExtent, toggleValue, type Drag } from './brushDrag.ts';
import { toSelectionText } from '#ui/plots/scales/brushText.ts';
import { CategoryMarks } from './CategoryMarks.tsx';
import type { PlotBox } from './lines.ts';
import { RangeHandles } from './RangeHandles.tsx';
import { toFraction } from '#ui/plots/scales/scale.ts';
import { usePlotDrag } from './usePlotDrag.ts';

interface AxisColumnProps {
  axis: PlotAxis;
  x: number;
  /** Room for its name; `labelWidth`: for its categories at the left. */
  width: number;
  labelWidth: number;
  box: PlotBox;
  chosen: AxisBrush | undefined;
  onPreview: (choice: AxisBrush | null | undefined) => void;
  onChoose: (choice: AxisBrush | null) => void;
  onLogToggle: () => void;
  /** A press anywhere on the axis; it must not select the hovered line. */
  onPress: () => void;
}

/** Between its head and its upper end. */
const HEAD_GAP = 12;

/** One vertical axis: name, marks and selection. */
export function AxisColumn({
  axis,
  x,
  width,
  labelWidth,
  box,
  chosen,
  onPreview,
  onChoose,
  onLogToggle,
  onPress,
}: AxisColumnProps) {
  const drag = usePlotDrag<Drag, AxisBrush | null>({
    start: ({ y }, reach) => startDrag(toExtent(axis, chosen), y, reach.y),
    toChoice: (now, { y }, pixels) => toChoice(axis, moveDrag(now, y), pixels.y),
    onPreview,
    onChoose,
    // A click clears; on categories it chooses one.
    onClick: ({ extent }, pixels) => {
      if (chosen) onChoose(null);
      else if (axis.kind === 'category') onChoose(toChoice(axis, extent, pixels.y));
    },
  });
  const isMissingOn = isMissingChosen(chosen);
  const group = {
    role: 'group',
    'aria-label': chosen ? `${axis.label}, ${toSelectionText(axis, chosen)}` : axis.label,
    onPointerDownCapture: onPress,
    // The click that ends a drag must not select a line either.
    onClick: (event: MouseEvent) => event.stopPropagation(),
  };
  return (
    <div {...group} className="absolute inset-y-0 w-0" style={{ left: x }}>
      <div
        className="absolute top-0 flex flex-col items-center justify-end text-center"
        style={{ width, left: -width / 2, height: box.top - HEAD_GAP }}
      >
        <AxisHead
          axis={axis}
          isBrushed={chosen !== undefined}
          onClear={() => onChoose(null)}
          onLogToggle={onLogToggle}
        />
      </div>
      <span
        className="pointer-events-none absolute w-px bg-line-strong"
        style={{ top: box.top, height: box.bottom - box.top }}
      />
      <div
        {...drag}
        className="absolute -left-2 w-4 cursor-row-resize touch-none"
        style={{ top: box.top, height: box.bottom - box.top }}
      >
        {axis.kind === 'category' ? (
          <CategoryMarks
            axis={axis}
            chosen={chosen}
            pixels={box.bottom - box.top}
            labelWidth={labelWidth}
            onChoose={onChoose}
          />
        ) : (
          <>
            {axis.ticks.map((tick) => (
              <span
                key={tick.label}
                aria-hidden
                className={
                  'pointer-events-none absolute right-full translate-y-1/2 rounded-sm bg-surface px-0.5 ' +
                  '[print-color-adjust:exact] font-mono text-2xs leading-none whitespace-nowrap text-faint'
                }
                style={{ bottom: `${toFraction(axis, tick.value) * 100}%` }}
              >
                {tick.label}
              </span>
            ))}
            <RangeHandles axis={axis} chosen={chosen} onChoose={onChoose} />
          </>
        )}
      </div>
      {axis.hasMissing && (
        <button
          type="button"
          aria-pressed={isMissingOn}
          aria-label={`${axis.label}: ${NOT_GIVEN}`}
          title={NOT_GIVEN}
          onClick={() => onChoose(toggleValue(chosen, MISSING))}
          className={
            'absolute -translate-x-1/2 -translate-y-1/2 z-10 min-h-6 rounded-sm bg-surface px-1 text-2xs ' +
            'whitespace-nowrap text-faint hover:text-ink aria-pressed:bg-accent aria-pressed:text-on-accent'
          }
          style={{ top: box.missing }}
        >
          {NOT_GIVEN_MARK}
        </button>
      )}
    </div>
  );
}
