import { useMemo } from 'react';
import type { LossPoint } from '#core/contract/jobReader.ts';
import { toOtherDataNote } from '#features/experiments/shared/otherData.ts';
import { toLossCurve } from '#features/runs/web/curves/curveMath/losses.ts';
import { PlotNote } from '#ui/plots/PlotNote.tsx';
import { LossCurves } from './LossCurves.tsx';

interface RunLossesProps {
  label: string;
  runs: readonly {
    readonly id: string;
    readonly label: string;
    /** Gives the colour. */
    readonly series: number;
    /** null: not known. */
    readonly dataset: string | null;
    readonly losses: readonly LossPoint[];
  }[];
  /** Which runs are drawn, or why none is. */
  note: string | null;
  hoveredKey: string | null;
  onHover: (id: string | null) => void;
}

/** Loss curves of runs whose losses the page has already, with what a reader must know to compare them. */
export function RunLosses({ label, runs, note, hoveredKey, onHover }: RunLossesProps) {
  const curves = useMemo(() => runs.flatMap(({ id, losses }) => toLossCurve(id, losses) ?? []), [runs]);
  const colors = useMemo(() => new Map(runs.map(({ id, series }) => [id, series])), [runs]);
  return (
    <>
      <PlotNote text={toOtherDataNote(runs.map(({ dataset }) => dataset))} />
      {runs.length > 0 && (
        <LossCurves
          label={label}
          curves={curves}
          runs={runs}
          colors={colors}
          hoveredKey={hoveredKey}
          onHover={onHover}
        />
      )}
      {note !== null && <p className="px-2 py-1 text-sm text-soft">{note}</p>}
    </>
  );
}
