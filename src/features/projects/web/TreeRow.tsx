import { useContext, useLayoutEffect, useRef } from 'react';
import type { RowRendererProps } from 'react-arborist';
import { ROW_HEIGHT } from '#features/projects/web/treeIndex/rowWindow.ts';
import { ActiveRowContext, useTreeContext } from './treeContext.ts';
import { isWaiting, toWaitId } from './waitingNodes.ts';
import type { ViewRow } from '#features/projects/web/treeIndex/treeRows.ts';

const findTree = (row: HTMLElement | null): HTMLElement | null => row?.closest<HTMLElement>('[role="tree"]') ?? null;

/**
 * A tree item at its position among all rows, with this tree's ARIA and roving focus instead of react-arborist's. While
 * the active row is scrolled away, the tree itself is the tab stop and holds the focus.
 */
export function TreeRow({ node: { data: row }, attrs, children }: RowRendererProps<ViewRow>) {
  const { index, selectedId } = useTreeContext();
  const ref = useRef<HTMLDivElement>(null);
  const isActive = row.row === useContext(ActiveRowContext);
  const node = index.nodes[row.at];
  const isSelected = selectedId !== null && node?.id === selectedId;

  useLayoutEffect(() => {
    const element = ref.current;
    const tree = findTree(element);
    if (!isActive || !element || !tree) return undefined;
    tree.tabIndex = -1;
    const focused = document.activeElement;
    if (focused !== element && tree.contains(focused)) element.focus({ preventScroll: true });
    return () => {
      tree.tabIndex = 0;
    };
  }, [isActive]);

  useLayoutEffect(() => {
    const element = ref.current;
    const tree = findTree(element);
    return () => {
      if (element && element === document.activeElement) tree?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <div
      ref={ref}
      role="treeitem"
      aria-haspopup="menu"
      data-row={row.row}
      aria-level={(index.level[row.at] ?? 0) + 1}
      aria-posinset={index.position[row.at]}
      aria-setsize={index.siblings[row.at]}
      aria-selected={isSelected}
      aria-describedby={node && isWaiting(node) ? toWaitId(node.id) : undefined}
      aria-expanded={row.children === null ? undefined : row.isOpen}
      tabIndex={isActive ? 0 : -1}
      style={{ ...attrs.style, top: row.row * ROW_HEIGHT, minWidth: 0 }}
      className={
        'group/row [contain:strict] cursor-default -outline-offset-2 select-none hover:bg-neutral-soft/60 ' +
        `${isSelected ? 'bg-selected shadow-[inset_2px_0_var(--accent)] hover:bg-selected' : ''}`
      }
    >
      {children}
    </div>
  );
}
