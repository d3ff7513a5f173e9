import { FilterX, Upload } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { TreeApi } from 'react-arborist';
import type { TreeNode } from '../contract/projectReader';
import { updateUrl, useUrlState } from '../session/urlState';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { useSize } from '../ui/useSize';
import { findActiveRow } from './activeRow';
import { ROW_HEIGHT } from './rowHeight';
import { firstSelection } from './selection';
import { TreeContext } from './treeContext';
import { TreeFooter } from './TreeFooter';
import { TreeList } from './TreeList';
import type { ViewRow } from './treeRows';
import { TreeToolbar } from './TreeToolbar';
import { useTreeInput } from './useTreeInput';
import { useTreeView } from './useTreeView';

interface TreePanelProps {
  root: TreeNode;
  /** Why the rows may be out of date. It stands beneath them, so that it moves none. */
  notice: ReactNode;
}

/** A tree that has arrived: filter, rows, counts. */
export function TreePanel({ root, notice }: TreePanelProps) {
  const view = useTreeView(root);
  const { index, rows, hits } = view;
  const selectedId = useUrlState().node;
  const [activeKey, setActiveKey] = useState<string | null>(selectedId);
  const [sizeRef, size] = useSize<HTMLDivElement>();
  const tree = useRef<TreeApi<ViewRow>>(undefined);
  const scrollTarget = useRef<string | null>(null);

  const active = findActiveRow(rows.flat, index, activeKey);
  const activate = (key: string) => {
    scrollTarget.current = key;
    setActiveKey(key);
  };
  const input = useTreeInput({
    view,
    active,
    page: Math.max(1, Math.floor(size.height / ROW_HEIGHT) - 1),
    onActivate: (row) => activate(row.id),
    onSelect: (row) => {
      const node = index.nodes[row.at];
      if (node) updateUrl({ node: node.id });
    },
  });

  useEffect(() => {
    const first = selectedId === null ? firstSelection(index) : null;
    if (first) updateUrl({ node: first.id }, { replace: true });
  }, [selectedId, index]);

  // A selection from elsewhere (a link, the breadcrumb, Back) is brought on show once, when it is in the tree.
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
    const list = tree.current?.list.current;
    if (key === null || !list) return;
    const to = rows.flat.findIndex((row) => row.id === key);
    if (to < 0) return;
    scrollTarget.current = null;
    list.scrollToItem(to, 'auto');
  });

  const context = useMemo(
    () => ({ index, hits, selectedId, activeKey: rows.flat[active]?.id ?? null, width: size.width }),
    [index, hits, selectedId, rows, active, size.width],
  );
  const enterTree = () => {
    const element = tree.current?.listEl.current?.closest<HTMLElement>('[role="tree"]');
    (element?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]') ?? element)?.focus();
  };
  const isEmpty = root.children.length === 0;
  return (
    <>
      <TreeToolbar
        filter={view.filter}
        onFilter={view.setFilter}
        hitCount={hits?.count ?? null}
        onExpandAll={view.expandAll}
        onCollapseAll={view.collapseAll}
        onEnterTree={enterTree}
      />
      <div ref={sizeRef} className="relative min-h-0 flex-1">
        {size.height > 0 && rows.flat.length > 0 && (
          <TreeContext value={context}>
            <TreeList rows={rows.top} width={size.width} height={size.height} treeRef={tree} {...input} />
          </TreeContext>
        )}
        {rows.flat.length === 0 && (
          <EmptyState
            icon={<FilterX aria-hidden size={20} />}
            title="Nothing found"
            action={<Button onClick={() => view.setFilter('')}>Clear filter</Button>}
          >
            No label, id, model id or base model has every word of “{view.filter.trim()}”.
          </EmptyState>
        )}
        {isEmpty && hits === null && (
          <div className="pointer-events-none absolute inset-x-0 top-10">
            <EmptyState icon={<Upload aria-hidden size={20} />} title="No datasets yet">
              This project is empty. A dataset appears here by itself soon after it is created.
            </EmptyState>
          </div>
        )}
      </div>
      {notice}
      <TreeFooter index={index} />
    </>
  );
}
