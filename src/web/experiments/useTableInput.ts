// Clicks and keys on the table's rows turned into what they mean. The handlers never change, so that rows stay
// memoised; what they need is read when they are called.
import {
  useCallback,
  useEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import type { ExperimentRow } from '#web/experiments/rows/experimentRows.ts';
import { toTableAction } from './tableKeys.ts';
import type { ViewRow } from '#web/experiments/rows/viewRows.ts';

export interface TableInput {
  readonly rows: readonly ViewRow[];
  readonly active: number;
  readonly page: number;
  readonly onMove: (place: number) => void;
  /** To the heads. */
  readonly onHead: () => void;
  readonly onActivate: (place: number) => void;
  readonly onOpen: (row: ExperimentRow) => void;
  /** `isSpan`: all rows from the last toggled one to this. */
  readonly onToggle: (place: number, isSpan: boolean) => void;
  /** Selects both rows and all between them. */
  readonly onExtend: (from: number, to: number) => void;
  readonly onFold: (key: string) => void;
  /** Opens the models in the playground: the experiment's, or both it and its base model's. */
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

const findDeed = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-do]')?.dataset['do'] : undefined;

function click(event: MouseEvent, { rows, onActivate, onFold, onOpen, onToggle, onTry }: TableInput): void {
  const place = findPlace(event.target);
  const row = rows[place];
  if (!row) return;
  onActivate(place);
  if (row.kind === 'group') return onFold(row.key);
  const deed = findDeed(event.target);
  if (deed === 'open') return onOpen(row.row);
  if (deed === 'toggle') return onToggle(place, event.shiftKey);
  if (deed === 'try' || deed === 'try-base') return onTry(row.row, deed === 'try-base');
  return undefined;
}

function press(event: KeyboardEvent, input: TableInput): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isOnRow = event.target instanceof Element && event.target.matches('[data-place]');
  // Space and Enter on a row's own controls are theirs.
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
