import { ListFilter, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { RangeInput } from '#ui/fields/RangeInput.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import {
  OUTLIER_LABELS,
  OUTLIERS,
  X_AXES,
  X_LABELS,
  type CurveView,
} from '#features/runs/web/curves/curveMath/curveView.ts';
import { MOST_SMOOTHING } from '#features/runs/web/curves/curveMath/smoothing.ts';

interface CurvesToolbarProps {
  view: CurveView;
  onView: (patch: Partial<CurveView>) => void;
  /** Runs chosen in the table, and all below the node. */
  counts: { readonly chosen: number; readonly all: number };
  isChosen: boolean;
  metrics: { readonly shown: number; readonly all: number };
  isPicking: boolean;
  onPick: () => void;
  bestOptions: readonly string[];
  /** null: everything is in view. */
  zoomed: string | null;
  /** Below 1 zooms in. */
  onZoom: (factor: number) => void;
  onReset: () => void;
  files: ReactNode;
}

const SMOOTHING = { label: 'Smoothing', min: 0, max: MOST_SMOOTHING, step: 0.01, fallback: 0 };

export function CurvesToolbar({
  view,
  onView,
  counts,
  isChosen,
  metrics,
  isPicking,
  onPick,
  bestOptions,
  zoomed,
  onZoom,
  onReset,
  files,
}: CurvesToolbarProps) {
  return (
    <div role="toolbar" aria-label="How the curves are shown" className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button aria-expanded={isPicking} onClick={onPick}>
        <ListFilter aria-hidden size={14} />
        Metrics {metrics.shown} of {formatCount(metrics.all)}
      </Button>
      {counts.chosen > 0 && counts.chosen < counts.all && (
        <Select
          label="Runs"
          value={isChosen ? 'chosen' : 'all'}
          options={[
            { value: 'chosen', label: `${formatCount(counts.chosen)} chosen in the table` },
            { value: 'all', label: `all ${formatCount(counts.all)}` },
          ]}
          onChange={(runs) => onView({ runs: runs === 'all' ? 'all' : 'chosen' })}
        />
      )}
      <Select
        label="x"
        value={view.x}
        options={X_AXES.map((value) => ({ value, label: X_LABELS[value] }))}
        onChange={(value) => onView({ x: X_AXES.find((axis) => axis === value) ?? 'step' })}
      />
      <Toggle label="log y" value={view.isLog} onChange={(isLog) => onView({ isLog })} />
      <Select
        label="Outliers"
        value={view.outliers}
        options={OUTLIERS.map((value) => ({ value, label: OUTLIER_LABELS[value] }))}
        onChange={(value) => onView({ outliers: OUTLIERS.find((each) => each === value) ?? 'far' })}
      />
      <span className="flex items-center gap-2 text-soft">
        <span aria-hidden>smooth</span>
        <span className="w-24">
          <RangeInput limit={SMOOTHING} value={view.smoothing} onChange={(smoothing) => onView({ smoothing })} />
        </span>
        <span aria-hidden className="w-8 font-mono text-sm">
          {view.smoothing === 0 ? 'off' : view.smoothing}
        </span>
      </span>
      <Select
        label="Best so far"
        value={view.best ?? ''}
        options={[{ value: '', label: 'off' }, ...bestOptions.map((name) => ({ value: name, label: name }))]}
        onChange={(name) => onView({ best: name === '' ? null : name })}
      />
      <span className="flex items-center print:hidden">
        <IconButton label="Zoom in" icon={<ZoomIn aria-hidden size={15} />} onClick={() => onZoom(0.5)} />
        <IconButton
          label="Zoom out"
          icon={<ZoomOut aria-hidden size={15} />}
          disabledReason={zoomed === null ? 'everything is in view' : null}
          onClick={() => onZoom(2)}
        />
        {zoomed !== null && (
          <Button size="small" variant="quiet" onClick={onReset} title="Show all (0 in a plot, or a double click)">
            {zoomed} ×
          </Button>
        )}
      </span>
      <span className="ml-auto flex items-center print:hidden">{files}</span>
    </div>
  );
}
