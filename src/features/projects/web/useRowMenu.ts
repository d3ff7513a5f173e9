// Opens the menu of a row, by its button, the right mouse button, or the keyboard.
import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { rowAt, type TreeRows, type ViewRow } from '#features/projects/web/treeIndex/treeRows.ts';

export interface OpenRowMenu {
  readonly row: ViewRow;
  /** In viewport coordinates. */
  readonly place: DOMRect;
}

function elementOf(target: EventTarget, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

/** `active`: number of the row with the keyboard focus. */
export function useRowMenu(rows: TreeRows, active: number) {
  const [menu, setMenu] = useState<OpenRowMenu | null>(null);
  const openAt = (number: number, place: DOMRect) => {
    const row = rowAt(rows, number);
    if (row) setMenu({ row, place });
  };
  const handlers = {
    onContextMenu: (event: MouseEvent) => {
      const element = elementOf(event.target, '[data-row]');
      if (!element) return;
      event.preventDefault();
      openAt(Number(element.dataset['row']), new DOMRect(event.clientX, event.clientY, 0, 0));
    },
    onClickCapture: (event: MouseEvent) => {
      const button = elementOf(event.target, '[data-menu]');
      const row = elementOf(event.target, '[data-row]');
      if (!button || !row) return;
      // Opening the menu selects nothing.
      event.stopPropagation();
      openAt(Number(row.dataset['row']), button.getBoundingClientRect());
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return;
      // Prevents the browser's own context menu.
      event.preventDefault();
      event.stopPropagation();
      // The tree is as high as all its rows; its visible part is the box around it.
      const box = (
        elementOf(event.target, '[data-row]') ?? elementOf(event.target, '[role="tree"]')?.parentElement
      )?.getBoundingClientRect();
      if (box) openAt(active, new DOMRect(box.left + 40, box.top, 0, Math.min(box.height, 28)));
    },
  };
  return { menu, closeMenu: () => setMenu(null), handlers };
}
