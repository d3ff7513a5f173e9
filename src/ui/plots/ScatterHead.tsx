import { ArrowLeftRight } from 'lucide-react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { Select } from '#ui/fields/Select.tsx';
import type { PlotAxis } from '#ui/plots/scales/axes.ts';
import { ScaleSwitch } from './ScaleSwitch.tsx';

interface ScatterHeadProps {
  /** The choices: columns in which a row has a value. */
  axes: readonly PlotAxis[];
  x: PlotAxis;
  y: PlotAxis;
  onAxes: (next: { readonly x: string; readonly y: string }) => void;
  onLogToggle: (axisId: string) => void;
}

/** An axis and its scale stay on one line. */
const AXIS = 'inline-flex min-w-0 items-center gap-x-2';

/** The choice of the horizontal and the vertical column, and their scales. */
export function ScatterHead({ axes, x, y, onAxes, onLogToggle }: ScatterHeadProps) {
  const options = axes.map((axis) => ({ value: axis.id, label: axis.label }));
  const scale = (axis: PlotAxis) =>
    axis.kind === 'number' && (
      <ScaleSwitch axis={axis} name={axis.label} kind="axis" onSwitch={() => onLogToggle(axis.id)} />
    );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2 pb-1">
      <span className={AXIS}>
        <Select label="Y axis" value={y.id} options={options} onChange={(id) => onAxes({ x: x.id, y: id })} />
        {scale(y)}
      </span>
      <IconButton
        label="Swap the axes"
        icon={<ArrowLeftRight aria-hidden size={14} />}
        onClick={() => onAxes({ x: y.id, y: x.id })}
      />
      <span className={AXIS}>
        <Select label="X axis" value={x.id} options={options} onChange={(id) => onAxes({ x: id, y: y.id })} />
        {scale(x)}
      </span>
    </div>
  );
}
