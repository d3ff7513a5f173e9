import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { findKeptTop, useKeptScroll } from '#ui/kit/useKeptScroll.ts';
import { HEAD_HEIGHT, ROW_HEIGHT, toRowPlaces, type TableLayout } from './tableLayout.ts';
import { TableRow } from './TableRow.tsx';
import { GroupRow } from './GroupRow.tsx';
import { useTableInput, type TableInput } from './useTableInput.ts';
import { usePrinting } from '#ui/kit/usePrinting.ts';

interface ExperimentsTableProps extends Omit<TableInput, 'active' | 'page' | 'onMove' | 'onHead' | 'onActivate'> {
  layout: TableLayout;
  head: ReactNode;
  /** What rows are grouped by; null: a plain list. */
  group: string | null;
  /** Place of an experiment in the compared set. */
  series: ReadonlyMap<string, number>;
  /** Words for the best run of each dataset, by its id. */
  best: ReadonlyMap<string, string>;
  hoveredKey: string | null;
  /** The scroll position is stored under this key. */
  scrollKey: string;
  /** Each run can be served to chat with, as it is one of a folder. */
  canChat: boolean;
}

const PRINTED_ROWS = 500;

/** The table itself. Only rows near the view are rendered; on paper the first 500. */
export function ExperimentsTable({
  layout,
  head,
  group,
  series,
  best,
  hoveredKey,
  scrollKey,
  canChat,
  rows,
  ...input
}: ExperimentsTableProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const wantsFocus = useRef(false);
  const isPrinting = usePrinting();
  useKeptScroll(box, scrollKey);

  const activePlace = activeKey === null ? 0 : rows.findIndex(({ key }) => key === activeKey);
  const active = Math.max(0, activePlace);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (place) => rows[place]?.key ?? place,
    initialOffset: () => findKeptTop(scrollKey),
    overscan: 4,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    // The active row stays rendered wherever the table is scrolled, because it holds the focus.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        if (active >= range.count || shown.includes(active)) return shown;
        return [...shown, active].sort((a, b) => a - b);
      },
      [active],
    ),
  });

  const activate = (place: number) => setActiveKey(rows[place]?.key ?? null);
  const handlers = useTableInput({
    ...input,
    rows,
    active,
    page: Math.floor(((box?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT),
    onActivate: activate,
    onHead: () => box?.querySelector<HTMLElement>('thead [tabindex="0"]')?.focus(),
    onMove: (place) => {
      // At the ends nothing moves: `wantsFocus` would stay set, and the next change of rows would steal the focus.
      if (place === active) return;
      wantsFocus.current = true;
      activate(place);
      virtualizer.scrollToIndex(place);
    },
  });
  const focusRow = (place: number) =>
    body.current?.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus({ preventScroll: true });
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focusRow(active);
  }, [active]);
  const headHandlers = {
    onKeyDown: (event: KeyboardEvent) => {
      const isInHead = event.target instanceof Element && event.target.closest('thead') !== null;
      if (!isInHead || event.key !== 'ArrowDown' || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      virtualizer.scrollToIndex(0);
      if (active === 0) return void focusRow(0);
      wantsFocus.current = true;
      activate(0);
    },
  };

  const drawn = isPrinting
    ? rows.slice(0, PRINTED_ROWS).map((_, place) => place)
    : virtualizer.getVirtualItems().map(({ index }) => index);
  // Rows are in the flow below one padding: a position for each row would make the browser recompute its style.
  const { run, detached } = toRowPlaces(drawn, active);
  const places = detached === null ? run : [...run, detached];
  const span = layout.columns.length + 1;
  return (
    <>
      <div
        ref={setBox}
        onScroll={(event) => {
          const { scrollLeft } = event.currentTarget;
          event.currentTarget.toggleAttribute('data-scrolled', scrollLeft > 0);
        }}
        style={{ scrollPaddingLeft: layout.pinnedWidth }}
        className={
          'group/table min-h-0 flex-1 [scrollbar-color:var(--faint)_transparent] snap-x snap-proximity overflow-auto ' +
          'overscroll-contain print:overflow-visible'
        }
      >
        <table
          role={group === null ? 'grid' : 'treegrid'}
          aria-label="Runs"
          aria-multiselectable
          {...headHandlers}
          aria-rowcount={rows.length + 1}
          aria-colcount={span}
          style={{ minWidth: layout.minWidth }}
          className="block print:table print:w-full print:min-w-0! print:text-[8px] [&_.animate-turn]:animate-none"
        >
          {head}
          <tbody
            ref={body}
            style={{ height: rows.length * ROW_HEIGHT, paddingTop: (run[0] ?? 0) * ROW_HEIGHT }}
            className="relative block print:table-row-group print:h-auto! print:pt-0!"
            {...handlers}
          >
            {places.map((place) => {
              const row = rows[place];
              if (!row) return null;
              if (row.kind === 'group') {
                return (
                  <GroupRow
                    key={row.key}
                    group={row}
                    groupedBy={group ?? ''}
                    place={place}
                    span={span}
                    isActive={place === active}
                    isDetached={place === detached}
                  />
                );
              }
              return (
                <TableRow
                  key={row.key}
                  row={row.row}
                  columns={layout.columns}
                  place={place}
                  level={group === null ? null : 2}
                  series={series.get(row.key) ?? null}
                  bestOf={best.get(row.key) ?? null}
                  isActive={place === active}
                  isDetached={place === detached}
                  isHovered={hoveredKey === row.key}
                  canChat={canChat}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      {isPrinting && rows.length > PRINTED_ROWS && (
        <p>
          The first {PRINTED_ROWS} of {formatCount(rows.length)} rows.
        </p>
      )}
    </>
  );
}
