import { useMemo, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Toggle } from '#web/ui/fields/Toggle.tsx';
import type { CurveRun } from '#web/curves/lines/curveRun.ts';
import { USUAL_VIEW } from '#web/curves/lines/curveView.ts';
import { toLines } from '#web/curves/lines/lineBook.ts';
import { toWholeRange, type XRange } from '#web/curves/lines/valueRange.ts';
import { toKept } from '#web/curves/lines/xRange.ts';
import { CurvePlot } from './CurvePlot.tsx';
import { PICTURE_HEIGHT, toPlotData } from './plotData.ts';
import { createPointer } from './pointer.ts';
import { useCurves } from './useCurves.ts';

interface SmallCurvesProps {
  run: CurveRun;
  onAll: () => void;
}

const SPEC = { key: 'loss', names: ['loss', 'eval/loss'] };
const WITH_REPLACED = { key: 'loss', names: [...SPEC.names, 'replaced/loss', 'replaced/eval/loss'] };
const NO_RUNS: ReadonlySet<string> = new Set();

/** The loss of one run, in training and on validation rows. */
export function SmallCurves({ run, onAll }: SmallCurvesProps) {
  const runs = useMemo(() => [run], [run]);
  const [isReplaced, setReplaced] = useState(false);
  const spec = isReplaced ? WITH_REPLACED : SPEC;
  const { curves, names, isPending } = useCurves(runs, spec.names, null);
  const hasReplaced = names.some(({ name }) => WITH_REPLACED.names.includes(name) && !SPEC.names.includes(name));
  const [pointer] = useState(createPointer);
  const [zoom, setZoom] = useState<XRange | null>(null);
  const lines = useMemo(() => toLines(curves, 'step', runs), [curves, runs]);
  const whole = useMemo(() => toWholeRange([...lines.values()].flat()), [lines]);
  const x = (whole && zoom && toKept(zoom, whole)) ?? whole;
  const data = useMemo(
    () => x && toPlotData({ spec, lines, colors: new Map([[run.id, 0]]), hidden: NO_RUNS, view: USUAL_VIEW, x }),
    [spec, lines, run.id, x],
  );
  const label = useMemo(() => new Map([[run.id, run.label]]), [run]);
  return (
    <div className="flex min-h-72 flex-col gap-1">
      {x && whole && data ? (
        <CurvePlot
          spec={spec}
          data={data}
          view={USUAL_VIEW}
          x={x}
          whole={whole}
          names={label}
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
          {hasReplaced && <Toggle label="Show what was trained again" value={isReplaced} onChange={setReplaced} />}
          <Button size="small" variant="quiet" onClick={onAll}>
            All {names.length} metrics
          </Button>
        </span>
      )}
    </div>
  );
}
