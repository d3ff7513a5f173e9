import { useMemo } from 'react';
import { toOtherDataNote } from '#shared/training/otherData.ts';
import { LossCurves } from '#web/plots/LossCurves.tsx';
import { PlotNote } from '#web/plots/PlotNote.tsx';
import { toPlotNames, type ExperimentRow } from '#web/experiments/rows/experimentRows.ts';
import { toLossSeries } from '#web/experiments/rows/lossSeries.ts';

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
  const { curves, note, mixed } = useMemo(() => {
    const choice = toLossSeries(rows, series, inside && ((row) => inside.has(row)));
    const names = toPlotNames(choice.rows);
    return {
      note: choice.note,
      mixed: toOtherDataNote(choice.rows.map(({ dataset_id }) => dataset_id)),
      curves: choice.rows.map((row) => ({
        key: row.id,
        label: names.get(row.id) ?? row.label,
        series: choice.seriesOf(row),
        points: row.losses,
      })),
    };
  }, [rows, inside, series]);
  if (curves.length === 0)
    return <p className="py-4 text-center text-soft">{note ?? 'No losses were sent for these runs.'}</p>;
  return (
    <>
      <PlotNote text={mixed} />
      <LossCurves label="Training loss" series={curves} hoveredKey={hoveredKey} onHover={onHover} />
      {note !== null && <p className="px-2 text-sm text-soft">{note}</p>}
    </>
  );
}
