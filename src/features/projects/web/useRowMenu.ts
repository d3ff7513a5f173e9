// Opens the menu of a row, by its button, the right mouse button, or the keyboard.
import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { experimentsBeneath } from '#features/projects/web/treeIndex/selection.ts';
import { findPlace } from '#features/projects/web/treeIndex/treePlaces.ts';
import { rowAt, type ViewRow } from '#features/projects/web/treeIndex/treeRows.ts';
import type { RowMenuRequest } from './rowAction.ts';
import type { TreeView } from './useTreeView.ts';

interface OpenRowMenu {
  readonly row: ViewRow;
  /** In viewport coordinates. */
  readonly place: DOMRect;
}

function elementOf(target: EventTarget, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

/** `active`: number of the row with the keyboard focus. Gives what the menu is about, and props for what holds the rows. */
export function useRowMenu({ index, rows, expandBeneath, collapseBeneath }: TreeView, active: number) {
  const [menu, setMenu] = useState<OpenRowMenu | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const openAt = (number: number, place: DOMRect) => {
    const row = rowAt(rows, number);
    if (row) setMenu({ row, place });
  };
  const toRequest = ({ row, place }: OpenRowMenu): RowMenuRequest | null => {
    // Indexes change from answer to answer. The menu of a removed node closes.
    const at = findPlace(index, row.id);
    const node = index.nodes[at];
    if (!node) return null;
    return {
      node,
      experiments: experimentsBeneath(index, at),
      branch: row.children && {
        isOpen: row.isOpen,
        onExpand: () => expandBeneath(at),
        onCollapse: () => collapseBeneath(at),
      },
      place,
      onClose: () => setMenu(null),
      findRow: () => frame.current?.querySelector('[role="treeitem"][tabindex="0"]') ?? null,
    };
  };
  const frameProps = {
    ref: frame,
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
  return { menu: menu && toRequest(menu), frameProps };
}
