import { X } from 'lucide-react';
import { Fragment } from 'react';
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import { ScaleSwitch } from './ScaleSwitch.tsx';

interface AxisHeadProps {
  axis: PlotAxis;
  isBrushed: boolean;
  onClear: () => void;
  onLogToggle: () => void;
}

/** Name of an axis, and buttons that switch its scale and clear its selection. */
export function AxisHead({ axis, isBrushed, onClear, onLogToggle }: AxisHeadProps) {
  const parts = axis.label.split(/(?<=_)/);
  return (
    <>
      <span
        className={`line-clamp-3 text-2xs leading-tight ${isBrushed ? 'text-accent' : 'text-soft'}`}
        title={axis.label}
      >
        {parts.map((part, index) => (
          <Fragment key={parts.slice(0, index + 1).join('')}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
      <span className="flex h-6 items-center gap-0.5">
        {axis.kind === 'number' && <ScaleSwitch axis={axis} name={axis.label} kind="axis" onSwitch={onLogToggle} />}
        {isBrushed && (
          <button
            type="button"
            onClick={onClear}
            className={
              'inline-flex min-h-6 min-w-6 items-center justify-center rounded-sm px-1 text-2xs text-faint ' +
              'hover:bg-neutral-soft hover:text-ink'
            }
            aria-label={`${axis.label}: clear the selection`}
            data-tip="Clear the selection on this axis"
          >
            <X aria-hidden size={11} />
          </button>
        )}
      </span>
    </>
  );
}
