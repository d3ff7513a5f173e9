import { formatCount } from '../ui/format';
import type { TreeIndex } from './treeIndex';

interface TreeFooterProps {
  index: TreeIndex;
}

const plural = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "3 datasets · 18 nodes · 1 running": what the tree holds, whatever is open or filtered. */
export function TreeFooter({ index }: TreeFooterProps) {
  const parts = [plural(index.datasetCount, 'dataset'), plural(index.nodes.length, 'node')];
  if (index.runningCount > 0) parts.push(`${formatCount(index.runningCount)} running`);
  if (index.waitingCount > 0) parts.push(`${formatCount(index.waitingCount)} waiting`);
  const text = parts.join(' · ');
  return (
    <p className="shrink-0 truncate border-t border-line px-3 py-2 text-sm text-soft" title={text}>
      {text}
    </p>
  );
}
