// Which experiments' losses are drawn: the selected ones, else the first few that have any. Pure.
// It must not know how a curve looks.
import { MOST_CURVES } from '../plots/lossPoints';
import type { ExperimentRow } from './experimentRows';

export interface LossChoice {
  readonly rows: readonly ExperimentRow[];
  /** Colour of a row's curve: its place in the compared set where it is selected, else its place among the curves. */
  readonly seriesOf: (row: ExperimentRow) => number;
  /** Which ones these are; null when they are all that have losses. */
  readonly note: string | null;
}

export function toLossChoice(rows: readonly ExperimentRow[], series: ReadonlyMap<string, number>): LossChoice {
  const told = rows.filter(({ losses }) => losses.length > 0);
  const selected = told.filter(({ id }) => series.has(id));
  const shown = (selected.length > 0 ? selected : told).slice(0, MOST_CURVES);
  const places = new Map(shown.map(({ id }, place) => [id, place]));
  const seriesOf = ({ id }: ExperimentRow): number => series.get(id) ?? places.get(id) ?? 0;
  if (selected.length > MOST_CURVES) return { rows: shown, seriesOf, note: `The first ${MOST_CURVES} of ${selected.length} selected experiments with losses.` };
  if (selected.length > 0) return { rows: shown, seriesOf, note: 'The selected experiments.' };
  const note = told.length > MOST_CURVES ? `The first ${MOST_CURVES} of ${told.length} experiments with losses; select experiments to see theirs.` : null;
  return { rows: shown, seriesOf, note };
}
