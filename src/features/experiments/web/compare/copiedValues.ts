// Copies the full value of a cell: by Enter, or with the browser's own copy.
import type { ClipboardEvent } from 'react';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import type { ParameterValue } from '#features/experiments/shared/delta.ts';
import type { GridPlace } from '#ui/grid/gridKeys.ts';
import { findGridPlace } from '#ui/grid/useGridFocus.ts';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toFullText } from './cellText.ts';
import type { CompareRow } from './comparison.ts';

/** `refs`: of the columns; `candidates` are in the order of a row's cells. */
export function toCopiedValues(rows: readonly CompareRow[], refs: readonly string[], candidates: readonly Candidate[]) {
  const readValue = ({ row, column }: GridPlace): ParameterValue =>
    rows[row]?.cells[candidates.findIndex(({ key }) => key === refs[column])]?.value ?? null;
  return {
    /** False: the cell has no value. */
    copy(place: GridPlace): boolean {
      const value = readValue(place);
      if (value === null) return false;
      const name = rows[place.row]?.parameter.label ?? 'the value';
      void writeClipboard(toFullText(value)).then((isDone) =>
        isDone
          ? showToast(`Copied ${name}.`, { tone: 'success' })
          : showToast('The browser did not allow copying. Select the value and copy it with the keyboard.', {
              tone: 'error',
            }),
      );
      return true;
    },
    // The browser copies a selection across cells, or of a part of one.
    onCopy(event: ClipboardEvent<HTMLElement>): void {
      const place = findGridPlace(event.target);
      const cell = event.target instanceof Element ? event.target.closest('[data-cell]') : null;
      const value = place && readValue(place);
      const selected = document.getSelection()?.toString().trim() ?? '';
      const shown = cell?.querySelector('[data-value]')?.textContent ?? '';
      if (value === null || (selected !== '' && selected !== shown && selected !== cell?.textContent)) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', toFullText(value));
    },
  };
}
