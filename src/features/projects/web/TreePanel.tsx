import { Suspense, useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { useProjectActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import { useVisit } from '#features/projects/web/treeChanges/useVisit.ts';
import { RemovedNotice } from './RemovedNotice.tsx';
import type { RowMenuRequest } from './rowAction.ts';
import { ROW_HEIGHT } from '#features/projects/web/treeIndex/rowWindow.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { StatusChips } from './StatusChips.tsx';
import { useCommands } from '#ui/commands/commands.ts';
import { TreeContext } from './treeContext.ts';
import { TreeFooter } from './TreeFooter.tsx';
import { TreeList } from './TreeList.tsx';
import type { TreeListHandle } from './treeListHandle.ts';
import { TreeToolbar } from './TreeToolbar.tsx';
import { useActiveRow } from './useActiveRow.ts';
import { useRowMenu } from './useRowMenu.ts';
import { useShownTree } from './useShownTree.ts';
import { useTreeChanges } from './useTreeChanges.ts';
import { useTreeEntry } from './useTreeEntry.ts';
import { useTreeInput } from './useTreeInput.ts';
import { useTreeView, type TreeView } from './useTreeView.ts';

// What most trees never show is not in the first view.
const NothingFound = toLazyPart('The reason', async () => (await import('./NothingFound.tsx')).NothingFound);
const EmptyProject = toLazyPart('The notice', async () => (await import('./EmptyProject.tsx')).EmptyProject);

interface NoRowsProps {
  root: TreeNode;
  view: TreeView;
}

/** Why there are no rows, or none but the project's. */
function NoRows({ root, view }: NoRowsProps) {
  return (
    <>
      {view.rows.count === 0 && (
        <Suspense>
          <NothingFound
            text={view.filter}
            statuses={view.statuses}
            known={view.index.statuses.names}
            onClear={view.clearFilter}
            onStatuses={view.filterByStatuses}
          />
        </Suspense>
      )}
      {root.children.length === 0 && view.hits === null && (
        <div className="pointer-events-none absolute inset-x-0 top-10">
          <Suspense>
            <EmptyProject id={root.id} />
          </Suspense>
        </div>
      )}
    </>
  );
}

interface TreePanelProps {
  root: TreeNode;
  renderMenu: (request: RowMenuRequest) => ReactNode;
  /** Why the rows may be out of date. It is below the rows, so that it moves none. */
  notice: ReactNode;
  /** Stands beside the filter. */
  more: ReactNode;
}

/** Until the box is measured, so that the first rows come with the panel. */
const FIRST_SIZE = { width: 280, height: 600 };

/** A loaded tree: filter, rows, counts. */
export function TreePanel({ root, renderMenu, notice, more }: TreePanelProps) {
  const shown = useShownTree(root);
  const view = useTreeView(shown);
  const { index, rows, hits } = view;
  const selectedId = useUrlState().node;
  const [sizeRef, size] = useSize<HTMLDivElement>(FIRST_SIZE);
  const list = useRef<TreeListHandle>(null);
  const { active, activeKey, activate } = useActiveRow(view, selectedId, list);
  const select = (at: number) => {
    const node = index.nodes[at];
    if (node) selectNode(node);
  };
  const input = useTreeInput({
    view,
    active,
    page: Math.max(1, Math.floor(size.height / ROW_HEIGHT) - 1),
    onActivate: (row) => activate(row.id),
    onSelect: (row) => select(row.at),
  });
  const focus = () => list.current?.focus();
  const enterTree = useTreeEntry({ view, activeKey, onActivate: activate, onSelect: select, onFocus: focus });
  const { menu, frameProps } = useRowMenu(view, active);
  const { touched } = useProjectActivity(root.id);
  // What is archived is hidden, not gone.
  const whole = treeIndex(root);
  useTreeChanges(whole);
  useVisit(root);
  useCommands({ 'expand-all': view.expandAll, 'collapse-all': view.collapseAll });

  useEffect(() => {
    // A link that names no node shows the project.
    if (selectedId === null) updateUrl({ node: root.id }, { replace: true });
  }, [selectedId, root.id]);

  const context = useMemo(
    () => ({ index, hits, selectedId, touched, width: size.width }),
    [index, hits, selectedId, touched, size.width],
  );
  return (
    <>
      <TreeToolbar
        filter={view.filter}
        onFilter={view.setFilter}
        onClear={view.clearFilter}
        hitCount={hits?.count ?? null}
        isSearching={view.isSearching}
        onExpandAll={view.expandAll}
        onCollapseAll={view.collapseAll}
        onEnterTree={enterTree}
        more={more}
      />
      <StatusChips counts={view.statusCounts} value={view.statuses} onToggle={view.toggleStatuses} />
      <div ref={sizeRef} className="relative min-h-0 flex-1">
        {size.height > 0 && rows.count > 0 && (
          <div role="presentation" {...frameProps}>
            <TreeContext value={context}>
              <TreeList
                rows={rows}
                filterKey={view.filterKey}
                active={active}
                height={size.height}
                listRef={list}
                {...input}
              />
            </TreeContext>
          </div>
        )}
        <NoRows root={root} view={view} />
      </div>
      {notice}
      <RemovedNotice index={whole} selectedId={selectedId} />
      <Suspense>{menu && renderMenu(menu)}</Suspense>
      <TreeFooter root={root} index={index} whole={whole} onLeave={focus} />
    </>
  );
}
