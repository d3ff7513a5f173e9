// Keyboard and clipboard of the cells: one cell is in the tab order, arrows move it, copying takes its full value.
import { useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import type { CompareRow } from './comparison.ts';
import type { ParameterValue } from '#features/experiments/shared/delta.ts';
import { findNextCell, type CellPlace } from '#ui/kit/cellKeys.ts';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toFullText } from './cellText.ts';
import { NAMES } from './columnLayout.ts';
import type { CompareColumn } from './compareColumns.ts';

interface TableCells {
  /** Its column is among those on show; NAMES: the row's name. */
  readonly active: CellPlace;
  readonly hasFocus: boolean;
  readonly onFocus: (place: CellPlace) => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, place: CellPlace) => void;
  readonly onCopy: (event: ClipboardEvent<HTMLElement>) => void;
}

/** What a cell shows, wherever it stands. `ref`: null is the row's name. */
interface CellKey {
  readonly row: string;
  readonly ref: string | null;
  /** Where it stood last: taken if its row or column has left the table. */
  readonly place: CellPlace;
}

const toIndex = (found: number, last: number, count: number): number =>
  found >= 0 ? found : Math.min(last, Math.max(0, count - 1));

/** `candidates` are in the order of a row's cells. `box` holds the cells, each marked `data-cell="row:column"`. */
export function useTableCells(
  box: RefObject<HTMLElement | null>,
  columns: readonly CompareColumn[],
  candidates: readonly Candidate[],
  rows: readonly CompareRow[],
): TableCells {
  const [focused, setFocused] = useState<CellKey | null>(null);
  const isMoving = useRef(false);
  const holdsFocus = useRef(false);
  const last = focused?.place ?? { row: 0, column: NAMES };
  const row = toIndex(
    rows.findIndex(({ parameter }) => parameter.id === focused?.row),
    last.row,
    rows.length,
  );
  const column =
    focused === null || focused.ref === null
      ? NAMES
      : toIndex(
          columns.findIndex(({ ref }) => ref === focused.ref),
          last.column,
          columns.length,
        );
  const setPlace = (place: CellPlace): void =>
    setFocused({
      row: rows[place.row]?.parameter.id ?? '',
      ref: columns[place.column]?.ref ?? null,
      place,
    });

  // After a key, or after the columns changed places: an element that is made anew elsewhere has lost the focus.
  useLayoutEffect(() => {
    const isLost = holdsFocus.current && document.activeElement === document.body;
    if (!isMoving.current && !isLost) return;
    isMoving.current = false;
    box.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus();
  });

  const readValue = (place: CellPlace): ParameterValue => {
    const ref = columns[place.column]?.ref;
    return rows[place.row]?.cells[candidates.findIndex(({ key }) => key === ref)]?.value ?? null;
  };
  const copy = async (place: CellPlace) => {
    const isDone = await writeClipboard(toFullText(readValue(place)));
    const name = rows[place.row]?.parameter.name ?? 'the value';
    if (isDone) showToast(`Copied ${name}.`, { tone: 'ok' });
    else
      showToast('The browser did not allow copying. Select the value and copy it with the keyboard.', { tone: 'bad' });
  };
  return {
    active: { row, column },
    hasFocus: focused !== null,
    onFocus: (place) => {
      holdsFocus.current = true;
      setPlace(place);
    },
    // React tells nothing of a blur that its own changes cause.
    onBlur: () => {
      holdsFocus.current = false;
    },
    onKeyDown: (event, place) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter' && readValue(place) !== null) void copy(place);
      const next = findNextCell(event, place, {
        rows: rows.length,
        columns: columns.length,
        firstColumn: NAMES,
      });
      if (!next) return;
      event.preventDefault();
      if (next.row === place.row && next.column === place.column) return;
      isMoving.current = true;
      setPlace(next);
    },
    // The browser copies a selection across cells, or of a part of one.
    onCopy: (event) => {
      const cell = event.target instanceof Element ? event.target.closest('[data-cell]') : null;
      const [atRow = -1, atColumn = -1] = cell?.getAttribute('data-cell')?.split(':').map(Number) ?? [];
      const value = readValue({ row: atRow, column: atColumn });
      const selected = document.getSelection()?.toString().trim() ?? '';
      const shown = cell?.querySelector('[data-value]')?.textContent ?? '';
      if (value === null || (selected !== '' && selected !== shown && selected !== cell?.textContent)) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', toFullText(value));
    },
  };
}
