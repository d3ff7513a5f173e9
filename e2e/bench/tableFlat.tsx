// The practical limit: the same experiments as three cells of text, shown by @tanstack/react-virtual, sorted by `<`.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { askTree, labelOf, type PlainNode } from './treeBaseline.ts';

type Cells = readonly [string, string, string];
const HEADS = ['Run', 'Status', 'Job'] as const;

function toRows(node: PlainNode, job: string): readonly Cells[] {
  if (node.type === 'experiment') return [[labelOf(node), node.status ?? '', job]];
  return (node.children ?? []).flatMap((child) => toRows(child, node.type === 'finetuning-job' ? labelOf(node) : job));
}

function FlatTable() {
  const [all, setAll] = useState<readonly Cells[]>([]);
  const [text, setText] = useState('');
  const [sort, setSort] = useState<{ readonly at: number; readonly sign: 1 | -1 } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void askTree().then((root) => setAll(toRows(root, '')));
  }, []);
  const rows = useMemo(() => {
    const found = text === '' ? all : all.filter((cells) => cells.join('\n').toLowerCase().includes(text));
    if (!sort) return found;
    const { at, sign } = sort;
    return found.toSorted((a, b) => ((a[at] ?? '') < (b[at] ?? '') ? -sign : (a[at] ?? '') > (b[at] ?? '') ? sign : 0));
  }, [all, text, sort]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 32,
    overscan: 8,
  });
  return (
    <>
      <input aria-label="Filter runs" value={text} onChange={(event) => setText(event.target.value)} />
      {HEADS.map((head, at) => (
        <button
          key={head}
          type="button"
          title={`Sort by ${head};`}
          onClick={() => setSort({ at, sign: sort?.at === at && sort.sign === 1 ? -1 : 1 })}
        >
          {head}
        </button>
      ))}
      <div ref={box} style={{ height: 780, overflow: 'auto' }}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              data-place={index}
              style={{ position: 'absolute', top: 0, height: 32, transform: `translateY(${start}px)` }}
            >
              {rows[index]?.map((cell, at) => (
                <span key={HEADS[at]}>{cell} </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<FlatTable />);
