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
import { FOOT, ROW_HEIGHT } from '#web/tree/index/rowWindow.ts';
import { TreeCells } from './TreeCells.tsx';
import { ActiveRowContext } from './treeContext.ts';
import { TreeRow } from './TreeRow.tsx';
import { rowOfKey, sliceRows, type TreeRows, type ViewRow } from '#web/tree/index/treeRows.ts';
import type { TreeListHandle } from './treeListHandle.ts';
import { useRowWindow } from './useRowWindow.ts';

interface TreeListProps {
  rows: TreeRows;
  /** Stands for what is filtered: a new filter starts at its first hit. */
  filterKey: string;
  /** Row that the keyboard is on: what is shown again when a filter is taken away. */
  active: number;
  height: number;
  listRef: Ref<TreeListHandle>;
  /** A stable function: react-arborist rebuilds all rows when it changes. */
  onClick: MouseEventHandler;
  onFocus: FocusEventHandler;
  onKeyDown: KeyboardEventHandler;
}

/**
 * The rows on show. react-arborist makes an object for each row it is given, at every update: so it gets only those
 * near the view, and each row puts itself where it belongs in a tree that is as high as all of them. What is open is
 * decided outside (the ring of focus, too, is drawn on the box that scrolls); react-arborist's own keys, selection,
 * focus, scrolling and dragging stay unused.
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
