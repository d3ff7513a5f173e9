import { updateUrl } from '#web/session/urlState.ts';
import { formatMinute } from '#web/ui/format.ts';
import { changeProjectActivity, useProjectActivity } from '#web/tree/activity/activityStore.ts';
import type { TreeIndex } from '#web/tree/index/treeIndex.ts';

interface LostNoticeProps {
  index: TreeIndex;
  selectedId: string | null;
}

/** Says that what was selected has left the tree, and leads to what was above it. */
export function LostNotice({ index, selectedId }: LostNoticeProps) {
  const projectId = index.nodes[0]?.id ?? '';
  const { lost } = useProjectActivity(projectId);
  const isLost = lost !== null && lost.id === selectedId && !index.placeOf.has(lost.id);
  const leave = (node: string) => {
    changeProjectActivity(projectId, { lost: null });
    updateUrl({ node });
  };
  return (
    <output className="block">
      {isLost && (
        <span className="mx-3 block my-2 rounded-md bg-wait-soft px-2 py-1 text-sm text-wait">
          {lost.label} was removed at {formatMinute(lost.at)}.{' '}
          <button type="button" onClick={() => leave(lost.nextId)} className="font-medium underline">
            Go to {lost.nextLabel}
          </button>
        </span>
      )}
    </output>
  );
}
