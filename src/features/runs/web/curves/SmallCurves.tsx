import { useMemo, useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { MOST_RUNS, type CurveRun } from '#features/runs/web/curves/curveMath/curveRun.ts';
import { LOSS_NAMES } from '#features/runs/web/curves/curveMath/losses.ts';
import { toRunColors } from '#features/runs/web/curves/curveMath/runColors.ts';
import { LossCurves } from './LossCurves.tsx';
import { useCurves } from './useCurves.ts';

interface SmallCurvesProps {
  /** The first ones are drawn; the array keeps its identity while nothing in it changes. */
  runs: readonly CurveRun[];
  project: string;
  onAll: () => void;
}

const TRAINING: readonly string[] = ['loss'];
const FIRST: readonly string[] = ['loss', 'eval/loss'];

/** The loss of a run, in training and on validation rows; of several runs in training alone, each in percent of its steps. */
export function SmallCurves({ runs: all, project, onAll }: SmallCurvesProps) {
  const runs = useMemo(() => all.slice(0, MOST_RUNS), [all]);
  const colors = useMemo(() => toRunColors(project, runs), [project, runs]);
  const [isReplaced, setReplaced] = useState(false);
  const isOne = runs.length === 1;
  const { curves, names, isPending } = useCurves(runs, !isOne ? TRAINING : isReplaced ? LOSS_NAMES : FIRST, null);
  const hasReplaced = names.some(({ name }) => LOSS_NAMES.some((loss) => loss === name) && !FIRST.includes(name));
  const hidden = all.length - runs.length;
  return (
    <div className="flex min-h-72 flex-col gap-1">
      {curves.some(({ steps }) => steps.length > 0) ? (
        <LossCurves curves={curves} runs={runs} colors={colors} startsAsShare={!isOne} />
      ) : (
        !isPending && <p className="text-soft">{names.length > 0 ? 'It logged no loss.' : 'No curve yet.'}</p>
      )}
      {names.length > 0 && (
        <span className="flex flex-wrap items-center gap-3">
          {hidden > 0 && (
            <span className="text-sm text-soft">{`The first ${MOST_RUNS} of ${formatCount(all.length)} runs.`}</span>
          )}
          {hasReplaced && isOne && (
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
