import {
  memo,
  useImperativeHandle,
  useMemo,
  type FocusEventHandler,
  type KeyboardEventHandler,
  type MouseEventHandler,
  type Ref,
} from 'react';
import { Tree } from 'react-arborist';
import { FOOT, ROW_HEIGHT } from '#features/projects/web/treeIndex/rowWindow.ts';
import { TreeCells } from './TreeCells.tsx';
import { ActiveRowContext } from './treeContext.ts';
import { TreeRow } from './TreeRow.tsx';
import { rowOfKey, sliceRows, type TreeRows, type ViewRow } from '#features/projects/web/treeIndex/treeRows.ts';
import type { TreeListHandle } from './treeListHandle.ts';
import { useRowWindow } from './useRowWindow.ts';

interface TreeListProps {
  rows: TreeRows;
  /** Identifies the filter: a new filter starts at its first hit. */
  filterKey: string;
  /** The row with the keyboard focus. It is scrolled into view when a filter is cleared. */
  active: number;
  height: number;
  listRef: Ref<TreeListHandle>;
  /** A stable function: react-arborist rebuilds all rows when it changes. */
  onClick: MouseEventHandler;
  onFocus: FocusEventHandler;
  onKeyDown: KeyboardEventHandler;
}

/**
 * The visible rows. react-arborist builds an object per row at every update, so it gets only those near the view. Each
 * row positions itself in a box as high as all rows. The state of branches lives outside, and the scrolling box draws
 * the focus ring. react-arborist's own keys, selection, focus, scrolling and dragging are unused.
 */
export const TreeList = memo(function TreeList({
  rows,
  filterKey,
  active,
  height,
  listRef,
  onClick,
  onFocus,
  onKeyDown,
}: TreeListProps) {
  const { scroller, from, to, onScroll, showRow } = useRowWindow({ rows, rowOfKey, filterKey, active, height });
  const drawn = useMemo(() => sliceRows(rows, from, to), [rows, from, to]);
  useImperativeHandle(
    listRef,
    () => ({
      showRow,
      focus: () => {
        showRow(active);
        const tree = scroller.current?.querySelector<HTMLElement>('[role="tree"]');
        (tree?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]') ?? tree)?.focus({ preventScroll: true });
      },
    }),
    [scroller, showRow, active],
  );
  return (
    <div
      ref={scroller}
      role="presentation"
      onScroll={onScroll}
      onFocusCapture={onFocus}
      onKeyDownCapture={onKeyDown}
      className={
        'overflow-x-hidden overflow-y-auto -outline-offset-2 outline-accent [overflow-anchor:none] *:outline-none! ' +
        'has-[>[role=tree]:focus-visible]:outline-2'
      }
      style={{ height }}
    >
      <ActiveRowContext value={active}>
        <Tree<ViewRow>
          aria-label="Project tree"
          data={drawn}
          width="100%"
          height={rows.count * ROW_HEIGHT + FOOT}
          rowHeight={ROW_HEIGHT}
          disableMultiSelection
          disableDeselectOnClick
          disableDrag
          disableDrop
          disableEdit
          renderRow={TreeRow}
          onClick={onClick}
        >
          {TreeCells}
        </Tree>
      </ActiveRowContext>
    </div>
  );
});
