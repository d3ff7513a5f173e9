import { useMemo, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Toggle } from '#web/ui/fields/Toggle.tsx';
import { formatCount } from '#web/ui/format.ts';
import { MOST_RUNS, type CurveRun } from '#web/curves/lines/curveRun.ts';
import { toRunColors } from '#web/curves/lines/runColors.ts';
import { USUAL_VIEW, type CurveView } from '#web/curves/lines/curveView.ts';
import { toLines } from '#web/curves/lines/lineBook.ts';
import { toWholeRange, type XRange } from '#web/curves/lines/valueRange.ts';
import { toKept } from '#web/curves/lines/xRange.ts';
import { CurvePlot } from './CurvePlot.tsx';
import { PICTURE_HEIGHT, toPlotData } from './plotData.ts';
import { createPointer } from './pointer.ts';
import { useCurves } from './useCurves.ts';

interface SmallCurvesProps {
  /** The first ones are drawn; the array keeps its identity while nothing in it changes. */
  runs: readonly CurveRun[];
  project: string;
  onAll: () => void;
}

const SPEC = { key: 'loss', names: ['loss', 'eval/loss'] };
const WITH_REPLACED = { key: 'loss', names: [...SPEC.names, 'replaced/loss', 'replaced/eval/loss'] };
const TRAINING = { key: 'loss', names: ['loss'] };
/** Runs of several lengths on one axis. */
const SHARED_VIEW: CurveView = { ...USUAL_VIEW, x: 'share' };
const NO_RUNS: ReadonlySet<string> = new Set();

/** The loss of a run, in training and on validation rows; of several runs in training alone, each in percent of its steps. */
export function SmallCurves({ runs: all, project, onAll }: SmallCurvesProps) {
  const runs = useMemo(() => all.slice(0, MOST_RUNS), [all]);
  const view = runs.length > 1 ? SHARED_VIEW : USUAL_VIEW;
  const colors = useMemo(() => toRunColors(project, runs), [project, runs]);
  const [isReplaced, setReplaced] = useState(false);
  const spec = runs.length > 1 ? TRAINING : isReplaced ? WITH_REPLACED : SPEC;
  const { curves, names, isPending } = useCurves(runs, spec.names, null);
  const hasReplaced = names.some(({ name }) => WITH_REPLACED.names.includes(name) && !SPEC.names.includes(name));
  const [pointer] = useState(createPointer);
  const [zoom, setZoom] = useState<XRange | null>(null);
  const lines = useMemo(() => toLines(curves, view.x, runs), [curves, view, runs]);
  const whole = useMemo(() => toWholeRange([...lines.values()].flat()), [lines]);
  const x = (whole && zoom && toKept(zoom, whole)) ?? whole;
  const data = useMemo(
    () => x && toPlotData({ spec, lines, colors, hidden: NO_RUNS, view, x }),
    [spec, lines, colors, view, x],
  );
  const labels = useMemo(() => new Map(runs.map(({ id, label }) => [id, label])), [runs]);
  const hidden = all.length - runs.length;
  return (
    <div className="flex min-h-72 flex-col gap-1">
      {x && whole && data ? (
        <CurvePlot
          spec={spec}
          data={data}
          view={view}
          x={x}
          whole={whole}
          names={labels}
          front={null}
          pointer={pointer}
          onZoom={setZoom}
          height={PICTURE_HEIGHT}
        />
      ) : (
        !isPending && <p className="text-soft">{names.length > 0 ? 'It logged no loss.' : 'No curve yet.'}</p>
      )}
      {names.length > 0 && (
        <span className="flex flex-wrap items-center gap-3">
          {hidden > 0 && (
            <span className="text-sm text-soft">{`The first ${MOST_RUNS} of ${formatCount(all.length)} runs.`}</span>
          )}
          {hasReplaced && runs.length === 1 && (
            <Toggle label="Show what was trained again" value={isReplaced} onChange={setReplaced} />
          )}
          <Button size="small" variant="quiet" onClick={onAll}>
            All {names.length} metrics
          </Button>
        </span>
      )}
    </div>
  );
}
