import { useMemo, useRef, useState, type ReactNode, type ComponentProps } from 'react';
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronRight } from 'lucide-react';
import type { CompareRow, CompareTable as Table } from './comparison.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { RATE_FIELD_HINT } from '#features/experiments/shared/rates.ts';
import { LAST_LOSS_HINT } from '#features/experiments/shared/trainingWords.ts';
import { WireName } from '#ui/kit/WireName.tsx';
import { toMoreText } from '#features/experiments/shared/manyFigures.ts';
import { CompareCell } from './CompareCell.tsx';
import type { CompareColumn } from './compareColumns.ts';
import { CompareHead } from './CompareHead.tsx';
import { NAMES, toColumnLayout, toSlots } from './columnLayout.ts';
import type { ColumnSort } from './columnOrder.ts';
import { reduceFold, toFoldedRows, type Fold } from './rowFold.ts';
import { useDrawnColumns } from './useDrawnColumns.ts';
import { useTableCells } from './useTableCells.ts';

interface CompareRowNameProps extends Pick<ComponentProps<'button'>, 'tabIndex' | 'onFocus' | 'onBlur' | 'onKeyDown'> {
  'data-cell': string;
  name: string;
  sorted: 'ascending' | 'descending' | null;
  onSort: () => void;
}

/** What some fields are, which their names don't say. */
const HINTS: Readonly<Record<string, string | undefined>> = {
  last_loss: LAST_LOSS_HINT,
  learning_rate_multiplier: RATE_FIELD_HINT,
};

/** A row's name. A press sorts the columns by the row: ascending, descending, best runs first. */
function CompareRowName({ name, sorted, onSort, ...native }: CompareRowNameProps) {
  const Arrow = sorted === null ? ArrowUpDown : sorted === 'ascending' ? ArrowUp : ArrowDown;
  const look = sorted === null ? 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60' : 'text-accent';
  return (
    <button
      {...native}
      type="button"
      title={`${name}: ${HINTS[name] === undefined ? 'sort' : `${HINTS[name]}. Sort`} the columns by this row`}
      onClick={onSort}
      className={
        'group flex min-h-6 w-full items-center gap-1 rounded px-1.5 text-left font-mono text-sm text-soft ' +
        'hover:text-ink'
      }
    >
      <span className="line-clamp-3 min-w-0 leading-tight">
        <WireName name={name} />
      </span>
      <Arrow aria-hidden size={12} className={`ml-auto shrink-0 ${look}`} />
    </button>
  );
}

interface MoreRowsProps {
  count: number;
  isOpen: boolean;
  /** Its number among all rows, from 1, the head included. */
  row: number;
  /** Number of cells in a row. */
  span: number;
  onToggle: () => void;
}

/** The row that unfolds the figures after the first few. */
function MoreRows({ count, isOpen, row, span, onToggle }: MoreRowsProps) {
  return (
    <tr aria-rowindex={row} className="h-8">
      <th scope="row" colSpan={span} className="border-t border-line px-1.5 py-0.5 text-left font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className={
            'sticky left-1.5 inline-flex min-h-6 items-center gap-1 rounded px-1.5 text-sm text-accent ' +
            'hover:underline'
          }
        >
          <ChevronRight aria-hidden size={12} className={isOpen ? 'rotate-90' : ''} />
          {toMoreText(count)}
        </button>
      </th>
    </tr>
  );
}

interface CompareTableProps {
  /** In the shown order, the baseline first. */
  columns: readonly CompareColumn[];
  /** Unique names by ref. */
  names: ReadonlyMap<string, string>;
  /** What tells a column apart from others of its name, by ref. */
  traits: ReadonlyMap<string, string>;
  table: Table;
  sort: ColumnSort | null;
  onSort: (id: string) => void;
  /** Refs outside the brush. */
  faded: ReadonlySet<string>;
  hovered: string | null;
  onHover: (ref: string | null) => void;
}

/** The table scrolls in itself, so that its head stays: about the height of a tab. */
const MOST_HEIGHT = 'max(20rem, calc(100dvh - 9rem))';

const SORTED = 'The columns are sorted by a row. Clear the sorting above the table to move them.';

// Arrow keys move between the cells of this table.
const GRID = { role: 'grid' } as const;

/** Parameters as rows, candidates as columns; only columns near the view are rendered. */
export function CompareTable({
  columns,
  names,
  traits,
  table,
  sort,
  onSort,
  faded,
  hovered,
  onHover,
}: CompareTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [sizeRef, { width }] = useSize<HTMLDivElement>();
  const [headRef, { height: headHeight }] = useSize<HTMLTableRowElement>();
  const layout = toColumnLayout(width, columns.length);
  const sorted = sort?.id ?? null;
  const [fold, setFold] = useState<Fold>({ isOpen: false, kept: sorted });
  const { shown, more } = useMemo(() => toFoldedRows(table.rows, fold, sorted), [table.rows, fold, sorted]);
  const rows = fold.isOpen ? [...shown, ...more] : shown;
  const cells = useTableCells(box, columns, table.columns, rows);
  const before = layout.names + layout.column;
  const focused = cells.hasFocus && cells.active.column > 0 ? cells.active.column - 1 : null;
  const drawn = useDrawnColumns(box, { count: columns.length - 1, column: layout.column, before, kept: focused });
  // The baseline is always rendered; the slots are for the columns after it.
  const slots = toSlots(drawn, columns.length - 1, layout.column);
  const shownRefs = useMemo(() => columns.map(({ ref }) => ref), [columns]);
  const places = new Map(table.columns.map((candidate, index) => [candidate.key, index]));

  const toColumnClass = (at: number) =>
    at > 0 ? '' : `border-r border-line bg-raised ${layout.isBaselineFixed ? 'sticky z-10' : ''}`;
  const toColumnStyle = (at: number) => (at === 0 && layout.isBaselineFixed ? { left: layout.names } : undefined);
  const toHead = (at: number, column: CompareColumn) => (
    <th
      key={column.ref}
      scope="col"
      aria-colindex={at + 2}
      onMouseEnter={() => onHover(column.ref)}
      style={toColumnStyle(at)}
      className={
        `sticky top-0 h-px border-t border-b border-line px-2.5 py-1.5 align-top ${at > 0 ? 'bg-surface' : ''} ` +
        `${toColumnClass(at)} ` +
        `${at === 0 && layout.isBaselineFixed ? 'z-30!' : 'z-20'}`
      }
    >
      <CompareHead
        column={column}
        name={names.get(column.ref) ?? column.ref}
        trait={traits.get(column.ref) ?? null}
        shown={shownRefs}
        isFaded={faded.has(column.ref)}
        fixedReason={sort ? SORTED : null}
      />
    </th>
  );
  const toCell = (row: CompareRow, rowIndex: number, at: number, column: CompareColumn) => {
    const cell = row.cells[places.get(column.ref) ?? -1];
    const tone = at > 0 && cell?.isSame ? 'text-soft' : '';
    return (
      <td
        key={column.ref}
        data-cell={`${rowIndex}:${at}`}
        aria-colindex={at + 2}
        tabIndex={cells.active.row === rowIndex && cells.active.column === at ? 0 : -1}
        onFocus={() => cells.onFocus({ row: rowIndex, column: at })}
        onBlur={cells.onBlur}
        onKeyDown={(event) => cells.onKeyDown(event, { row: rowIndex, column: at })}
        onMouseEnter={() => onHover(column.ref)}
        style={toColumnStyle(at)}
        className={
          `border-t border-line px-2.5 py-1 text-right font-mono text-sm ${tone} ${toColumnClass(at)} ` +
          `${hovered === column.ref ? 'bg-raised' : ''}`
        }
      >
        <CompareCell parameter={row.parameter} cell={cell} column={column} isBaseline={at === 0} />
      </td>
    );
  };
  const toSlotCells = (draw: (at: number, column: CompareColumn) => ReactNode) =>
    slots.map((slot) => {
      const column = slot.kind === 'column' ? columns[slot.index + 1] : undefined;
      return column ? (
        draw(slot.index + 1, column)
      ) : (
        <td key={`gap${slot.index}`} aria-hidden className="border-t border-line" />
      );
    });

  const toRow = (row: CompareRow, rowIndex: number, baseline: CompareColumn) => {
    const order = sort?.id !== row.parameter.id ? null : sort.isDescending ? 'descending' : 'ascending';
    return (
      <tr key={row.parameter.id} className="h-8">
        <th
          scope="row"
          aria-colindex={1}
          aria-sort={order ?? 'none'}
          className="sticky left-0 z-10 border-t border-line bg-surface px-1.5 py-0.5 text-left font-normal"
        >
          <CompareRowName
            name={row.parameter.name}
            sorted={order}
            onSort={() => onSort(row.parameter.id)}
            data-cell={`${rowIndex}:${NAMES}`}
            tabIndex={cells.active.row === rowIndex && cells.active.column === NAMES ? 0 : -1}
            onFocus={() => cells.onFocus({ row: rowIndex, column: NAMES })}
            onBlur={cells.onBlur}
            onKeyDown={(event) => cells.onKeyDown(event, { row: rowIndex, column: NAMES })}
          />
        </th>
        {toCell(row, rowIndex, 0, baseline)}
        {toSlotCells((at, column) => toCell(row, rowIndex, at, column))}
        <td aria-hidden className="border-t border-line" />
      </tr>
    );
  };

  const baseline = columns[0];
  if (!baseline) return null;
  return (
    <div ref={sizeRef}>
      <div
        ref={box}
        onMouseLeave={() => onHover(null)}
        onCopy={cells.onCopy}
        style={{
          scrollPaddingLeft: layout.isBaselineFixed ? before : layout.names,
          scrollPaddingTop: headHeight,
          maxHeight: MOST_HEIGHT,
        }}
        className="relative overflow-auto"
      >
        <table
          {...GRID}
          aria-label="Compared candidates"
          aria-colcount={columns.length + 1}
          aria-rowcount={rows.length + (more.length > 0 ? 2 : 1)}
          style={{ width: layout.names + layout.column * columns.length }}
          className="min-w-full table-fixed border-separate border-spacing-0"
        >
          <colgroup>
            <col style={{ width: layout.names }} />
            <col style={{ width: layout.column }} />
            {slots.map((slot) => (
              <col
                key={`${slot.kind}${slot.index}`}
                style={{ width: slot.kind === 'gap' ? slot.width : layout.column }}
              />
            ))}
            <col />
          </colgroup>
          <thead>
            <tr ref={headRef}>
              <th
                scope="col"
                aria-colindex={1}
                className="sticky top-0 left-0 z-30 border-t border-b border-line bg-surface"
              >
                <span className="sr-only">Parameter</span>
              </th>
              {toHead(0, baseline)}
              {toSlotCells(toHead)}
              <td aria-hidden className="sticky top-0 z-20 border-t border-b border-line bg-surface" />
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => toRow(row, index, baseline))}
            {more.length > 0 && (
              <MoreRows
                count={more.length}
                isOpen={fold.isOpen}
                row={shown.length + 2}
                span={slots.length + 3}
                onToggle={() => setFold(reduceFold(fold, sorted))}
              />
            )}
            {fold.isOpen && more.map((row, index) => toRow(row, shown.length + index, baseline))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
