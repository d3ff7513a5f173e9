import { useMemo } from 'react';
import type { ProgressPoint, ValidationPoint } from '#features/training/shared/trainingRecords.ts';
import { toLossCurve } from '#features/runs/web/curves/curveMath/losses.ts';
import { LossCurves } from '#features/runs/web/curves/LossCurves.tsx';

interface LiveCurveProps {
  points: readonly ProgressPoint[];
  validations: readonly ValidationPoint[];
}

const RUNS = [{ id: 'run', label: 'Loss' }] as const;
const COLORS: ReadonlyMap<string, number> = new Map([['run', 0]]);

/** The losses of a run as they come: of each step, and on validation rows. */
export function LiveCurve({ points, validations }: LiveCurveProps) {
  const curves = useMemo(
    () =>
      (
        [
          ['loss', points],
          ['eval/loss', validations],
        ] as const
      ).flatMap(([name, all]) => {
        const losses = all.flatMap(({ step, loss }) => (loss === null ? [] : [{ step, loss: Number(loss) }]));
        return toLossCurve('run', losses, name) ?? [];
      }),
    [points, validations],
  );
  return curves.length === 0 ? null : (
    <LossCurves label="Losses of this run" curves={curves} runs={RUNS} colors={COLORS} />
  );
}
