import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { formatCount } from '#ui/kit/format.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { toRowLength } from './rowFilter.ts';
import {
  reduceScroll,
  toContentHeight,
  toLastTop,
  toScroll,
  toShownTop,
  toVisible,
  type ScrollFrame,
  type ScrollPlace,
} from './rowScroll.ts';
import type { RowState, Rows } from './useRows.ts';

const ROW_HEIGHT = 34;
const HEAD_HEIGHT = 30;
const START: ScrollPlace = { top: 0, scroll: 0 };
/** Once scrolling rests, the scroll bar stands where it belongs. */
const REST_MS = 150;

/** Of cells, because lines of a table with joined borders would not move with its rows. */
const LINE = 'border-b border-line';
const CELL = `${LINE} overflow-hidden px-2.5 text-ellipsis whitespace-nowrap`;
const NARROW = '@max-[40rem]:hidden';

interface RowTableProps {
  rows: Pick<Rows, 'count' | 'rowAt' | 'positionAt'>;
  /** The side is of interest. */
  hasSides: boolean;
  /** Lengths are in tokens, where they were counted; else in characters. */
  hasTokens: boolean;
  /** Rows can be chosen. */
  isSelectable: boolean;
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

interface RowLineProps {
  row: RowState;
  place: number;
  id: string;
  isActive: boolean;
  isSelected: boolean;
  hasSides: boolean;
  isSelectable: boolean;
  hasTokens: boolean;
}

/** One line of the table. */
function RowLine({ row, place, id, isActive, isSelected, hasSides, hasTokens, isSelectable }: RowLineProps) {
  const look = isSelected ? 'bg-select' : 'hover:bg-raised';
  const outline = isActive ? 'outline-accent group-focus-visible:outline-2 group-focus-visible:-outline-offset-2' : '';
  const shared = {
    id,
    'aria-rowindex': place + 2,
    'data-place': place,
    style: { height: ROW_HEIGHT },
  };
  const number = `${CELL} text-right text-sm text-faint tabular-nums`;
  if (typeof row === 'string') {
    return (
      <tr {...shared} className={outline}>
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
      className={`cursor-pointer ${look} ${outline}`}
    >
      {isSelectable && (
        <td className={`${LINE} px-2.5`} data-check>
          <span
            aria-hidden
            className={`block size-3.5 rounded-sm border ${isSelected ? 'border-accent bg-accent' : 'border-line2'}`}
          />
          <span className="sr-only">{isSelected ? 'chosen' : 'not chosen'}</span>
        </td>
      )}
      <td className={number}>{formatCount(row.position + 1)}</td>
      <td className={`${CELL} ${dim}`}>
        {marks !== '' && (
          <span className="mr-1.5 inline-block rounded bg-off-soft px-1.5 text-sm text-soft no-underline">{marks}</span>
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

/** All places between two, and both. One change takes only so many rows. */
function toRange(a: number, b: number): readonly number[] {
  const from = Math.min(a, b);
  return Array.from({ length: Math.min(Math.abs(a - b) + 1, DATA_LIMITS.marks) }, (_, at) => from + at);
}

const PAGE_KEYS = new Set(['PageDown', 'PageUp']);

/** The place that a key moves to; null: the table does not handle it. */
function findNext(key: string, place: number, page: number, count: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: count - 1,
  };
  const next = moves[key];
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next));
}

/**
 * Rows, of which only those on screen are in the page. The table has the focus; arrow keys move between its rows, Enter opens
 * one, Space chooses it, and with Shift all rows from the one that was chosen last.
 */
export function RowTable({
  rows,
  hasSides,
  hasTokens,
  isSelectable,
  selected,
  onToggle,
  onAdd,
  onOpen,
  onGo,
  onRange,
}: RowTableProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [sizeRef, size] = useSize<HTMLDivElement>();
  const [place, setPlace] = useState(START);
  const [active, setActive] = useState(0);
  /** The place that was chosen last: Shift chooses all rows from there on. */
  const anchor = useRef<number | null>(null);
  const frame: ScrollFrame = {
    count: rows.count,
    rowHeight: ROW_HEIGHT,
    height: Math.max(0, size.height - HEAD_HEIGHT),
  };
  const top = Math.min(place.top, toLastTop(frame));
  const [from, to] = toVisible(frame, top);
  const latest = useRef({ frame, place });
  useLayoutEffect(() => {
    latest.current = { frame, place };
  });
  useEffect(() => onRange(from, to), [onRange, from, to]);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      const now = latest.current;
      const scroll = toScroll(now.frame, now.place.top);
      if (Math.abs(scroll - element.scrollTop) < 2) return;
      setPlace({ top: now.place.top, scroll });
      element.scrollTop = scroll;
    };
    const onScroll = () => {
      const { scrollTop } = element;
      setPlace((last) => (last.scroll === scrollTop ? last : reduceScroll(latest.current.frame, last, scrollTop)));
      clearTimeout(timer);
      timer = setTimeout(settle, REST_MS);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  const moveTo = (next: number) => {
    setActive(next);
    const shown = toShownTop(frame, top, next);
    if (shown === top) return;
    const scroll = toScroll(frame, shown);
    // The browser rounds it; the event that follows must not count as a move.
    if (box.current) box.current.scrollTop = scroll;
    setPlace({ top: shown, scroll: box.current?.scrollTop ?? scroll });
  };
  const shownActive = Math.min(active, Math.max(0, rows.count - 1));
  const choose = (at: number, isRange: boolean) => {
    const from = anchor.current;
    anchor.current = at;
    if (!isSelectable) return;
    if (isRange && from !== null) {
      onAdd(toRange(from, at).flatMap((place) => rows.positionAt(place) ?? []));
      return;
    }
    const row = rows.rowAt(at);
    if (typeof row !== 'string') onToggle(row.position);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || rows.count === 0) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (event.key === ' ') choose(shownActive, event.shiftKey);
      else onOpen(shownActive);
      return;
    }
    const page = Math.max(1, Math.floor(frame.height / ROW_HEIGHT) - 1);
    const next = findNext(event.key, shownActive, page, rows.count);
    if (next === null || (event.ctrlKey && PAGE_KEYS.has(event.key))) return;
    event.preventDefault();
    moveTo(next);
  };
  const isActiveShown = shownActive >= from && shownActive < to;
  // A table with its own keys has the role "grid" for assistive technology. It has the focus for its rows.
  const grid = {
    role: 'grid',
    tabIndex: 0,
    'aria-activedescendant': rows.count > 0 && isActiveShown ? `${id}-${shownActive}` : undefined,
  } as const;
  const handlers = {
    onKeyDown,
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      // Shift would select text.
      if (!event.shiftKey) return;
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
    },
    onClick: ({ target, shiftKey }: MouseEvent) => {
      const line = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
      if (!line) return;
      const at = Number(line.dataset['place']);
      setActive(at);
      const other = target instanceof Element ? target.closest<HTMLElement>('[data-other]') : null;
      if (other) onGo(Number(other.dataset['other']));
      else if (isSelectable && (shiftKey || (target instanceof Element && target.closest('[data-check]'))))
        choose(at, shiftKey);
      else onOpen(at);
    },
  };
  const toRowId = (at: number): string => `${id}-${at}`;
  return (
    <div ref={sizeRef} className="@container relative min-h-0 flex-1">
      <div ref={box} className="absolute inset-0 overflow-x-hidden overflow-y-auto overscroll-contain">
        <div style={{ height: toContentHeight(frame) + HEAD_HEIGHT }}>
          <div
            className="sticky top-0 overflow-clip"
            style={{ height: Math.min(size.height, toContentHeight(frame) + HEAD_HEIGHT) }}
          >
            <table
              {...grid}
              aria-label="Rows"
              aria-rowcount={rows.count + 1}
              aria-multiselectable={isSelectable || undefined}
              {...handlers}
              className="group w-full table-fixed border-separate border-spacing-0 text-left outline-none"
            >
              <colgroup>
                {isSelectable && <col className="w-9" />}
                <col className="w-20" />
                <col />
                <col />
                <col className={`w-20 ${NARROW}`} />
                {hasSides && <col className={`w-24 ${NARROW}`} />}
              </colgroup>
              <thead className="relative z-10 bg-surface">
                <tr aria-rowindex={1} style={{ height: HEAD_HEIGHT }} className="text-sm text-soft">
                  {isSelectable && (
                    <th scope="col" className={`${LINE} px-2.5`} title="With Shift, all rows up to this one are chosen">
                      <span className="sr-only">Chosen</span>
                    </th>
                  )}
                  <th scope="col" className={`${CELL} text-right font-medium`}>
                    Row
                  </th>
                  <th scope="col" className={`${CELL} font-medium`}>
                    Question
                  </th>
                  <th scope="col" className={`${CELL} font-medium`}>
                    Answer
                  </th>
                  <th
                    scope="col"
                    className={`${CELL} ${NARROW} text-right font-medium`}
                    title={hasTokens ? 'Tokens of the whole row by the base model' : 'Characters of all messages'}
                  >
                    {hasTokens ? 'Tokens' : 'Length'}
                  </th>
                  {hasSides && (
                    <th scope="col" className={`${CELL} ${NARROW} font-medium`}>
                      Split
                    </th>
                  )}
                </tr>
              </thead>
              <tbody style={{ transform: `translateY(${-(top - from) * ROW_HEIGHT}px)` }}>
                {Array.from({ length: to - from }, (_, at) => from + at).map((at) => {
                  const row = rows.rowAt(at);
                  return (
                    <RowLine
                      key={at}
                      id={toRowId(at)}
                      row={row}
                      place={at}
                      isActive={at === shownActive}
                      isSelected={typeof row !== 'string' && selected.has(row.position)}
                      hasSides={hasSides}
                      hasTokens={hasTokens}
                      isSelectable={isSelectable}
                    />
                  );
                })}
              </tbody>
            </table>
          </div>
        </div>
      </div>
    </div>
  );
}
