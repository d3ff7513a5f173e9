import { useMemo } from 'react';
import { toDrawnRuns } from '#features/runs/web/curves/curveMath/losses.ts';
import { RunLosses } from '#features/runs/web/curves/RunLosses.tsx';
import { toPlotNames, type ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';

interface ExperimentLossesProps {
  rows: readonly ExperimentRow[];
  /** Rows that match the column filters; without it, all of them. */
  inside?: ReadonlySet<ExperimentRow>;
  series: ReadonlyMap<string, number>;
  hoveredKey: string | null;
  onHover: (key: string | null) => void;
}

/** Loss curves of the selected experiments, else of the first ones with losses. Filters apply as in the table. */
export function ExperimentLosses({ rows, inside, series, hoveredKey, onHover }: ExperimentLossesProps) {
  const { runs, note } = useMemo(() => {
    const drawn = toDrawnRuns(rows, {
      isInside: (row) => inside?.has(row) ?? true,
      isChosen: ({ id }) => series.has(id),
      outside: 'the filters',
      toOthers: 'select runs to see theirs',
    });
    const names = toPlotNames(drawn.runs);
    return {
      note: drawn.note,
      runs: drawn.runs.map(({ id, label, dataset_id, losses }, place) => ({
        id,
        label: names.get(id) ?? label,
        series: series.get(id) ?? place,
        dataset: dataset_id,
        losses,
      })),
    };
  }, [rows, inside, series]);
  return <RunLosses label="Training loss" runs={runs} note={note} hoveredKey={hoveredKey} onHover={onHover} />;
}
