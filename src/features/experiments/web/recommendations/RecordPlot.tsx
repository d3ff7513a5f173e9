import { useMemo, useState } from 'react';
import { parseBrush, toBrushList } from '#ui/plots/scales/brush.ts';
import { ParallelCoordinates } from '#ui/plots/ParallelCoordinates.tsx';
import { chooseColor, switchScale } from '#features/experiments/web/comparing/changePlot.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toParameters } from '#features/experiments/shared/parameters.ts';
import { toParameterAxes } from '#features/experiments/shared/parameterAxes.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import type { CompareControl } from './listControl.ts';

interface RecordPlotProps {
  candidates: readonly Candidate[];
  compare: CompareControl;
}

/** Every candidate of a record as a line. Compared ones have their colours; the brush filters the lists below. */
export function RecordPlot({ candidates, compare }: RecordPlotProps) {
  const { brush, log, color } = useUrlState();
  const columns = useMemo(() => toParameterAxes(toParameters(candidates)), [candidates]);
  const [hovered, setHovered] = useState<string | null>(null);
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
  const chosen = useMemo(() => parseBrush(brush), [brush]);
  return (
    <div className="px-3 pt-1 pb-2">
      <ParallelCoordinates
        label="Candidates of this recommendation"
        rows={rows}
        columns={columns}
        controls={{
          brush: chosen,
          onBrush: (next) => updateUrl({ brush: toBrushList(next) }, { replace: true }),
          log,
          onLogToggle: switchScale,
          colors: { by: color, onBy: chooseColor, plain: 'Selected candidates' },
          hoveredKey: hovered,
          onHover: setHovered,
          onSelect: compare.onToggle,
        }}
        hint="Drag along an axis to filter the lists."
      />
    </div>
  );
}
