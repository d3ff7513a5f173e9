import { useMemo } from 'react';
import type { ProgressPoint, ValidationPoint } from '#shared/contract/training/trainingRecords.ts';
import { LossCurves } from '#web/plots/LossCurves.tsx';

interface LiveCurveProps {
  points: readonly ProgressPoint[];
  validations: readonly ValidationPoint[];
}

const toNumber = (loss: ProgressPoint['loss']): number => (typeof loss === 'number' ? loss : Number(loss));

/** The losses of a run as they come: of each step, and on validation rows. */
export function LiveCurve({ points, validations }: LiveCurveProps) {
  const series = useMemo(() => {
    const trainingPoints = points.map(({ step, loss }) => ({ step, loss: toNumber(loss) }));
    const validationPoints = validations.flatMap(({ step, loss }) =>
      loss === null ? [] : [{ step, loss: toNumber(loss) }],
    );
    return [
      { key: 'training', label: 'Training', series: 0, points: trainingPoints },
      { key: 'validation', label: 'Validation rows', series: 1, points: validationPoints },
    ].filter((entry) => entry.points.length > 0);
  }, [points, validations]);
  return series.length === 0 ? null : <LossCurves label="Losses of this run" series={series} height={200} />;
}
