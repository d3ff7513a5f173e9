// react-arborist as its documentation shows it: it gets the whole data, and does opening, filtering and keys itself.
import { useEffect, useRef, useState } from 'react';
import { Tree, type NodeRendererProps, type TreeApi } from 'react-arborist';
import { createRoot } from 'react-dom/client';
import { askTree, isFound, labelOf, type PlainNode } from './treeBaseline.ts';

const isMatch = ({ data }: { data: PlainNode }, text: string): boolean => isFound(data, text);

function Cells({ node, style }: NodeRendererProps<PlainNode>) {
  return (
    <div style={style}>
      {node.isInternal && <button type="button" aria-label="Toggle" data-toggle onClick={() => node.toggle()} />}
      <span>{labelOf(node.data)}</span> <span>{node.data.status}</span>
    </div>
  );
}

function ArboristTree() {
  const [data, setData] = useState<readonly PlainNode[] | null>(null);
  const [text, setText] = useState('');
  const tree = useRef<TreeApi<PlainNode>>(undefined);
  useEffect(() => {
    const load = async (): Promise<void> => setData([await askTree()]);
    window.pollTree = load;
    void load();
  }, []);
  if (!data) return null;
  return (
    <>
      <input aria-label="Filter tree" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" aria-label="Expand all" onClick={() => tree.current?.openAll()} />
      <Tree<PlainNode>
        ref={tree}
        data={data}
        openByDefault={false}
        initialOpenState={{ [data[0]?.id ?? '']: true }}
        searchTerm={text}
        searchMatch={isMatch}
        width={400}
        height={840}
        rowHeight={30}
        overscanCount={6}
        disableDrag
        disableDrop
      >
        {Cells}
      </Tree>
    </>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<ArboristTree />);
