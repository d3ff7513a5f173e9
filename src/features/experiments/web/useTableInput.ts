// Turns clicks and keys on rows into actions. The handlers never change, so rows stay memoised; they read the latest
// input when they run.
import {
  useCallback,
  useEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toTableAction } from './tableKeys.ts';
import type { ViewRow } from '#features/experiments/web/rows/viewRows.ts';

export interface TableInput {
  readonly rows: readonly ViewRow[];
  readonly active: number;
  readonly page: number;
  readonly onMove: (place: number) => void;
  /** Moves the focus to the heads. */
  readonly onHead: () => void;
  readonly onActivate: (place: number) => void;
  readonly onOpen: (row: ExperimentRow) => void;
  /** `isSpan`: all rows from the last toggled one to this one. */
  readonly onToggle: (place: number, isSpan: boolean) => void;
  /** Selects both rows and all between them. */
  readonly onExtend: (from: number, to: number) => void;
  readonly onFold: (key: string) => void;
  /** Opens the experiment's model in the playground, with its base model if `isWithBase`. */
  readonly onTry: (row: ExperimentRow, isWithBase: boolean) => void;
  readonly onHover: (key: string | null) => void;
}

interface TableHandlers {
  readonly onClick: (event: MouseEvent) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerOver: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
}

function findPlace(target: EventTarget): number {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  return Number(element?.dataset['place'] ?? -1);
}

const findAction = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-do]')?.dataset['do'] : undefined;

function click(event: MouseEvent, { rows, onActivate, onFold, onOpen, onToggle, onTry }: TableInput): void {
  const place = findPlace(event.target);
  const row = rows[place];
  if (!row) return;
  onActivate(place);
  if (row.kind === 'group') return onFold(row.key);
  const action = findAction(event.target);
  if (action === 'open') return onOpen(row.row);
  if (action === 'toggle') return onToggle(place, event.shiftKey);
  if (action === 'try' || action === 'try-base') return onTry(row.row, action === 'try-base');
  return undefined;
}

function press(event: KeyboardEvent, input: TableInput): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isOnRow = event.target instanceof Element && event.target.matches('[data-place]');
  // On a control inside a row, Space and Enter belong to that control.
  if (!isOnRow && (event.key === ' ' || event.key === 'Enter')) return;
  const { rows, active, page } = input;
  const action = toTableAction({ key: event.key, shiftKey: event.shiftKey, rows, active, page });
  if (action.kind === 'none') return;
  event.preventDefault();
  const row = rows[active];
  if (action.kind === 'move') input.onMove(action.to);
  else if (action.kind === 'head') input.onHead();
  else if (action.kind === 'extend') {
    input.onExtend(active, action.to);
    input.onMove(action.to);
  } else if (action.kind === 'fold') input.onFold(action.key);
  else if (action.kind === 'toggle') input.onToggle(active, action.isSpan);
  else if (row?.kind === 'experiment') input.onOpen(row.row);
}

export function useTableInput(input: TableInput): TableHandlers {
  const latest = useRef(input);
  useEffect(() => {
    latest.current = input;
  });
  const onClick = useCallback((event: MouseEvent) => click(event, latest.current), []);
  const onKeyDown = useCallback((event: KeyboardEvent) => press(event, latest.current), []);
  const onFocus = useCallback((event: FocusEvent) => {
    const place = findPlace(event.target);
    if (place >= 0 && place !== latest.current.active) latest.current.onActivate(place);
  }, []);
  const onPointerOver = useCallback((event: PointerEvent) => {
    const row = latest.current.rows[findPlace(event.target)];
    latest.current.onHover(row?.kind === 'experiment' ? row.key : null);
  }, []);
  const onPointerLeave = useCallback(() => latest.current.onHover(null), []);
  return { onClick, onFocus, onKeyDown, onPointerOver, onPointerLeave };
}
