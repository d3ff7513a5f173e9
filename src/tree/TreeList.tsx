import type { FocusEventHandler, KeyboardEventHandler, MouseEventHandler, Ref } from 'react';
import { Tree, type TreeApi } from 'react-arborist';
import { dragManager } from './dragManager';
import { ROW_HEIGHT } from './rowHeight';
import { TreeCells } from './TreeCells';
import { TreeRow } from './TreeRow';
import type { ViewRow } from './treeRows';

interface TreeListProps {
  rows: readonly ViewRow[];
  width: number;
  height: number;
  treeRef: Ref<TreeApi<ViewRow> | undefined>;
  /** A stable function: react-arborist rebuilds all rows when it changes. */
  onClick: MouseEventHandler;
  onFocus: FocusEventHandler;
  onKeyDown: KeyboardEventHandler;
}

/**
 * The rows on show. react-arborist is fed only these, all of them "open": what is open is decided outside,
 * and its own keys, selection, focus and dragging stay unused.
 */
export function TreeList({ rows, width, height, treeRef, onClick, onFocus, onKeyDown }: TreeListProps) {
  return (
    <div role="presentation" onFocusCapture={onFocus} onKeyDownCapture={onKeyDown}>
      <Tree<ViewRow>
        ref={treeRef}
        aria-label="Project tree"
        data={rows}
        width={width}
        height={height}
        rowHeight={ROW_HEIGHT}
        overscanCount={6}
        paddingBottom={8}
        disableMultiSelection
        disableDeselectOnClick
        disableDrag
        disableDrop
        disableEdit
        dndManager={dragManager}
        renderRow={TreeRow}
        onClick={onClick}
        className="overflow-x-hidden!"
      >
        {TreeCells}
      </Tree>
    </div>
  );
}
