// Which runs of the table are compared, and how ticks change that.
import { useMemo, useRef } from 'react';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toSpan, type ViewRow } from '#features/experiments/web/rows/viewRows.ts';
import { changeCompared, clearCompared, toExperimentRef } from './changeCompared.ts';

export interface ComparedRuns {
  /** Places in the compared set, which give the colours, by the runs' ids. */
  readonly series: ReadonlyMap<string, number>;
  /** Models of the compared runs here that can be tried, each once. */
  readonly models: readonly string[];
  /** A tick; `isSpan`: also on all rows since the last one. Places are those of the table's rows. */
  readonly onToggle: (place: number, isSpan: boolean) => void;
  readonly onExtend: (from: number, to: number) => void;
  readonly onClear: () => void;
}

const toIds = (rows: readonly ViewRow[]): readonly string[] =>
  rows.flatMap((entry) => (entry.kind === 'experiment' ? [entry.key] : []));

/** `compare`: the refs in the address; `view`: the rows of the table, group heads included. */
export function useComparedRuns(
  compare: readonly string[],
  rows: readonly ExperimentRow[],
  view: readonly ViewRow[],
): ComparedRuns {
  const lastToggled = useRef<string | null>(null);
  const series = useMemo(() => {
    const places = new Map(compare.map((ref, place) => [ref, place]));
    return new Map(
      rows.flatMap(({ id }) => {
        const place = places.get(toExperimentRef(id));
        return place === undefined ? [] : [[id, place] as const];
      }),
    );
  }, [compare, rows]);
  const models = useMemo(() => {
    const found = rows.flatMap(({ id, problem, model_id }) =>
      series.has(id) && problem === null && model_id !== null ? [model_id] : [],
    );
    return [...new Set(found)];
  }, [rows, series]);
  return {
    series,
    models,
    onToggle(place, isSpan) {
      const row = view[place];
      if (row?.kind !== 'experiment') return;
      const from = isSpan ? view.findIndex(({ key }) => key === lastToggled.current) : -1;
      changeCompared(toIds(from < 0 ? [row] : toSpan(view, from, place)), !series.has(row.key));
      lastToggled.current = row.key;
    },
    onExtend(from, to) {
      changeCompared(toIds(toSpan(view, from, to)), true);
      lastToggled.current ??= view[from]?.key ?? null;
    },
    onClear: () => clearCompared(rows.flatMap(({ id }) => (series.has(id) ? [id] : []))),
  };
}
