// The practical limit: rows flattened by hand, shown by @tanstack/react-virtual. Plain rows, no roll-ups, no marks.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { askTree, isFound, labelOf, type PlainNode } from './treeBaseline.ts';

interface Row {
  readonly node: PlainNode;
  readonly level: number;
}

const hasChildren = (node: PlainNode): boolean => (node.children?.length ?? 0) > 0;

function toRows(root: PlainNode, open: ReadonlySet<string> | null): readonly Row[] {
  const rows: Row[] = [];
  const visit = (node: PlainNode, level: number): void => {
    rows.push({ node, level });
    if (open === null || open.has(node.id)) for (const child of node.children ?? []) visit(child, level + 1);
  };
  visit(root, 0);
  return rows;
}

function toFoundRows(root: PlainNode, text: string): readonly Row[] {
  const visit = (node: PlainNode, level: number): Row[] => {
    const beneath = (node.children ?? []).flatMap((child) => visit(child, level + 1));
    return beneath.length > 0 || isFound(node, text) ? [{ node, level }, ...beneath] : [];
  };
  return visit(root, 0);
}

function allBranches(root: PlainNode): ReadonlySet<string> {
  return new Set(
    toRows(root, null)
      .filter(({ node }) => hasChildren(node))
      .map(({ node }) => node.id),
  );
}

function FlatTree() {
  const [root, setRoot] = useState<PlainNode | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const next = await askTree();
      setOpen((last) => (last.size === 0 ? new Set([next.id]) : last));
      setRoot(next);
    };
    window.pollTree = load;
    void load();
  }, []);
  const rows = useMemo(
    () => (root === null ? [] : text === '' ? toRows(root, open) : toFoundRows(root, text)),
    [root, open, text],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 30,
    overscan: 6,
  });
  const toggle = (node: PlainNode): void => {
    const next = new Set(open);
    if (!next.delete(node.id)) next.add(node.id);
    setOpen(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setActive(Math.min(rows.length - 1, active + 1));
  };
  useEffect(() => {
    if (document.activeElement?.getAttribute('role') === 'treeitem')
      box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [active]);
  return (
    <>
      <input aria-label="Filter tree" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" aria-label="Expand all" onClick={() => root && setOpen(allBranches(root))} />
      <div ref={box} role="tree" tabIndex={-1} onKeyDown={onKeyDown} style={{ height: 840, overflow: 'auto' }}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const isOpen = hasChildren(row.node) ? open.has(row.node.id) : undefined;
            return (
              <div
                key={row.node.id}
                role="treeitem"
                aria-level={row.level + 1}
                aria-expanded={isOpen}
                aria-selected={false}
                tabIndex={index === active ? 0 : -1}
                style={{
                  position: 'absolute',
                  top: 0,
                  height: 30,
                  transform: `translateY(${start}px)`,
                  paddingLeft: row.level * 15,
                }}
              >
                {hasChildren(row.node) && (
                  <button type="button" aria-label="Toggle" data-toggle onClick={() => toggle(row.node)} />
                )}
                <span>{labelOf(row.node)}</span> <span>{row.node.status}</span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<FlatTree />);
