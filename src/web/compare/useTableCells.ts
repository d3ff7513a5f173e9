// Keyboard and clipboard of the cells: one cell is in the tab order, arrows move it, copying takes its full value.
import { useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import type { Candidate } from '#shared/training/candidates.ts';
import type { CompareRow } from '#shared/training/compareTable.ts';
import type { ParameterValue } from '#shared/training/delta.ts';
import { findNextCell, type CellPlace } from '#web/ui/cellKeys.ts';
import { writeClipboard } from '#web/ui/clipboard.ts';
import { showToast } from '#web/ui/toast.ts';
import { toFullText } from './cellText.ts';
import { NAMES } from './columnLayout.ts';
import type { CompareColumn } from './compareColumns.ts';

interface TableCells {
  /** Its column is among those on show; NAMES: the row's name. */
  readonly active: CellPlace;
  readonly hasFocus: boolean;
  readonly onFocus: (place: CellPlace) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, place: CellPlace) => void;
  readonly onCopy: (event: ClipboardEvent<HTMLElement>) => void;
}

/** `candidates` are in the order of a row's cells. `box` holds the cells, each marked `data-cell="row:column"`. */
export function useTableCells(
  box: RefObject<HTMLElement | null>,
  columns: readonly CompareColumn[],
  candidates: readonly Candidate[],
  rows: readonly CompareRow[],
): TableCells {
  const [focused, setFocused] = useState<CellPlace | null>(null);
  const isMoving = useRef(false);
  const row = Math.min(focused?.row ?? 0, Math.max(0, rows.length - 1));
  const column = Math.min(focused?.column ?? NAMES, Math.max(0, columns.length - 1));

  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    box.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus();
  }, [box, row, column]);

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
    onFocus: setFocused,
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
      setFocused(next);
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
