import { useMemo } from 'react';
import { toDrawnRuns } from '#features/runs/web/curves/curveMath/losses.ts';
import { RunLosses } from '#features/runs/web/curves/RunLosses.tsx';
import { PlotNote } from '#ui/plots/PlotNote.tsx';
import { RowsPlot } from '#features/experiments/web/compareState/RowsPlot.tsx';
import type { PlotChoice } from '#features/experiments/web/compareState/plotChoice.ts';
import { toStateWord } from '#core/contract/statuses.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import type { Parameter } from '#features/experiments/shared/parameters.ts';
import { toOtherDataNote } from '#features/experiments/shared/otherData.ts';
import { toParameterAxes } from '#features/experiments/shared/parameterAxes.ts';
import type { ReadyColumn } from './compareColumns.ts';

interface ComparePlotsProps {
  choice: PlotChoice;
  columns: readonly ReadyColumn[];
  /** Unique names by ref. */
  names: ReadonlyMap<string, string>;
  parameters: readonly Parameter[];
  /** Refs outside the brush. */
  faded: ReadonlySet<string>;
  hovered: string | null;
  onHover: (ref: string | null) => void;
}

/** It gives colours but is no axis, because all candidates that nobody started have the same status. */
const STATUS = [
  {
    id: 'status',
    label: 'Status',
    kind: 'category',
    read: ({ candidate }: { readonly candidate: Candidate }) => candidate.status,
    toText: (status: string) => toStateWord(status),
  },
] as const;

const COLORS = { plain: 'Candidate', more: STATUS };

/**
 * The compared candidates as lines, points or loss curves. Lines and points outside the brush are faded; curves are
 * left out, because there is room for only a few.
 */
export function ComparePlots({ choice, columns, names, parameters, faded, hovered, onHover }: ComparePlotsProps) {
  const axes = useMemo(() => toParameterAxes(parameters), [parameters]);
  const rows = useMemo(
    () => columns.map(({ ref, series, candidate }) => ({ key: ref, label: names.get(ref) ?? ref, series, candidate })),
    [columns, names],
  );
  const mixed = useMemo(() => toOtherDataNote(columns.map(({ candidate }) => candidate.dataset)), [columns]);
  const losses = useMemo(() => {
    const { runs, note } = toDrawnRuns(columns, {
      isInside: ({ ref }) => !faded.has(ref),
      outside: 'the selection',
      toOthers: 'remove some to see others',
    });
    return {
      note,
      runs: runs.map(({ ref, series, candidate, losses }) => ({
        id: ref,
        label: names.get(ref) ?? ref,
        series,
        dataset: candidate.dataset,
        losses,
      })),
    };
  }, [columns, names, faded]);
  if (choice.kind === 'none') return null;
  if (choice.kind === 'loss')
    return (
      <RunLosses label="Training losses of the compared runs" {...losses} hoveredKey={hovered} onHover={onHover} />
    );
  return (
    <>
      <PlotNote text={mixed} />
      <RowsPlot
        {...{ choice, rows, onHover }}
        label="Compared candidates"
        columns={axes}
        hoveredKey={hovered}
        colors={COLORS}
      />
    </>
  );
}
