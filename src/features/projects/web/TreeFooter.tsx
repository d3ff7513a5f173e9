import { History } from 'lucide-react';
import { Suspense, useId } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { formatCount } from '#ui/kit/format.ts';
import { showActivity, useProjectActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';

// What most trees never show is not in the first view.
const ArchivedSwitch = toLazyPart('The switch', async () => (await import('./ArchivedSwitch.tsx')).ArchivedSwitch);
const ActivityPanel = toLazyPart('The activity', async () => (await import('./ActivityPanel.tsx')).ActivityPanel);

interface TreeCountsProps {
  index: TreeIndex;
  /** Id of the list that the button opens. */
  activityId: string;
}

const plural = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * "3 datasets · 18 nodes · 1 in progress": counts of the whole tree, whatever is open or filtered, and the button for
 * the list of changes.
 */
function TreeCounts({ index, activityId }: TreeCountsProps) {
  const projectId = index.nodes[0]?.id ?? '';
  const { activity, isOpen } = useProjectActivity(projectId);
  const parts = [plural(index.datasetCount, 'dataset'), plural(index.nodes.length, 'node')];
  if (index.runningCount > 0) parts.push(`${formatCount(index.runningCount)} in progress`);
  if (index.waitingCount > 0) parts.push(`${formatCount(index.waitingCount)} waiting`);
  const text = parts.join(' · ');
  const { unseen } = activity;
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-t border-line pr-1.5 pl-3 text-sm text-soft">
      <p className="min-w-0 flex-1 truncate" title={text}>
        {text}
      </p>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? activityId : undefined}
        aria-label={unseen > 0 ? `Activity, ${plural(unseen, 'new change')}` : 'Activity'}
        data-tip="What changed since this page was opened"
        onClick={() => showActivity(projectId, !isOpen)}
        className={
          'flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-neutral-soft hover:text-ink ' +
          'aria-expanded:text-accent'
        }
      >
        <History aria-hidden size={14} />
        {unseen > 0 && (
          <span className="rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent">
            {formatCount(unseen)}
          </span>
        )}
      </button>
    </div>
  );
}

interface TreeFooterProps {
  root: TreeNode;
  /** Of what is shown. */
  index: TreeIndex;
  /** With what is archived. */
  whole: TreeIndex;
  /** The focus leaves the list of changes. */
  onLeave: () => void;
}

/** The list of changes if it is open, the switch for what is archived, and the counts. */
export function TreeFooter({ root, index, whole, onLeave }: TreeFooterProps) {
  const activityId = useId();
  const { isOpen } = useProjectActivity(root.id);
  return (
    <>
      {isOpen && (
        <div id={activityId} className="contents">
          <Suspense>
            <ActivityPanel project={root} index={whole} onLeave={onLeave} />
          </Suspense>
        </div>
      )}
      {whole.archived.length > 0 && (
        <Suspense>
          <ArchivedSwitch index={whole} />
        </Suspense>
      )}
      <TreeCounts index={index} activityId={activityId} />
    </>
  );
}
