import { Fragment, type KeyboardEvent } from 'react';
import { toAxisText, type NumberAxis } from '#ui/plots/scales/axes.ts';
import type { AxisBrush } from '#ui/plots/scales/brush.ts';
import { toExtent } from './brushDrag.ts';
import { reduceRangeKey } from './brushKeys.ts';

interface RangeHandlesProps {
  axis: NumberAxis;
  chosen: AxisBrush | undefined;
  onChoose: (choice: AxisBrush | null) => void;
  /** The axis is horizontal. */
  isAcross?: boolean;
}

const ENDS = ['from', 'to'] as const;
const WORDS = { from: 'lowest', to: 'highest' } as const;
/**
 * A slider is 24 px wide and high. Both are beside the axis and side by side, so neither covers the other, a control
 * above or below the axis, or the sliders of a second axis in the corner.
 */
const SLIDER = 'pointer-events-none absolute size-6 outline-none';
const PLACES = {
  upright: { from: 'right-full mr-1 translate-y-1/2', to: 'right-full mr-7 translate-y-1/2' },
  across: { from: 'bottom-full -translate-x-1/2', to: 'bottom-full mb-6 -translate-x-1/2' },
} as const;
/** The mark on the axis shows its slider's value and focus. */
const MARK = 'pointer-events-none absolute rounded-full outline-offset-1 outline-accent [:focus-visible+&]:outline-2';

/**
 * The selected stretch of a number axis with an end at either side, moved by keys. Fills the axis' stretch of values.
 */
export function RangeHandles({ axis, chosen, onChoose, isAcross = false }: RangeHandlesProps) {
  const extent = toExtent(axis, chosen);
  const press = (end: 'from' | 'to') => (event: KeyboardEvent) => {
    const next = reduceRangeKey(axis, chosen, end, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(next);
  };
  // An input of type range can't share its track with another one.
  const toSlider = (end: 'from' | 'to') => ({ role: 'slider', tabIndex: 0, onKeyDown: press(end) });
  const place = (fraction: number) => `${fraction * 100}%`;
  const [from, to] = [extent?.from ?? 0, extent?.to ?? 1];
  return (
    <>
      {extent && (
        <span
          className={
            'pointer-events-none absolute rounded-sm border border-accent bg-accent/15 ' +
            `${isAcross ? 'inset-y-0' : 'inset-x-0'}`
          }
          style={isAcross ? { left: place(from), right: place(1 - to) } : { bottom: place(from), top: place(1 - to) }}
        />
      )}
      {ENDS.map((end) => {
        const value = chosen?.kind === 'range' ? chosen[end] : null;
        const at = place(end === 'from' ? from : to);
        const style = isAcross ? { left: at } : { bottom: at };
        return (
          <Fragment key={end}>
            <span
              {...toSlider(end)}
              aria-label={`${axis.label}, ${WORDS[end]}`}
              aria-orientation={isAcross ? 'horizontal' : 'vertical'}
              aria-valuemin={axis.min}
              aria-valuemax={axis.max}
              aria-valuenow={value ?? (end === 'from' ? axis.min : axis.max)}
              aria-valuetext={value === null ? 'no limit' : toAxisText(axis, value)}
              className={`${SLIDER} ${PLACES[isAcross ? 'across' : 'upright'][end]}`}
              style={style}
            />
            <span
              className={
                `${MARK} ${extent ? 'bg-accent' : 'bg-line-strong'} ` +
                `${isAcross ? 'inset-y-0 w-1 -translate-x-1/2' : 'inset-x-0.5 h-1 translate-y-1/2'}`
              }
              style={style}
            />
          </Fragment>
        );
      })}
    </>
  );
}
