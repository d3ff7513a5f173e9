import { selectNode } from '#ui/address/nodeTab.ts';
import { formatMinute } from '#ui/kit/format.ts';
import { changeProjectActivity, useProjectActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

interface RemovedNoticeProps {
  index: TreeIndex;
  selectedId: string | null;
}

/** Says that the selected node was removed, and links to its nearest remaining ancestor. */
export function RemovedNotice({ index, selectedId }: RemovedNoticeProps) {
  const projectId = index.nodes[0]?.id ?? '';
  const { removedNode } = useProjectActivity(projectId);
  const isShown = removedNode !== null && removedNode.id === selectedId && !index.placeOf.has(removedNode.id);
  const leave = (id: string) => {
    changeProjectActivity(projectId, { removedNode: null });
    const node = index.nodes[index.placeOf.get(id) ?? -1];
    if (node) selectNode(node);
  };
  return (
    <output className="block">
      {isShown && (
        <span className="mx-3 block my-2 rounded-md bg-warning-soft px-2 py-1 text-sm text-warning">
          {removedNode.label} was removed at {formatMinute(removedNode.at)}.{' '}
          <button type="button" onClick={() => leave(removedNode.nextId)} className="font-medium underline">
            Go to {removedNode.nextLabel}
          </button>
        </span>
      )}
    </output>
  );
}
