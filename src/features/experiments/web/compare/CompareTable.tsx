import { Fragment, useMemo, useState, type ReactNode } from 'react';
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronRight } from 'lucide-react';
import type { CompareRow, CompareTable as Table } from './comparison.ts';
import type { GridPlace } from '#ui/grid/gridKeys.ts';
import { toCellProps, useGridFocus } from '#ui/grid/useGridFocus.ts';
import { useScrollWindow } from '#ui/grid/useScrollWindow.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { toFieldTip } from '#features/experiments/shared/fieldLabels.ts';
import type { Parameter } from '#features/experiments/shared/parameters.ts';
import { WireName } from '#ui/kit/WireName.tsx';
import { toMoreText } from '#features/experiments/shared/manyFigures.ts';
import { CompareCell } from './CompareCell.tsx';
import type { ColumnNames } from './columnNames.ts';
import type { CompareColumn } from './compareColumns.ts';
import { CompareHead } from './CompareHead.tsx';
import { NAMES, toColumnLayout, type ColumnLayout } from './columnLayout.ts';
import type { ColumnSort } from './columnOrder.ts';
import { toCopiedValues } from './copiedValues.ts';
import { reduceFold, toFoldedRows, type Fold } from './rowFold.ts';

interface CompareRowNameProps {
  /** What makes it a cell of the grid. */
  cell: ReturnType<typeof toCellProps>;
  parameter: Parameter;
  sorted: 'ascending' | 'descending' | null;
  onSort: () => void;
}

/** A row's name. A press sorts the columns by the row: ascending, descending, best runs first. */
function CompareRowName({ cell, parameter, sorted, onSort }: CompareRowNameProps) {
  const Arrow = sorted === null ? ArrowUpDown : sorted === 'ascending' ? ArrowUp : ArrowDown;
  const look = sorted === null ? 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60' : 'text-accent';
  return (
    <button
      data-cell={cell['data-cell']}
      tabIndex={cell.tabIndex}
      type="button"
      title={`${toFieldTip(parameter)} Sorts the columns by this row`}
      onClick={onSort}
      className="group flex min-h-6 w-full items-center gap-1 rounded px-1.5 text-left text-sm text-soft hover:text-ink"
    >
      <span className="line-clamp-3 min-w-0 leading-tight">
        <WireName name={parameter.label} />
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
  naming: ColumnNames;
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

/** Which columns are drawn, and where. */
interface Drawn {
  readonly layout: ColumnLayout;
  /** The columns after the baseline, which is always drawn. */
  readonly slots: ReturnType<typeof useScrollWindow>['slots'];
  readonly after: number;
}

interface CompareLineProps extends Drawn {
  columns: readonly CompareColumn[];
  /** Draws a column's cell. */
  children: (column: CompareColumn, at: number) => ReactNode;
}

/** The cells of a line, with the room of columns that are not drawn. */
function CompareLine({ columns, slots, after, children }: CompareLineProps) {
  const gap = <td aria-hidden className="border-t border-line" />;
  return (
    <>
      {columns[0] && children(columns[0], 0)}
      {slots.map(({ item, gap: width }) => {
        const column = columns[item + 1];
        return (
          <Fragment key={item}>
            {width > 0 && gap}
            {column && children(column, item + 1)}
          </Fragment>
        );
      })}
      {after > 0 && gap}
    </>
  );
}

/** The baseline's look and place, which every line has. */
const toColumnLook = ({ names, isBaselineFixed }: ColumnLayout, at: number) => ({
  look: at > 0 ? '' : `border-r border-line bg-raised ${isBaselineFixed ? 'sticky z-10' : ''}`,
  style: at === 0 && isBaselineFixed ? { left: names } : undefined,
});

type Heads = Pick<CompareTableProps, 'columns' | 'naming' | 'faded' | 'sort' | 'onHover'>;

interface CompareHeadsProps extends Heads, Drawn {
  sizeRef: ReturnType<typeof useSize<HTMLTableRowElement>>[0];
}

function CompareHeads({ columns, naming, faded, sort, onHover, sizeRef, ...drawn }: CompareHeadsProps) {
  const { layout } = drawn;
  const { names, origins, traits } = naming;
  const refs = useMemo(() => columns.map(({ ref }) => ref), [columns]);
  return (
    <thead>
      <tr ref={sizeRef}>
        <th scope="col" aria-colindex={1} className="sticky top-0 left-0 z-30 border-t border-b border-line bg-surface">
          <span className="sr-only">Parameter</span>
        </th>
        <CompareLine columns={columns} {...drawn}>
          {(column, at) => {
            const { look, style } = toColumnLook(layout, at);
            return (
              <th
                key={column.ref}
                scope="col"
                aria-colindex={at + 2}
                onMouseEnter={() => onHover(column.ref)}
                style={style}
                className={
                  `sticky top-0 h-px border-t border-b border-line px-2.5 py-1.5 align-top ${look} ` +
                  `${at > 0 ? 'bg-surface' : ''} ${at === 0 && layout.isBaselineFixed ? 'z-30!' : 'z-20'}`
                }
              >
                <CompareHead
                  column={column}
                  name={names.get(column.ref) ?? column.ref}
                  origin={origins.get(column.ref) ?? ''}
                  trait={traits.get(column.ref) ?? null}
                  shown={refs}
                  isFaded={faded.has(column.ref)}
                  fixedReason={sort ? SORTED : null}
                />
              </th>
            );
          }}
        </CompareLine>
        <td aria-hidden className="sticky top-0 z-20 border-t border-b border-line bg-surface" />
      </tr>
    </thead>
  );
}

interface CompareRowLineProps
  extends Drawn, Pick<CompareTableProps, 'columns' | 'sort' | 'onSort' | 'hovered' | 'onHover'> {
  row: CompareRow;
  rowIndex: number;
  active: GridPlace;
  /** Where a candidate's cell is in the row, by ref. */
  places: ReadonlyMap<string, number>;
}

/** A parameter and its values. */
function CompareRowLine(props: CompareRowLineProps) {
  const { row, rowIndex, active, places, columns, sort, onSort, hovered, onHover, ...drawn } = props;
  const { id } = row.parameter;
  const order = sort?.id !== id ? null : sort.isDescending ? 'descending' : 'ascending';
  return (
    <tr className="h-8">
      <th
        scope="row"
        aria-colindex={1}
        aria-sort={order ?? 'none'}
        className="sticky left-0 z-10 border-t border-line bg-surface px-1.5 py-0.5 text-left font-normal"
      >
        <CompareRowName
          cell={toCellProps(rowIndex, NAMES, active)}
          parameter={row.parameter}
          sorted={order}
          onSort={() => onSort(id)}
        />
      </th>
      <CompareLine columns={columns} {...drawn}>
        {(column, at) => {
          const cell = row.cells[places.get(column.ref) ?? -1];
          const { look, style } = toColumnLook(drawn.layout, at);
          return (
            <td
              key={column.ref}
              {...toCellProps(rowIndex, at, active, 1)}
              onMouseEnter={() => onHover(column.ref)}
              style={style}
              className={
                `border-t border-line px-2.5 py-1 text-right font-mono text-sm ${look} ` +
                `${at > 0 && cell?.isSame ? 'text-soft' : ''} ${hovered === column.ref ? 'bg-raised' : ''}`
              }
            >
              <CompareCell parameter={row.parameter} cell={cell} column={column} isBaseline={at === 0} />
            </td>
          );
        }}
      </CompareLine>
      <td aria-hidden className="border-t border-line" />
    </tr>
  );
}

/** Parameters as rows, candidates as columns; only columns near the view are rendered. */
export function CompareTable({ columns, naming, table, sort, onSort, faded, hovered, onHover }: CompareTableProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [sizeRef, { width }] = useSize<HTMLDivElement>();
  const [headRef, { height: headHeight }] = useSize<HTMLTableRowElement>();
  const layout = toColumnLayout(width, columns.length);
  const sorted = sort?.id ?? null;
  const [fold, setFold] = useState<Fold>({ isOpen: false, kept: sorted });
  const { shown, more } = useMemo(() => toFoldedRows(table.rows, fold, sorted), [table.rows, fold, sorted]);
  const rows = fold.isOpen ? [...shown, ...more] : shown;
  const refs = columns.map(({ ref }) => ref);
  const { copy, onCopy } = toCopiedValues(rows, refs, table.columns);
  const { active, isUsed, onKeyDown, body } = useGridFocus({
    box,
    rows: rows.map(({ parameter }) => parameter.id),
    columns: refs,
    firstColumn: NAMES,
    onKey: ({ key }, place) => key === 'Enter' && copy(place),
  });
  const before = layout.names + layout.column;
  const { slots, after } = useScrollWindow({
    box,
    isSideways: true,
    count: columns.length - 1,
    size: layout.column,
    before,
    margin: 2,
    kept: isUsed && active.column > 0 ? active.column - 1 : null,
  });
  const drawn: Drawn = { layout, slots, after };
  const places = new Map(table.columns.map((candidate, index) => [candidate.key, index]));
  const toRow = (row: CompareRow, rowIndex: number) => (
    <CompareRowLine
      key={row.parameter.id}
      {...{ row, rowIndex, active, places, columns, sort, onSort, hovered, onHover }}
      {...drawn}
    />
  );
  if (columns.length === 0) return null;
  const gaps = slots.filter(({ gap }) => gap > 0).length + Number(after > 0);
  return (
    <div ref={sizeRef}>
      <div
        ref={setBox}
        {...{ onCopy }}
        onMouseLeave={() => onHover(null)}
        style={{
          scrollPaddingLeft: layout.isBaselineFixed ? before : layout.names,
          scrollPaddingTop: headHeight,
          maxHeight: MOST_HEIGHT,
        }}
        className="relative overflow-auto"
      >
        <table
          {...{ role: 'grid', onKeyDown }}
          aria-label="Compared candidates"
          aria-colcount={columns.length + 1}
          aria-rowcount={rows.length + (more.length > 0 ? 2 : 1)}
          style={{ width: layout.names + layout.column * columns.length }}
          className="min-w-full table-fixed border-separate border-spacing-0"
        >
          <colgroup>
            <col style={{ width: layout.names }} />
            <col style={{ width: layout.column }} />
            {slots.map(({ item, gap }) => (
              <Fragment key={item}>
                {gap > 0 && <col style={{ width: gap }} />}
                <col style={{ width: layout.column }} />
              </Fragment>
            ))}
            {after > 0 && <col style={{ width: after }} />}
            <col />
          </colgroup>
          <CompareHeads {...{ columns, naming, faded, sort, onHover }} {...drawn} sizeRef={headRef} />
          <tbody {...body}>
            {shown.map(toRow)}
            {more.length > 0 && (
              <MoreRows
                count={more.length}
                isOpen={fold.isOpen}
                row={shown.length + 2}
                span={slots.length + gaps + 3}
                onToggle={() => setFold(reduceFold(fold, sorted))}
              />
            )}
            {fold.isOpen && more.map((row, index) => toRow(row, shown.length + index))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
