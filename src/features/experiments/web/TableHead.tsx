import { ArrowDown, ArrowUp, ListFilter } from 'lucide-react';
import { useState, type FocusEvent, type KeyboardEvent } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { toFieldTip } from '#features/experiments/shared/fieldLabels.ts';
import { WireName } from '#ui/kit/WireName.tsx';
import { canFilter, isNumberColumn, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { toSortWords, type Sort } from '#features/experiments/web/rows/tableState.ts';
import {
  CHECK_CELL,
  HEAD_HEIGHT,
  toCellClass,
  toCellStyle,
  type TableColumn,
  type TableLayout,
} from './tableLayout.ts';

interface HeadActions {
  onSort: (column: ExperimentColumn, isMulti: boolean) => void;
  onFilter: (column: ExperimentColumn, anchor: HTMLElement) => void;
}

interface TableHeadProps extends HeadActions {
  layout: TableLayout;
  sorts: readonly Sort[];
  /** Columns with a filter. */
  filtered: { has: (id: string) => boolean };
  /** How many of the shown rows are compared. */
  chosen: 'none' | 'some' | 'all';
  shownCount: number;
  onChooseAll: (isIn: boolean) => void;
}

const HEAD = 'border-b border-line-strong bg-surface text-left text-sm font-medium text-soft';

/** A table that is scrolled sideways comes to rest with whole columns beside the pinned ones. */
const SNAP = 'snap-start';

/**
 * The sort arrow sits in the margin, so the width of the column does not change. The number beside it has its colour,
 * which sets it apart from the name.
 */
const SORT_MARK =
  'absolute left-full -ml-1.25 flex w-2 flex-col items-center text-accent print:static print:ml-0 print:w-auto ' +
  'print:flex-row';

const CHOOSE_ALL = 'all';
const toSortStop = (columnId: string): string => `sort ${columnId}`;
const toFilterStop = (columnId: string): string => `filter ${columnId}`;

/** What an element needs to be one of the stops. */
type ToStop = (stop: string) => { readonly 'data-stop': string; readonly tabIndex: 0 | -1 };

interface HeadCellProps extends HeadActions {
  entry: TableColumn;
  sorts: readonly Sort[];
  isFiltered: boolean;
  toStop: ToStop;
}

function HeadCell({ entry, sorts, isFiltered, toStop, onSort, onFilter }: HeadCellProps) {
  const { column } = entry;
  const at = sorts.findIndex(({ id }) => id === column.id);
  const sort = sorts[at];
  const Arrow = sort?.desc ? ArrowDown : ArrowUp;
  const isNumber = isNumberColumn(column);
  const name = (
    <button
      {...toStop(toSortStop(column.id))}
      type="button"
      aria-label={sort && `${column.label}, ${toSortWords(column, sort)}`}
      title={
        `${column.source === 'tree' ? '' : `${toFieldTip(column)} `}Sort by ${column.label}; with Shift after the other ` +
        'columns'
      }
      onClick={(event) => onSort(column, event.shiftKey)}
      className={
        'relative flex min-h-6 min-w-0 items-center gap-1 rounded px-1.5 hover:text-ink print:px-0.5 ' +
        `${sort ? 'text-ink' : ''}`
      }
    >
      <span className={`line-clamp-2 min-w-0 leading-3.5 print:text-[8px] ${isNumber ? 'text-right' : 'text-left'}`}>
        <WireName name={column.label} />
      </span>
      {sort && (
        <span className={SORT_MARK}>
          <Arrow aria-hidden size={10} strokeWidth={2.75} className="shrink-0" />
          {sorts.length > 1 && <span className="text-2xs leading-none">{at + 1}</span>}
        </span>
      )}
    </button>
  );
  const filter = canFilter(column) && (
    <button
      {...toStop(toFilterStop(column.id))}
      type="button"
      aria-label={`Filter ${column.label}`}
      aria-haspopup="dialog"
      onClick={(event) => onFilter(column, event.currentTarget)}
      className={
        'flex size-5 shrink-0 items-center justify-center rounded hover:bg-neutral-soft hover:text-ink print:hidden ' +
        `${isFiltered ? 'text-accent' : 'text-faint opacity-0 group-hover/head:opacity-100 focus-visible:opacity-100'}`
      }
    >
      <ListFilter aria-hidden size={12} />
    </button>
  );
  return (
    <th
      scope="col"
      aria-sort={sort ? (sort.desc ? 'descending' : 'ascending') : 'none'}
      style={toCellStyle(entry)}
      className={`${HEAD} ${toCellClass(entry)} ${entry.left === null ? SNAP : ''}`}
    >
      <span
        className={
          'group/head flex h-8 items-center gap-0.5 px-1 print:h-auto print:px-0 print:text-[8px] ' +
          `${isNumber ? 'justify-end' : ''}`
        }
      >
        {/* Numbers are aligned right, so their columns have the filter left of the name. */}
        {isNumber && filter}
        {name}
        {!isNumber && filter}
      </span>
    </th>
  );
}

/**
 * Column heads. A press sorts, with Shift it adds to the sort; the funnel opens the column's filter. The heads are one
 * tab stop; arrow keys move between their controls.
 */
export function TableHead({ layout, sorts, filtered, chosen, shownCount, onChooseAll, ...actions }: TableHeadProps) {
  const [lastStop, setLastStop] = useState(CHOOSE_ALL);
  const isThere = layout.columns.some(
    ({ column: { id } }) => lastStop === toSortStop(id) || lastStop === toFilterStop(id),
  );
  const current = isThere ? lastStop : CHOOSE_ALL;
  const toStop: ToStop = (stop) => ({ 'data-stop': stop, tabIndex: stop === current ? 0 : -1 });
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => setLastStop(target.dataset['stop'] ?? current);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')];
    const at = stops.findIndex((stop) => stop === event.target);
    const last = stops.length - 1;
    const next = { ArrowLeft: Math.max(0, at - 1), ArrowRight: Math.min(last, at + 1), Home: 0, End: last }[event.key];
    if (at < 0 || next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    stops[next]?.focus();
  };
  return (
    <thead className="sticky top-0 z-20 block print:static print:table-header-group">
      <tr
        aria-rowindex={1}
        {...{ onFocus, onKeyDown }}
        style={{ height: HEAD_HEIGHT }}
        className="flex bg-surface print:table-row"
      >
        <th scope="col" aria-label="Compare" className={`${HEAD} ${CHECK_CELL}`}>
          <label
            className="inline-flex size-6 cursor-pointer items-center justify-center"
            title={chosen === 'all' ? 'Compare none of the shown' : 'Compare all shown'}
          >
            <span className="sr-only">
              Compare {shownCount === 1 ? 'the shown run' : `all ${formatCount(shownCount)} shown runs`}
            </span>
            <input
              {...toStop(CHOOSE_ALL)}
              type="checkbox"
              checked={chosen === 'all'}
              ref={(box) => {
                if (box) box.indeterminate = chosen === 'some';
              }}
              onChange={() => onChooseAll(chosen !== 'all')}
              className="size-3.5 cursor-pointer accent-accent"
            />
          </label>
        </th>
        {layout.columns.map((entry) => (
          <HeadCell
            key={entry.column.id}
            entry={entry}
            sorts={sorts}
            isFiltered={filtered.has(entry.column.id)}
            toStop={toStop}
            {...actions}
          />
        ))}
      </tr>
    </thead>
  );
}
