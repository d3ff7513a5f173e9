import { X } from 'lucide-react';
import { Fragment } from 'react';
import type { PlotAxis } from '#ui/plots/scales/axes.ts';

interface AxisHeadProps {
  axis: PlotAxis;
  isBrushed: boolean;
  onClear: () => void;
  onLogToggle: () => void;
}

/** A pointer target needs at least 24 px. */
const SMALL =
  'inline-flex min-h-6 min-w-6 items-center justify-center rounded-sm px-1 text-2xs text-faint hover:bg-off-soft ' +
  'hover:text-ink';

/** Name of an axis, and buttons that switch its scale and clear its selection. */
export function AxisHead({ axis, isBrushed, onClear, onLogToggle }: AxisHeadProps) {
  const parts = axis.label.split(/(?<=_)/);
  return (
    <>
      <span
        className={`line-clamp-3 font-mono text-2xs leading-tight ${isBrushed ? 'text-accent' : 'text-soft'}`}
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
        {axis.kind === 'number' && (
          <button
            type="button"
            onClick={onLogToggle}
            className={`${SMALL} underline decoration-dotted underline-offset-2`}
            aria-label={`${axis.label}: ${axis.scale} scale, switch`}
            data-tip={axis.scaleNote ?? 'Switch between a linear and a logarithmic axis'}
          >
            {axis.scale}
          </button>
        )}
        {isBrushed && (
          <button
            type="button"
            onClick={onClear}
            className={SMALL}
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
