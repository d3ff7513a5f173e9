import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { formatCount } from '#ui/kit/format.ts';
import type { GridPlace } from '#ui/grid/gridKeys.ts';
import { GridRows } from '#ui/grid/GridRows.tsx';
import { useDataGrid } from '#ui/grid/useDataGrid.ts';
import { toRowProps } from '#ui/grid/useGridFocus.ts';
import { toRowLength } from './rowFilter.ts';
import type { RowState, Rows } from './useRows.ts';

const ROW_HEIGHT = 34;
const HEAD_HEIGHT = 30;

/** Of cells, because lines of a table with joined borders would not move with its rows. */
const LINE = 'border-b border-line';
const CELL = `${LINE} overflow-hidden px-2.5 text-ellipsis whitespace-nowrap`;
const NARROW = '@max-[40rem]:hidden';

interface RowsShown {
  /** The side is of interest. */
  hasSides: boolean;
  /** Lengths are in tokens, where they were counted; else in characters. */
  hasTokens: boolean;
  /** Rows can be chosen. */
  isSelectable: boolean;
}

interface RowTableProps extends RowsShown {
  rows: Pick<Rows, 'count' | 'rowAt' | 'positionAt'>;
  selected: ReadonlySet<number>;
  onToggle: (position: number) => void;
  /** Chooses more rows. */
  onAdd: (positions: readonly number[]) => void;
  /** Opens the row at a place. */
  onOpen: (place: number) => void;
  /** Opens the row at a position. */
  onGo: (position: number) => void;
  onRange: (from: number, to: number) => void;
}

interface RowLineProps extends RowsShown {
  row: RowState;
  place: number;
  isActive: boolean;
  isSelected: boolean;
}

/** One line of the table. */
function RowLine({ row, place, isActive, isSelected, hasSides, hasTokens, isSelectable }: RowLineProps) {
  const shared = { ...toRowProps(place, isActive), style: { height: ROW_HEIGHT } };
  const look = '-outline-offset-2';
  const number = `${CELL} text-right text-sm text-faint tabular-nums`;
  if (typeof row === 'string') {
    return (
      <tr {...shared} className={look}>
        {isSelectable && <td className={CELL}>…</td>}
        <td className={number}>{formatCount(place + 1)}</td>
        <td colSpan={hasSides ? 4 : 3} className={`${CELL} text-faint`}>
          {row === 'waiting' ? '…' : 'Not in this snapshot: it was set aside.'}
        </td>
      </tr>
    );
  }
  const marks = [row.is_set_aside && 'set aside', row.is_edited && 'edited', ...row.tags].filter(Boolean).join(' · ');
  const dim = row.is_set_aside ? 'text-faint line-through' : '';
  return (
    <tr
      {...shared}
      aria-selected={isSelectable ? isSelected : undefined}
      className={`cursor-pointer ${isSelected ? 'bg-selected' : 'hover:bg-raised'} ${look}`}
    >
      {isSelectable && (
        <td className={`${LINE} px-2.5`} data-check>
          <span
            aria-hidden
            className={`block size-3.5 rounded-sm border ${isSelected ? 'border-accent bg-accent' : 'border-line-strong'}`}
          />
          <span className="sr-only">{isSelected ? 'chosen' : 'not chosen'}</span>
        </td>
      )}
      <td className={number}>{formatCount(row.position + 1)}</td>
      <td className={`${CELL} ${dim}`}>
        {marks !== '' && (
          <span className="mr-1.5 inline-block rounded bg-neutral-soft px-1.5 text-sm text-soft no-underline">
            {marks}
          </span>
        )}
        {row.other !== null && (
          <button
            type="button"
            tabIndex={-1}
            data-other={row.other}
            aria-label={`Open row ${formatCount(row.other + 1)}, which it belongs with`}
            className="mr-1.5 text-sm text-accent hover:underline"
          >
            ↔ row {formatCount(row.other + 1)}
          </button>
        )}
        {row.question}
      </td>
      <td className={`${CELL} ${dim}`}>{row.answer}</td>
      <td className={`${CELL} ${NARROW} text-right text-sm text-soft tabular-nums`}>{toRowLength(row, hasTokens)}</td>
      {hasSides && <td className={`${CELL} ${NARROW} text-sm text-soft`}>{row.side ?? ''}</td>}
    </tr>
  );
}

/** Widths and heads of the columns. */
function RowHead({ hasSides, hasTokens, isSelectable }: RowsShown) {
  const heads = [
    ...(isSelectable
      ? [
          {
            width: 'w-9',
            title: 'With Shift, all rows up to this one are chosen',
            text: <span className="sr-only">Chosen</span>,
          },
        ]
      : []),
    { width: 'w-20', text: 'Row', look: 'text-right' },
    { width: '', text: 'Question' },
    { width: '', text: 'Answer' },
    {
      width: `w-20 ${NARROW}`,
      look: `text-right ${NARROW}`,
      title: hasTokens ? 'Tokens of the whole row by the base model' : 'Characters of all messages',
      text: hasTokens ? 'Tokens' : 'Length',
    },
    ...(hasSides ? [{ width: `w-24 ${NARROW}`, look: NARROW, text: 'Split' }] : []),
  ];
  return (
    <thead className="sticky top-0 z-10 bg-surface">
      <tr aria-rowindex={1} style={{ height: HEAD_HEIGHT }} className="text-sm text-soft">
        {heads.map(({ width, title, text, look = '' }) => (
          <th
            key={typeof text === 'string' ? text : 'chosen'}
            scope="col"
            title={title}
            className={`${CELL} ${width} ${look} font-medium`}
          >
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** All places between two, and both. One change takes only so many rows. */
function toRange(a: number, b: number): readonly number[] {
  const from = Math.min(a, b);
  return Array.from({ length: Math.min(Math.abs(a - b) + 1, DATA_LIMITS.marks) }, (_, at) => from + at);
}

const find = (target: EventTarget, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

/**
 * Rows, of which only those on screen are in the page. Arrow keys move between them, Enter opens one, Space chooses it,
 * and with Shift all rows from the one that was chosen last.
 */
export function RowTable({ rows, selected, onToggle, onAdd, onOpen, onGo, onRange, ...shown }: RowTableProps) {
  const { isSelectable } = shown;
  /** The place that was chosen last: Shift chooses all rows from there on. */
  const anchor = useRef<number | null>(null);
  const add = (from: number, to: number) => onAdd(toRange(from, to).flatMap((place) => rows.positionAt(place) ?? []));
  const choose = (at: number, isRange: boolean) => {
    const from = anchor.current;
    anchor.current = at;
    const row = rows.rowAt(at);
    if (isRange && from !== null) add(from, at);
    else if (typeof row !== 'string') onToggle(row.position);
  };
  const onKey = (event: KeyboardEvent, { row }: GridPlace): boolean => {
    if (event.key !== 'Enter' && event.key !== ' ') return false;
    if (event.key === 'Enter') onOpen(row);
    else if (isSelectable) choose(row, event.shiftKey);
    return true;
  };
  const onPress = ({ target, shiftKey }: MouseEvent, { row }: GridPlace) => {
    const other = find(target, '[data-other]');
    if (other) onGo(Number(other.dataset['other']));
    else if (isSelectable && (shiftKey || find(target, '[data-check]'))) choose(row, shiftKey);
    else onOpen(row);
  };
  // Shift would select text.
  const onMouseDown = (event: MouseEvent) => {
    if (!event.shiftKey) return;
    event.preventDefault();
    find(event.target, '[data-place]')?.focus({ preventScroll: true });
  };
  const grid = useDataGrid({
    rows: rows.count,
    rowHeight: ROW_HEIGHT,
    headHeight: HEAD_HEIGHT,
    onKey,
    onPress,
    ...(isSelectable && { onExtend: add }),
  });
  const { setBox, boxStyle } = grid;
  const [from, to] = grid.range;
  useEffect(() => onRange(from, to), [onRange, from, to]);
  return (
    <div
      ref={setBox}
      style={boxStyle}
      className="@container min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain"
    >
      <table
        {...grid.table}
        aria-label="Rows"
        aria-multiselectable={isSelectable || undefined}
        className="w-full table-fixed border-separate border-spacing-0 text-left"
      >
        <RowHead {...shown} />
        <tbody {...grid.body} {...{ onMouseDown }}>
          <GridRows grid={grid}>
            {(place) => {
              const row = rows.rowAt(place);
              return (
                <RowLine
                  row={row}
                  place={place}
                  isActive={place === grid.active.row}
                  isSelected={typeof row !== 'string' && selected.has(row.position)}
                  {...shown}
                />
              );
            }}
          </GridRows>
        </tbody>
      </table>
    </div>
  );
}
