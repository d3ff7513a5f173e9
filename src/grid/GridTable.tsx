import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { Fragment, useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { AnswerCell } from './AnswerCell';
import { ColumnHead } from './ColumnHead';
import { findNextPlace, type GridPlace } from './gridKeys';
import { readBook, readTally, useGrid } from './gridStore';
import { toQuestion } from './gridWords';
import { toSentText } from './sentSettings';
import { SoftText } from './SoftText';

interface GridTableProps {
  /** Rows on show, from 0. */
  rows: readonly number[];
  /** Edits a row. */
  onEdit: (row: number) => void;
  /** Opens an answer. */
  onOpen: (row: number, column: number) => void;
  /** Shows what a column sends. */
  onSent: (column: number) => void;
}

// A table with keys of its own: to assistive technology that is a grid.
const GRID = { role: 'grid' } as const;
const ROW_HEIGHT = 88;
const HEAD_HEIGHT = 94;
// Least widths in pixels; a wider panel shares out the rest in proportion.
const PROMPT_WIDTH = 170;
const EXPECTED_WIDTH = 130;
/** Without any expected answer the column is but a place to write one. */
const NONE_WIDTH = 84;
const ANSWER_WIDTH = 190;
/** Columns before the answers: prompt and expected answer. */
const LEAD = 2;
/** A cell shows the first lines: what can't be seen need not be laid out. */
const MAX_SHOWN = 400;
const CELL = 'cursor-pointer border-r border-b border-line p-0 align-top outline-offset-[-2px] hover:bg-raised';
/** Exactly as high as every other, whatever is in it: rows are placed by their number. */
const BOX = 'block h-[87px] overflow-hidden px-2.5 py-1.5';
const HEAD = 'sticky top-0 z-10 h-[94px] overflow-hidden border-r border-b border-line bg-surface px-2.5 py-1 text-left align-middle font-semibold';

const findPlace = (target: EventTarget): GridPlace | null => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return cell ? { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) } : null;
};

/** The grid itself: only rows on show are in the page; arrow keys move, Enter opens. */
export function GridTable({ rows, onEdit, onOpen, onSent }: GridTableProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [active, setActive] = useState<GridPlace>({ row: 0, column: 0 });
  const wantsFocus = useRef(false);
  const { columns, rows: allRows, prompt } = useGrid((state) => state.setup);
  // The cells change in place: the pulse says when to read them again.
  useGrid((state) => state.pulse);
  const book = readBook();
  const tally = readTally();
  const span = columns.length + LEAD;
  const row = Math.min(active.row, rows.length - 1);
  const column = Math.min(active.column, span - 1);

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    // The active row stays in the page wherever it is scrolled to: it holds the focus.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range);
        return row < 0 || row >= range.count || shown.includes(row) ? shown : [...shown, row].sort((a, b) => a - b);
      },
      [row],
    ),
  });

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    const cell = box?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [box, row, column]);

  const open = (place: GridPlace) => {
    const at = rows[place.row];
    if (at === undefined) return;
    if (place.column < LEAD) onEdit(at);
    else onOpen(at, place.column - LEAD);
  };
  const onClick = ({ target }: MouseEvent) => {
    const place = findPlace(target);
    if (!place) return;
    setActive(place);
    open(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = findPlace(event.target);
    if (!place || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return open(place);
    }
    const next = findNextPlace(event.key, event.ctrlKey, place, { rows: rows.length, columns: span, page: Math.floor(((box?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT) });
    if (!next) return undefined;
    event.preventDefault();
    wantsFocus.current = true;
    setActive(next);
    virtualizer.scrollToIndex(next.row);
    return undefined;
  };

  const place = (rowAt: number, columnAt: number) => ({
    'data-row': rowAt,
    'data-column': columnAt,
    'aria-colindex': columnAt + 1,
    tabIndex: rowAt === row && columnAt === column ? 0 : -1,
  });
  const expectedWidth = allRows.some((entry) => entry.expected !== null) ? EXPECTED_WIDTH : NONE_WIDTH;
  const items = virtualizer.getVirtualItems();
  const spaceAfter = HEAD_HEIGHT + rows.length * ROW_HEIGHT - (items.at(-1)?.end ?? HEAD_HEIGHT);
  return (
    <div ref={setBox} className="min-h-0 flex-1 overflow-auto overscroll-contain border-t border-line">
      <table
        {...GRID}
        tabIndex={-1}
        aria-label="Prompt grid"
        aria-rowcount={rows.length + 1}
        aria-colcount={span}
        style={{ minWidth: PROMPT_WIDTH + expectedWidth + columns.length * ANSWER_WIDTH }}
        className="w-full table-fixed border-separate border-spacing-0"
      >
        <colgroup>
          <col style={{ width: PROMPT_WIDTH }} />
          <col style={{ width: expectedWidth }} />
          {columns.map(({ id }) => (
            <col key={id} style={{ width: ANSWER_WIDTH }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={HEAD}>
              Prompt
            </th>
            <th scope="col" className={HEAD}>
              Expected
            </th>
            {columns.map(({ id, name, label, request }, index) => (
              <th key={id} scope="col" className={HEAD}>
                <ColumnHead name={name ?? label} label={label} result={tally.columnResult(index)} series={index} sent={toSentText(request)} onSent={() => onSent(index)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...{ onClick, onKeyDown }}>
          {items.map(({ index, start }, at) => {
            const rowAt = rows[index];
            const entry = rowAt === undefined ? undefined : allRows[rowAt];
            const space = start - (items[at - 1]?.end ?? HEAD_HEIGHT);
            if (rowAt === undefined || !entry) return null;
            return (
              <Fragment key={rowAt}>
                {space > 0 && <tr aria-hidden style={{ height: space }} />}
                <tr aria-rowindex={index + 2}>
                  <th scope="row" {...place(index, 0)} className={`${CELL} text-left font-normal`}>
                    <span className={BOX}>
                      <span className="block text-xs text-faint">{entry.number}</span>
                      <span className="line-clamp-3 break-words"><SoftText text={toQuestion(entry, prompt).slice(0, MAX_SHOWN)} /></span>
                    </span>
                  </th>
                  <td {...place(index, 1)} className={`${CELL} text-soft`}>
                    <span className={BOX}>{entry.expected === null ? <span className="text-faint">none</span> : <span className="line-clamp-4 break-words"><SoftText text={entry.expected.slice(0, MAX_SHOWN)} /></span>}</span>
                  </td>
                  {columns.map(({ id }, columnAt) => {
                    const cellAt = rowAt * columns.length + columnAt;
                    const cell = book.cells[cellAt];
                    return (
                      <td key={id} {...place(index, columnAt + LEAD)} className={CELL}>
                        <span className={BOX}>{cell && <AnswerCell cell={cell} verdict={tally.verdictOf(cellAt)} />}</span>
                      </td>
                    );
                  })}
                </tr>
              </Fragment>
            );
          })}
          {spaceAfter > 0 && <tr aria-hidden style={{ height: spaceAfter }} />}
        </tbody>
      </table>
    </div>
  );
}
