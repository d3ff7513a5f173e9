import { SearchX } from 'lucide-react';
import { useMemo, useState, type KeyboardEvent, type MouseEvent, type PointerEvent, type UIEvent } from 'react';
import { selectNode } from '#ui/address/nodeTab.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import type { GridPlace } from '#ui/grid/gridKeys.ts';
import { GridRows } from '#ui/grid/GridRows.tsx';
import { useDataGrid } from '#ui/grid/useDataGrid.ts';
import { findGridPlace } from '#ui/grid/useGridFocus.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { toBrushList } from '#ui/plots/scales/brush.ts';
import type { ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { toBestWords } from '#features/experiments/web/rows/datasetResults.ts';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toEmptyWords } from '#features/experiments/web/rows/rowFilter.ts';
import { changeCompared } from './changeCompared.ts';
import { ColumnFilter } from './ColumnFilter.tsx';
import { GroupRow } from './GroupRow.tsx';
import { TableHead } from './TableHead.tsx';
import { HEAD_HEIGHT, ROW_HEIGHT, toTableHeight } from './tableLayout.ts';
import { TableRow } from './TableRow.tsx';
import type { ComparedRuns } from './useComparedRuns.ts';
import type { ExperimentTableState } from './useExperimentTable.ts';

interface ExperimentsTableProps {
  table: ExperimentTableState;
  compared: ComparedRuns;
  hoveredKey: string | null;
  onHover: (key: string | null) => void;
  /** Opens the experiment's model in the playground, with its base model if `isWithBase`. */
  onTry: (row: ExperimentRow, isWithBase: boolean) => void;
  /** The scroll position is stored under this key. */
  scrollKey: string;
  /** Each run can be served to chat with, as it is one of a folder. */
  canChat: boolean;
}

/** What a click or a key on a row does. */
function useTableRows({ table, compared, onHover, onTry, scrollKey }: ExperimentsTableProps) {
  const { view } = table;
  const open = ({ id }: ExperimentRow): void => selectNode({ id, type: 'experiment' });
  const onPress = (event: MouseEvent, { row: place }: GridPlace) => {
    const entry = view[place];
    if (entry?.kind === 'group') return table.onFold(entry.key);
    if (!entry || !(event.target instanceof Element)) return undefined;
    const action = event.target.closest<HTMLElement>('[data-do]')?.dataset['do'];
    if (action === 'open') return open(entry.row);
    if (action === 'toggle') return compared.onToggle(place, event.shiftKey);
    if (action === 'try' || action === 'try-base') return onTry(entry.row, action === 'try-base');
    return undefined;
  };
  const onKey = (event: KeyboardEvent, { row: place }: GridPlace): boolean => {
    const entry = view[place];
    if (!entry || event.ctrlKey) return false;
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (entry.kind === 'group') {
      const isFold = isPress || event.key === (entry.isOpen ? 'ArrowLeft' : 'ArrowRight');
      if (isFold) table.onFold(entry.key);
      return isFold;
    }
    if (event.key === 'Enter') open(entry.row);
    else if (event.key === ' ') compared.onToggle(place, event.shiftKey);
    return isPress;
  };
  const keys = useMemo(() => view.map(({ key }) => key), [view]);
  const grid = useDataGrid({
    rows: keys,
    rowHeight: ROW_HEIGHT,
    headHeight: HEAD_HEIGHT,
    scrollKey,
    onPress,
    onKey,
    onExtend: compared.onExtend,
  });
  const body = {
    ...grid.body,
    onPointerOver: ({ target }: PointerEvent) => {
      const entry = view[findGridPlace(target)?.row ?? -1];
      onHover(entry?.kind === 'experiment' ? entry.key : null);
    },
    onPointerLeave: () => onHover(null),
  };
  return { grid, body };
}

const onScroll = ({ currentTarget }: UIEvent): void => {
  currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0);
};

/** The rows with their heads. Only those near the view are rendered; on paper the first ones. */
function RunRows(props: ExperimentsTableProps & { onFilter: (column: ExperimentColumn, anchor: HTMLElement) => void }) {
  const { table, compared, hoveredKey, canChat, onFilter } = props;
  const { layout, group, view, shown } = table;
  const { series } = compared;
  const { grid, body } = useTableRows(props);
  const { setBox, boxStyle } = grid;
  /** Words for the best run of each dataset, by its id. */
  const best = useMemo(() => toBestWords(table.results), [table.results]);
  const comparedCount = useMemo(() => shown.filter(({ id }) => series.has(id)).length, [shown, series]);
  const span = layout.columns.length + 1;
  return (
    <>
      <div
        ref={setBox}
        onScroll={onScroll}
        style={{ ...boxStyle, scrollPaddingLeft: layout.pinnedWidth }}
        className={
          'group/table min-h-0 flex-1 [scrollbar-color:var(--faint)_transparent] snap-x snap-proximity overflow-auto ' +
          'overscroll-contain print:overflow-visible'
        }
      >
        <table
          {...grid.table}
          role={group === null ? 'grid' : 'treegrid'}
          aria-label="Runs"
          aria-multiselectable
          aria-colcount={span}
          style={{ minWidth: layout.minWidth }}
          className="block print:table print:w-full print:min-w-0! print:text-[8px] [&_.animate-turn]:animate-none"
        >
          <TableHead
            layout={layout}
            sorts={table.sorts}
            filtered={table.brush}
            chosen={comparedCount === 0 ? 'none' : comparedCount === shown.length ? 'all' : 'some'}
            shownCount={shown.length}
            onSort={table.onSort}
            onFilter={onFilter}
            onChooseAll={(isIn) =>
              changeCompared(
                shown.map(({ id }) => id),
                isIn,
              )
            }
          />
          <tbody className="block print:table-row-group" {...body}>
            <GridRows grid={grid}>
              {(place) => {
                const row = view[place];
                const isActive = place === grid.active.row;
                if (!row) return null;
                if (row.kind === 'group')
                  return <GroupRow group={row} groupedBy={group ?? ''} place={place} span={span} isActive={isActive} />;
                return (
                  <TableRow
                    row={row.row}
                    columns={layout.columns}
                    place={place}
                    level={group === null ? null : row.isInGroup ? 2 : 1}
                    series={series.get(row.key) ?? null}
                    bestOf={best.get(row.key) ?? null}
                    isActive={isActive}
                    isHovered={hoveredKey === row.key}
                    canChat={canChat}
                  />
                );
              }}
            </GridRows>
          </tbody>
        </table>
      </div>
      {grid.unprinted > 0 && (
        <p>
          The first {formatCount(view.length - grid.unprinted)} of {formatCount(view.length)} rows.
        </p>
      )}
    </>
  );
}

/** The table of runs with the filters of its columns, or why no run is left. */
export function ExperimentsTable(props: ExperimentsTableProps) {
  const { rows, found, shown, view, brush, columns, onType } = props.table;
  const [filter, setFilter] = useState<{ readonly column: ExperimentColumn; readonly anchor: HTMLElement } | null>(
    null,
  );
  const clearFilters = () => {
    onType('');
    updateUrl({ brush: [] }, { replace: true });
  };
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState
          icon={<SearchX aria-hidden size={20} />}
          title="No run matches the filters"
          action={<Button onClick={clearFilters}>Clear all filters</Button>}
        >
          {toEmptyWords(rows.length, found.length, brush, columns)}
        </EmptyState>
      ) : (
        <div
          style={toTableHeight(view.length)}
          className={
            'flex h-0 grow flex-col overflow-hidden rounded-lg border border-line bg-surface print:block ' +
            'print:h-auto print:max-h-none! print:overflow-visible'
          }
        >
          <RunRows {...props} onFilter={(column, anchor) => setFilter({ column, anchor })} />
        </div>
      )}
      {filter && (
        <ColumnFilter
          column={filter.column}
          columns={columns}
          rows={found}
          brush={brush}
          anchor={filter.anchor}
          onBrush={(next) => updateUrl({ brush: toBrushList(next) }, { replace: true })}
          onClose={() => setFilter(null)}
        />
      )}
    </>
  );
}
