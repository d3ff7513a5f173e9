import { useMemo, useState } from 'react';
import { parseBrush, toBrushList } from '../plots/brush';
import { ParallelCoordinates } from '../plots/ParallelCoordinates';
import { chooseColor, switchScale } from '../session/changePlot';
import { updateUrl, useUrlState } from '../session/urlState';
import type { Candidate } from '../training/candidates';
import { toParameters } from '../training/compareTable';
import { toParameterAxes } from '../training/parameterAxes';
import { toCandidateName } from '../training/trainingWords';
import type { CompareControl } from './listControl';

interface RecordPlotProps {
  candidates: readonly Candidate[];
  compare: CompareControl;
}

/** Every candidate of a record as a line; what is compared has its colour, and the brush filters the lists below. */
export function RecordPlot({ candidates, compare }: RecordPlotProps) {
  const { brush, log, color } = useUrlState();
  const columns = useMemo(() => toParameterAxes(toParameters(candidates)), [candidates]);
  const [hovered, setHovered] = useState<string | null>(null);
  const { seriesOf } = compare;
  const rows = useMemo(
    () => candidates.map((candidate) => ({ key: candidate.key, label: toCandidateName(candidate), series: seriesOf(candidate.key), candidate })),
    [candidates, seriesOf],
  );
  const chosen = useMemo(() => parseBrush(brush), [brush]);
  return (
    <div className="border-t border-line px-3 pt-1 pb-2">
      <ParallelCoordinates
        label="Candidates of this recommendation"
        rows={rows}
        columns={columns}
        brush={chosen}
        onBrush={(next) => updateUrl({ brush: toBrushList(next) }, { replace: true })}
        log={log}
        onLogToggle={switchScale}
        colors={{ by: color, onBy: chooseColor, plain: 'Compared' }}
        hoveredKey={hovered}
        onHover={setHovered}
        onSelect={compare.onToggle}
        hint="Drag along an axis to filter the lists."
      />
    </div>
  );
}
