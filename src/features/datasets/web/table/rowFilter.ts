// What the table of rows is filtered by, and what is said of it. Pure.
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowSummary } from '#features/datasets/shared/contract/rows.ts';
import { FINDING_KINDS, type FindingId } from '#features/datasets/shared/findings/findingKinds.ts';
import { PAGE_ROWS, type RowFilter } from '#features/datasets/web/api/rowQueries.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';

export const NO_FILTER: RowFilter = {};

export const isFiltered = (filter: RowFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '');

/** The filter that a link's rows make: of damaged places, and of more than a request takes, nothing is said. */
export function toPlaced(rows: readonly string[]): Pick<RowFilter, 'positions'> {
  const places = rows.filter((place) => /^\d{1,9}$/.test(place)).slice(0, DATA_LIMITS.placed);
  return places.length === 0 ? {} : { positions: places.join(',') };
}

/** The starts of the pages that the places from `from` to before `to` are on. */
export function toPages(from: number, to: number): readonly number[] {
  const first = Math.floor(from / PAGE_ROWS);
  const last = Math.floor(Math.max(from, to - 1) / PAGE_ROWS);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * PAGE_ROWS);
}

const isFindingId = (kind: string): kind is FindingId => Object.hasOwn(FINDING_KINDS, kind);

export const toFindingLabel = (kind: string): string =>
  isFindingId(kind) ? FINDING_KINDS[kind].label : kind.replaceAll(/[-_]/g, ' ');

/** "Same question, other answer", of one row. */
export const toFindingTitle = (kind: string): string =>
  isFindingId(kind) ? FINDING_KINDS[kind].title : toFindingLabel(kind);

const MARK_LABELS: Readonly<Record<string, string>> = { set_aside: 'set aside', edited: 'edited' };

/** "training, tag check, same question, other answer, with refund". */
function toFilterText({ search, finding, tag, side, mark, positions }: RowFilter): string {
  const parts = [
    side,
    mark !== undefined && (MARK_LABELS[mark] ?? mark),
    tag !== undefined && `tag ${tag}`,
    finding !== undefined && toFindingLabel(finding),
    search !== undefined && `with ${search}`,
    positions !== undefined && 'those of the link',
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ');
}

interface RowCounts {
  readonly total: number | null;
  readonly found: number | null;
  /** Rows that have arrived. */
  readonly count: number;
  readonly searchedTo: number | null;
}

interface UsedRows {
  /** Rows of a snapshot, without those that were set aside; null: of a dataset, or not known. */
  readonly size: number | null;
  /** Rows of a dataset that are set aside. */
  readonly aside: number;
}

/**
 * "17 rows of 2,951: same question, other answer"; while the search goes on, how far it is. "2,417 of 2,932 rows are used"
 * where some are set aside.
 */
export function toCountText(
  filter: RowFilter,
  { total, found, count, searchedTo }: RowCounts,
  { size, aside }: UsedRows = { size: null, aside: 0 },
): string {
  if (total === null) return '';
  const used = size ?? total - aside;
  if (!isFiltered(filter))
    return used < total
      ? `${formatCount(used)} of ${formatCounted(total, 'row')} are used`
      : formatCounted(total, 'row');
  const what = toFilterText(filter);
  if (found !== null) return `${formatCounted(found, 'row')} of ${formatCount(size ?? total)}: ${what}`;
  const far = searchedTo === null ? '' : `, searched ${formatCount(searchedTo)} of ${formatCount(total)}`;
  return `${formatCounted(count, 'row')} so far${far}: ${what}`;
}

/** The button that chooses all rows of a filter. `found`: how many it finds; null: not known yet. */
export function toSelectAllText(found: number | null): string {
  const most = formatCount(DATA_LIMITS.marks);
  if (found === null) return `Select all, at most ${most}`;
  return found > DATA_LIMITS.marks
    ? `Select the first ${most} of ${formatCount(found)}`
    : `Select all ${formatCount(found)}`;
}

/** The button that sets copies aside. One request takes so many rows, so of many copies it takes the first ones. */
export const toAsideText = (removable: number, all: number): string =>
  removable < all
    ? `Set the first ${formatCount(removable)} of ${formatCount(all)} aside`
    : `Set ${formatCount(removable)} of them aside`;

/** The length that the table shows; a dash where tokens are shown and those of the row were not counted. */
export const toRowLength = ({ tokens, characters }: Pick<RowSummary, 'tokens' | 'characters'>, hasTokens: boolean) =>
  hasTokens ? (tokens === null ? '–' : formatCount(tokens)) : toLengthText(characters);

/** "12,480 characters", short: "12.5 k". */
export function toLengthText(characters: number): string {
  if (characters < 1000) return String(characters);
  return characters < 9950 ? `${(characters / 1000).toFixed(1)} k` : `${formatCount(Math.round(characters / 1000))} k`;
}
