import { useContext, useMemo, useState } from 'react';
import { RowsPlot } from '#features/experiments/web/compareState/RowsPlot.tsx';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toParameters } from '#features/experiments/shared/parameters.ts';
import { toParameterAxes } from '#features/experiments/shared/parameterAxes.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import { RateMark, type CompareControl } from './listControl.ts';

interface RecordPlotProps {
  candidates: readonly Candidate[];
  compare: CompareControl;
}

const PARALLEL = { kind: 'parallel' } as const;
const COLORS = { plain: 'Selected candidates' };

/** Every candidate of a record as a line. Compared ones have their colours; the brush filters the lists below. */
export function RecordPlot({ candidates, compare }: RecordPlotProps) {
  const isRate = !useContext(RateMark);
  const columns = useMemo(() => toParameterAxes(toParameters(candidates, isRate)), [candidates, isRate]);
  const [hoveredKey, onHover] = useState<string | null>(null);
  const { seriesOf } = compare;
  const rows = useMemo(
    () =>
      candidates.map((candidate) => ({
        key: candidate.key,
        label: toCandidateName(candidate),
        series: seriesOf(candidate.key),
        candidate,
      })),
    [candidates, seriesOf],
  );
  return (
    <div className="px-3 pt-1 pb-2">
      <RowsPlot
        {...{ rows, columns, hoveredKey, onHover }}
        choice={PARALLEL}
        label="Candidates of this recommendation"
        colors={COLORS}
        onSelect={compare.onToggle}
        hint="Drag along an axis to filter the lists."
      />
    </div>
  );
}
