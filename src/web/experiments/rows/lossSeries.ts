// Which experiments' losses are drawn: inside the filters, the selected ones, else the first few with losses. Pure.
import { MOST_CURVES } from '#web/plots/lossPoints.ts';
import { formatCount } from '#web/ui/format.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface LossSeries {
  readonly rows: readonly ExperimentRow[];
  /** Colour of a row's curve: its place in the compared set if it is selected, else its place among the curves. */
  readonly seriesOf: (row: ExperimentRow) => number;
  /** Says which experiments are drawn; null if all that have losses are. */
  readonly note: string | null;
}

interface LossCounts {
  readonly drawn: number;
  /** Inside the filters. */
  readonly inside: number;
  readonly all: number;
  readonly isSelected: boolean;
}

function toNote({ drawn, inside, all, isSelected }: LossCounts): string | null {
  const what = isSelected ? 'selected runs with losses' : 'runs with losses';
  const parts: string[] = [];
  if (drawn < inside)
    parts.push(`the first ${drawn} of ${formatCount(inside)} ${what}${inside < all ? ' inside the filters' : ''}`);
  else if (inside < all) parts.push(`${drawn} of ${formatCount(all)} ${what}`);
  else if (isSelected) parts.push('the selected runs');
  if (inside < all)
    parts.push(`${formatCount(all - inside)} outside the filters ${all - inside === 1 ? 'is' : 'are'} not drawn`);
  if (drawn < inside && !isSelected) parts.push('select runs to see theirs');
  const text = parts.join('; ');
  return text === '' ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** `isInside`: whether a row matches the column filters. Rows outside are not drawn, even selected ones. */
export function toLossSeries(
  rows: readonly ExperimentRow[],
  series: ReadonlyMap<string, number>,
  isInside: (row: ExperimentRow) => boolean = () => true,
): LossSeries {
  const withLosses = rows.filter(({ losses }) => losses.length > 0);
  const inside = withLosses.filter(isInside);
  const selected = inside.filter(({ id }) => series.has(id));
  const isSelected = selected.length > 0;
  const wanted = isSelected ? selected : inside;
  const all = isSelected ? withLosses.filter(({ id }) => series.has(id)) : withLosses;
  const shown = wanted.slice(0, MOST_CURVES);
  const places = new Map(shown.map(({ id }, place) => [id, place]));
  const seriesOf = ({ id }: ExperimentRow): number => series.get(id) ?? places.get(id) ?? 0;
  return {
    rows: shown,
    seriesOf,
    note: toNote({ drawn: shown.length, inside: wanted.length, all: all.length, isSelected }),
  };
}
