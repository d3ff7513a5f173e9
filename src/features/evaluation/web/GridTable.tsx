import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  Fragment,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { isExpected } from '#features/evaluation/shared/checks.ts';
import { findNextCell, type CellPlace } from '#ui/kit/cellKeys.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { AnswerCell } from './AnswerCell.tsx';
import { ColumnHead } from './ColumnHead.tsx';
import { setSampling } from './gridActions.ts';
import { readBook, readTally, setView, useGrid } from './gridStore.ts';
import { toFilterKey, type RowFilter } from '#features/evaluation/web/cells/rowFilter.ts';
import { toOtherSampling, toSettingsText, type ColumnOffer } from '#features/evaluation/web/cells/sampling.ts';
import { toComparisons, toExpectedText, toQuestion } from '#features/evaluation/web/cells/gridWords.ts';
import { toSentText } from '#features/evaluation/web/cells/sentSettings.ts';
import { SoftText } from './SoftText.tsx';

interface GridTableProps {
  /** Visible rows, from 0. */
  rows: readonly number[];
  /** Index of the reference column. */
  reference: number;
  filter: RowFilter;
  /** The panes, for a change of sampling. */
  offers: readonly ColumnOffer[];
  /** Edits a row. */
  onEdit: (row: number) => void;
  /** Opens an answer. */
  onOpen: (row: number, column: number) => void;
  /** Shows everything that a column sends besides the prompt. */
  onSent: (column: number) => void;
}

// A table with its own keys has the role "grid" for assistive technology.
const GRID = { role: 'grid' } as const;
const ROW_HEIGHT = 88;
/** Minimum height, so that rows don't move when figures arrive. Heads with more lines are higher. */
const HEAD_HEIGHT = 98;
/** With a line that compares columns. */
const PAIRED_HEAD_HEIGHT = 114;
// Minimum widths; a wider panel shares the rest in proportion. A narrow panel still shows an answer beside its prompt.
const WIDTHS = '[--prompt:170px] [--answer:190px] @max-[560px]:[--prompt:98px] @max-[560px]:[--answer:158px]';
const EXPECTED_WIDTHS = '[--expected:130px] @max-[560px]:[--expected:112px] @max-[380px]:[--expected:82px]';
/** Without expected answers the column is only an input, so it is narrower. */
const NONE_WIDTHS = '[--expected:92px] @max-[380px]:[--expected:82px]';
/** Columns before the answers: prompt and expected answer. */
const LEAD = 2;
/** A cell shows only the first lines, so the rest need not be laid out. */
const MAX_SHOWN = 400;
const CELL = 'cursor-pointer border-r border-b border-line p-0 align-top outline-offset-[-2px] hover:bg-raised';
/** Every row has the same height, because rows are positioned by their number. */
const BOX = 'block h-[87px] overflow-hidden px-2.5 py-1.5';
const HEAD =
  'sticky top-0 z-10 overflow-hidden border-r border-b border-line bg-surface px-2.5 py-1.5 text-left align-top ' +
  'font-semibold';

const findPlace = (target: EventTarget): CellPlace | null => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return cell ? { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) } : null;
};

/** The grid as a table. Only visible rows are in the page; arrow keys move, Enter opens. */
export function GridTable({ rows, reference, filter, offers, onEdit, onOpen, onSent }: GridTableProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const wantsFocus = useRef(false);
  const setup = useGrid((state) => state.setup);
  const { columns, rows: allRows, prompt, isEvaluation = false } = setup;
  // Cells change in place: `pulse` triggers the next render.
  useGrid((state) => state.pulse);
  const book = readBook();
  const tally = readTally();
  const span = columns.length + LEAD;
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
  const toSamplingReason = (id: string): string | null => {
    if (isBusy) return 'Pause the run first.';
    const offer = offers.find(({ neutral }) => neutral.id === id);
    return offer ? offer.problem : 'The pane of this column is closed.';
  };
  const isPaired = useGrid((state) => state.checks.length > 0) && columns.length > 1;
  const leastHeight = isPaired ? PAIRED_HEAD_HEIGHT : HEAD_HEIGHT;
  const [head, { height }] = useSize<HTMLTableRowElement>();
  const headHeight = Math.max(leastHeight, height);
  const row = Math.min(active.row, rows.length - 1);
  const column = Math.min(active.column, span - 1);

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    // The active row stays in the page wherever the table is scrolled, because it has the focus.
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

  const open = (place: CellPlace) => {
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
    const next = findNextCell(event, place, {
      rows: rows.length,
      columns: span,
      page: Math.floor(((box?.clientHeight ?? 0) - headHeight) / ROW_HEIGHT),
    });
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
  const expectedWidths = useMemo(
    () => (allRows.some(({ expected }) => isExpected(expected)) ? EXPECTED_WIDTHS : NONE_WIDTHS),
    [allRows],
  );
  const results = columns.map((_, index) => tally.columnResult(index, reference));
  const comparisons = toComparisons(
    results.map(({ pair }) => pair),
    reference,
  );
  const nameOf = (index: number): string => columns[index]?.name ?? columns[index]?.label ?? '';
  const items = virtualizer.getVirtualItems();
  const spaceAfter = headHeight + rows.length * ROW_HEIGHT - (items.at(-1)?.end ?? headHeight);
  return (
    <div ref={setBox} className="@container min-h-0 flex-1 overflow-auto overscroll-contain border-t border-line">
      <table
        {...GRID}
        tabIndex={-1}
        aria-label="Prompt grid"
        aria-rowcount={rows.length + 1}
        aria-colcount={span}
        style={{ minWidth: `calc(var(--prompt) + var(--expected) + ${columns.length} * var(--answer))` }}
        className={`w-full table-fixed border-separate border-spacing-0 ${WIDTHS} ${expectedWidths}`}
      >
        <colgroup>
          <col className="w-(--prompt)" />
          <col className="w-(--expected)" />
          {columns.map(({ id }) => (
            <col key={id} className="w-(--answer)" />
          ))}
        </colgroup>
        <thead>
          <tr ref={head} aria-rowindex={1} style={{ height: leastHeight }}>
            <th scope="col" className={HEAD}>
              Prompt
            </th>
            <th scope="col" className={HEAD}>
              Expected
            </th>
            {columns.map((each, index) => {
              const { id, label, request } = each;
              const other = toOtherSampling(each, setup);
              const result = results[index];
              const failures = { kind: 'not-passed-by', column: index } as const;
              const showsFailures =
                typeof filter !== 'string' && filter.kind === 'not-passed-by' && filter.column === index;
              return (
                <th key={id} scope="col" className={HEAD}>
                  {result && (
                    <ColumnHead
                      name={nameOf(index)}
                      label={label}
                      result={result}
                      comparison={comparisons[index] ?? null}
                      reference={nameOf(reference)}
                      series={index}
                      settings={toSettingsText(each, setup)}
                      isUsual={other === 'pane'}
                      isEvaluation={isEvaluation}
                      samplingReason={toSamplingReason(id)}
                      onSampling={() => setSampling(offers, id, other)}
                      showsFailures={showsFailures}
                      onFailures={() => setView({ filter: toFilterKey(showsFailures ? 'all' : failures, columns) })}
                      sent={toSentText(request)}
                      onSent={() => onSent(index)}
                    />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody {...{ onClick, onKeyDown }}>
          {items.map(({ index, start }, at) => {
            const rowAt = rows[index];
            const entry = rowAt === undefined ? undefined : allRows[rowAt];
            const space = start - (items[at - 1]?.end ?? headHeight);
            if (rowAt === undefined || !entry) return null;
            return (
              <Fragment key={rowAt}>
                {space > 0 && <tr aria-hidden style={{ height: space }} />}
                <tr aria-rowindex={index + 2}>
                  <th scope="row" {...place(index, 0)} className={`${CELL} text-left font-normal`}>
                    <span className={BOX}>
                      <span className="block text-xs text-faint">{entry.number}</span>
                      <span className="line-clamp-3">
                        <SoftText text={toQuestion(entry, prompt, columns[0]?.values).slice(0, MAX_SHOWN)} />
                      </span>
                    </span>
                  </th>
                  <td {...place(index, 1)} className={`${CELL} text-soft`}>
                    <span className={BOX}>
                      {isExpected(entry.expected) ? (
                        <span className="line-clamp-4">
                          <SoftText text={toExpectedText(entry.expected).slice(0, MAX_SHOWN)} />
                        </span>
                      ) : (
                        <span className="text-faint">none</span>
                      )}
                    </span>
                  </td>
                  {columns.map(({ id }, columnAt) => {
                    const cellAt = rowAt * columns.length + columnAt;
                    const cell = book.cells[cellAt];
                    return (
                      <td key={id} {...place(index, columnAt + LEAD)} className={CELL}>
                        <span className={BOX}>
                          {cell && <AnswerCell cell={cell} verdict={tally.verdictOf(cellAt)} />}
                        </span>
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
