import { Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
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
import { experimentsBeneath } from '#features/projects/web/treeIndex/selection.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { StatusChips } from './StatusChips.tsx';
import { useCommands } from '#ui/commands/commands.ts';
import { TreeContext } from './treeContext.ts';
import { TreeFooter } from './TreeFooter.tsx';
import { TreeList } from './TreeList.tsx';
import type { TreeListHandle } from './treeListHandle.ts';
import { findActiveRow, findRow } from '#features/projects/web/treeIndex/treeRows.ts';
import { findPlace } from '#features/projects/web/treeIndex/treePlaces.ts';
import { TreeToolbar } from './TreeToolbar.tsx';
import { useRowMenu } from './useRowMenu.ts';
import { useShownTree } from './useShownTree.ts';
import { useTreeChanges } from './useTreeChanges.ts';
import { useTreeEntry } from './useTreeEntry.ts';
import { useTreeInput } from './useTreeInput.ts';
import { useTreeView } from './useTreeView.ts';

// What most trees never show is not in the first view.
const NothingFound = toLazyPart('The reason', async () => (await import('./NothingFound.tsx')).NothingFound);
const EmptyProject = toLazyPart('The notice', async () => (await import('./EmptyProject.tsx')).EmptyProject);
const ArchivedSwitch = toLazyPart('The switch', async () => (await import('./ArchivedSwitch.tsx')).ArchivedSwitch);
const ActivityPanel = toLazyPart('The activity', async () => (await import('./ActivityPanel.tsx')).ActivityPanel);

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
  const [activeKey, setActiveKey] = useState<string | null>(selectedId);
  const [sizeRef, size] = useSize<HTMLDivElement>(FIRST_SIZE);
  const list = useRef<TreeListHandle>(null);
  const scrollTarget = useRef<string | null>(null);

  const active = findActiveRow(rows, activeKey);
  const activate = (key: string) => {
    scrollTarget.current = key;
    setActiveKey(key);
  };
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

  const enterTree = useTreeEntry({
    view,
    activeKey,
    onActivate: activate,
    onSelect: select,
    onFocus: () => list.current?.focus(),
  });

  const { menu, closeMenu, handlers } = useRowMenu(rows, active);
  // Indexes change from answer to answer. The menu of a removed node closes.
  const menuAt = menu ? findPlace(index, menu.row.id) : -1;
  const menuNode = index.nodes[menuAt];
  const frame = useRef<HTMLDivElement>(null);
  const activityId = useId();
  const { touched, isOpen: isActivityOpen } = useProjectActivity(root.id);
  // What is archived is hidden, not gone.
  const whole = treeIndex(root);
  useTreeChanges(whole);
  useVisit(root);
  useCommands({ 'expand-all': view.expandAll, 'collapse-all': view.collapseAll });

  useEffect(() => {
    // A link that names no node shows the project.
    if (selectedId === null) updateUrl({ node: root.id }, { replace: true });
  }, [selectedId, root.id]);

  // A selection from elsewhere (link, breadcrumb, Back) is scrolled into view once, when the tree contains it.
  const selectedAt = selectedId === null ? undefined : index.placeOf.get(selectedId);
  const [revealedId, setRevealedId] = useState<string | null>(null);
  if (selectedAt !== undefined && revealedId !== selectedId) {
    setRevealedId(selectedId);
    setActiveKey(selectedId);
    view.reveal(selectedAt);
  }
  useLayoutEffect(() => {
    scrollTarget.current = revealedId;
  }, [revealedId]);

  useLayoutEffect(() => {
    const key = scrollTarget.current;
    if (key === null || !list.current) return;
    const row = findRow(rows, findPlace(index, key));
    if (row < 0) return;
    scrollTarget.current = null;
    list.current.showRow(row);
  });

  const context = useMemo(
    () => ({ index, hits, selectedId, touched, width: size.width }),
    [index, hits, selectedId, touched, size.width],
  );
  const isEmpty = root.children.length === 0;
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
          <div ref={frame} role="presentation" {...handlers}>
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
        {rows.count === 0 && (
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
        {isEmpty && hits === null && (
          <div className="pointer-events-none absolute inset-x-0 top-10">
            <Suspense>
              <EmptyProject id={root.id} />
            </Suspense>
          </div>
        )}
      </div>
      {notice}
      <RemovedNotice index={whole} selectedId={selectedId} />
      <Suspense>
        {menu &&
          menuNode &&
          renderMenu({
            node: menuNode,
            experiments: experimentsBeneath(index, menuAt),
            branch: menu.row.children && {
              isOpen: menu.row.isOpen,
              onExpand: () => view.expandBeneath(menuAt),
              onCollapse: () => view.collapseBeneath(menuAt),
            },
            place: menu.place,
            onClose: closeMenu,
            findRow: () => frame.current?.querySelector('[role="treeitem"][tabindex="0"]') ?? null,
          })}
      </Suspense>
      {isActivityOpen && (
        <div id={activityId} className="contents">
          <Suspense>
            <ActivityPanel project={root} index={whole} onLeave={() => list.current?.focus()} />
          </Suspense>
        </div>
      )}
      {whole.archived.length > 0 && (
        <Suspense>
          <ArchivedSwitch index={whole} />
        </Suspense>
      )}
      <TreeFooter index={index} activityId={activityId} />
    </>
  );
}
