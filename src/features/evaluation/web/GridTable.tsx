import { useMemo, type KeyboardEvent, memo } from 'react';
import { isExpected } from '#features/evaluation/shared/checks.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import type { GridPlace } from '#ui/grid/gridKeys.ts';
import { GridRows } from '#ui/grid/GridRows.tsx';
import { useDataGrid } from '#ui/grid/useDataGrid.ts';
import { toCellProps } from '#ui/grid/useGridFocus.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { ColumnHead } from './ColumnHead.tsx';
import { setSampling } from './gridActions.ts';
import { readBook, readTally, setView, useGrid } from './gridStore.ts';
import { toFilterKey } from '#features/evaluation/web/grid/rowFilter.ts';
import { toOtherSampling, toSettingsText, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { toComparisons, toExpectedText, toQuestion, toCellText } from '#features/evaluation/web/grid/gridWords.ts';
import { toSentText } from '#features/evaluation/web/grid/sentSettings.ts';
import { SoftText } from './SoftText.tsx';
import { useGridView } from './useGridView.ts';
import { formatDuration } from '#ui/kit/format.ts';
import { toCellLook, toCellReason } from '#features/evaluation/web/grid/cellLook.ts';
import type { CellVerdict, GridCell } from '#features/evaluation/web/grid/gridBook.ts';

interface AnswerCellProps {
  cell: GridCell;
  verdict: CellVerdict;
}

/** One answer in the table: its state, its first lines, how long it took. */
function Cell({ cell, verdict }: AnswerCellProps) {
  const { word, Icon, tone, isMoving } = toCellLook(cell, verdict);
  const reason = toCellReason(cell, verdict);
  return (
    <>
      <span className={`flex items-center gap-1 text-xs font-medium ${tone}`} title={reason ?? undefined}>
        <Icon aria-hidden size={12} className={`shrink-0 ${isMoving ? 'animate-turn' : ''}`} />
        <span className="shrink-0">{word}</span>
        {reason !== null && <span className="min-w-0 truncate font-normal">{reason}</span>}
        {cell.state === 'done' && (
          <span className="ml-auto shrink-0 font-normal text-faint">{formatDuration(cell.answer.ms)}</span>
        )}
      </span>
      <span className="line-clamp-3">
        <SoftText text={toCellText(cell)} />
      </span>
    </>
  );
}

const AnswerCell = memo(Cell);

interface GridTableProps {
  /** Visible rows, from 0. */
  rows: readonly number[];
  /** The panes, for a change of sampling. */
  offers: readonly ColumnOffer[];
  /** Edits a row. */
  onEdit: (row: number) => void;
  /** Opens an answer. */
  onOpen: (row: number, column: number) => void;
  /** Shows everything that a column sends besides the prompt. */
  onSent: (column: number) => void;
}

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

type Setup = ReturnType<typeof useGrid.getState>['setup'];

interface GridHeadProps extends Pick<GridTableProps, 'offers' | 'onSent'> {
  setup: Setup;
  height: number;
  sizeRef: ReturnType<typeof useSize<HTMLTableRowElement>>[0];
}

/** Heads with the results of each column. */
function GridHead({ setup, height, sizeRef, offers, onSent }: GridHeadProps) {
  const { filter, reference, names } = useGridView();
  const { columns, isEvaluation = false } = setup;
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
  const tally = readTally();
  const results = columns.map((_, index) => tally.columnResult(index, reference));
  const comparisons = toComparisons(
    results.map(({ pair }) => pair),
    reference,
  );
  const nameOf = (index: number): string => names[index] ?? '';
  const toSamplingReason = (id: string): string | null => {
    if (isBusy) return 'Pause the run first.';
    const offer = offers.find(({ neutral }) => neutral.id === id);
    return offer ? offer.problem : 'The pane of this column is closed.';
  };
  return (
    <thead>
      <tr ref={sizeRef} aria-rowindex={1} style={{ height }}>
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
  );
}

interface GridRowProps {
  /** Among the visible rows, from 0. */
  place: number;
  active: GridPlace;
  entry: PromptRow;
  /** Among all rows, from 0. */
  rowAt: number;
  setup: Setup;
}

/** A prompt, its expected answer and the answers. */
function GridRow({ place, active, entry, rowAt, setup }: GridRowProps) {
  const { columns, prompt } = setup;
  const book = readBook();
  const tally = readTally();
  const toCell = (column: number) => toCellProps(place, column, active);
  return (
    <tr aria-rowindex={place + 2}>
      <th scope="row" {...toCell(0)} className={`${CELL} text-left font-normal`}>
        <span className={BOX}>
          <span className="block text-xs text-faint">{entry.number}</span>
          <span className="line-clamp-3">
            <SoftText text={toQuestion(entry, prompt, columns[0]?.values).slice(0, MAX_SHOWN)} />
          </span>
        </span>
      </th>
      <td {...toCell(1)} className={`${CELL} text-soft`}>
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
          <td key={id} {...toCell(columnAt + LEAD)} className={CELL}>
            <span className={BOX}>{cell && <AnswerCell cell={cell} verdict={tally.verdictOf(cellAt)} />}</span>
          </td>
        );
      })}
    </tr>
  );
}

/** The grid as a table. Only visible rows are in the page; arrow keys move, Enter opens. */
export function GridTable({ rows, onEdit, onOpen, ...head }: GridTableProps) {
  const setup = useGrid((state) => state.setup);
  const { columns, rows: allRows } = setup;
  // Cells change in place: `pulse` triggers the next render.
  useGrid((state) => state.pulse);
  const isPaired = useGrid((state) => state.checks.length > 0) && columns.length > 1;
  const leastHeight = isPaired ? PAIRED_HEAD_HEIGHT : HEAD_HEIGHT;
  const [sizeRef, { height }] = useSize<HTMLTableRowElement>();
  const open = (place: GridPlace) => {
    const at = rows[place.row];
    if (at === undefined) return;
    if (place.column < LEAD) onEdit(at);
    else onOpen(at, place.column - LEAD);
  };
  const grid = useDataGrid({
    rows: rows.length,
    columns: columns.length + LEAD,
    rowHeight: ROW_HEIGHT,
    headHeight: Math.max(leastHeight, height),
    onPress: (_event, place) => open(place),
    onKey: ({ key }: KeyboardEvent, place) => {
      const isOpening = key === 'Enter' || key === ' ';
      if (isOpening) open(place);
      return isOpening;
    },
  });
  const { setBox, boxStyle } = grid;
  const expectedWidths = useMemo(
    () => (allRows.some(({ expected }) => isExpected(expected)) ? EXPECTED_WIDTHS : NONE_WIDTHS),
    [allRows],
  );
  return (
    <div
      ref={setBox}
      style={boxStyle}
      className="@container min-h-0 flex-1 overflow-auto overscroll-contain border-t border-line"
    >
      <table
        {...grid.table}
        aria-label="Prompt grid"
        aria-colcount={columns.length + LEAD}
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
        <GridHead {...head} setup={setup} height={leastHeight} sizeRef={sizeRef} />
        <tbody {...grid.body}>
          <GridRows grid={grid}>
            {(place) => {
              const rowAt = rows[place] ?? -1;
              const entry = allRows[rowAt];
              return entry && <GridRow {...{ place, entry, rowAt, setup }} active={grid.active} />;
            }}
          </GridRows>
        </tbody>
      </table>
    </div>
  );
}
