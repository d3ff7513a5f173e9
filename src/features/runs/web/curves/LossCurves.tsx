import { useMemo, useState } from 'react';
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import { USUAL_VIEW, type CurveView } from '#features/runs/web/curves/curveMath/curveView.ts';
import { toLines } from '#features/runs/web/curves/curveMath/lineBook.ts';
import { LOSS_NAMES } from '#features/runs/web/curves/curveMath/losses.ts';
import { toValueRange } from '#features/runs/web/curves/curveMath/valueRange.ts';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { CurveLegend } from './CurveLegend.tsx';
import { CurvePlot } from './CurvePlot.tsx';
import { toPlotData } from './plotData.ts';
import { createPointer } from './pointer.ts';
import { type XRange, toKept, toWholeRange } from '#features/runs/web/curves/curveMath/xRange.ts';

interface LossCurvesProps {
  /** Of the figure; without it the names of the metrics. */
  label?: string;
  /** Losses of the runs: in training, and on validation rows. */
  curves: readonly ReadCurve[];
  runs: readonly { readonly id: string; readonly label: string }[];
  /** The place of each run, which gives its colour. */
  colors: ReadonlyMap<string, number>;
  /** Whether the x axis is at first the share of each run's steps. */
  startsAsShare?: boolean;
  hoveredKey?: string | null;
  onHover?: (run: string | null) => void;
}

const HEIGHT = 230;
const NO_RUNS: ReadonlySet<string> = new Set();
const SPEC = { key: 'loss', names: LOSS_NAMES };
/** On a linear scale, all runs beside one that is far lower would be a single flat line. */
const MOST_LINEAR_RATIO = 100;
const SMOOTHING = 0.9;

/** Losses of one or a few runs, with their names. What is chosen holds while the plot is on the page. */
export function LossCurves({
  label,
  curves,
  runs,
  colors,
  startsAsShare = false,
  hoveredKey = null,
  onHover,
}: LossCurvesProps) {
  const [log, setLog] = useState<boolean | null>(null);
  const [share, setShare] = useState<boolean | null>(null);
  const [isSmooth, setSmooth] = useState(false);
  const [isCut, setCut] = useState(true);
  const [zoom, setZoom] = useState<XRange | null>(null);
  const [pointer] = useState(createPointer);
  const isShare = share ?? startsAsShare;
  const axis = isShare ? 'share' : 'step';
  const lines = useMemo(() => toLines(curves, axis, runs), [curves, axis, runs]);
  const shown = useMemo(() => LOSS_NAMES.flatMap((name) => lines.get(name) ?? []), [lines]);
  const spec = useMemo(() => ({ ...SPEC, names: LOSS_NAMES.filter((name) => lines.has(name)) }), [lines]);
  const whole = useMemo(() => toWholeRange(shown), [shown]);
  const usual = useMemo(() => whole && toValueRange(shown, whole, USUAL_VIEW), [shown, whole]);
  const canLog = usual !== null && usual.low > 0;
  const isLog = canLog && (log ?? usual.high / usual.low > MOST_LINEAR_RATIO);
  const view = useMemo(
    (): CurveView => ({
      ...USUAL_VIEW,
      x: axis,
      isLog,
      outliers: isCut ? 'far' : 'shown',
      smoothing: isSmooth ? SMOOTHING : 0,
    }),
    [axis, isLog, isCut, isSmooth],
  );
  const x = (whole && zoom && toKept(zoom, whole)) ?? whole;
  const names = useMemo(() => new Map(runs.map((run) => [run.id, run.label])), [runs]);
  const data = useMemo(
    () => x && toPlotData({ spec, lines, colors, hidden: NO_RUNS, names, view, x }),
    [spec, lines, colors, names, view, x],
  );
  if (!x || !whole || !data) return <p className="p-4 text-soft">There is no loss to show.</p>;
  return (
    <CurvePlot
      {...(label !== undefined && { label })}
      spec={spec}
      data={data}
      view={view}
      x={x}
      whole={whole}
      names={names}
      front={hoveredKey}
      pointer={pointer}
      onZoom={setZoom}
      onShowAll={() => setCut(false)}
      height={HEIGHT}
      controls={
        <>
          {!isLog && (usual?.above ?? 0) > 0 && <Toggle label="Cut outliers" value={isCut} onChange={setCut} />}
          {canLog && <Toggle label="Log loss" value={isLog} onChange={setLog} />}
          <Toggle
            label="X axis: % of training"
            value={isShare}
            onChange={(next) => {
              setShare(next);
              setZoom(null);
            }}
          />
          <Toggle label="Smooth" value={isSmooth} onChange={setSmooth} />
        </>
      }
    >
      <CurveLegend data={data} names={names} hoveredKey={hoveredKey} onHover={onHover} />
    </CurvePlot>
  );
}
