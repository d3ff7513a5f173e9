import { nodeLabel } from '#core/contract/projectReader.ts';
import { toPathText } from '#features/projects/web/treeChanges/activity.ts';
import type { ChangesSinceVisit, VisitChange } from '#features/projects/web/treeChanges/visitChanges.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { formatAge, formatCounted } from '#ui/kit/format.ts';
import type { ActivityChange } from '#features/projects/web/treeChanges/activityState.ts';
import { ActivityItem } from './ActivityItem.tsx';

interface VisitSectionProps {
  since: ChangesSinceVisit;
  index: TreeIndex;
  /** Unix ms. */
  now: number;
}

const MAX_LISTED = 100;

const toActivityChange = ({ node, kind, from, to }: VisitChange, index: TreeIndex): ActivityChange => ({
  kind,
  id: node.id,
  type: node.type,
  label: nodeLabel(node),
  path: toPathText(index, node.id),
  from,
  to,
  beneath: 0,
});

/** What changed since this browser's last visit. */
export function VisitSection({ since, index, now }: VisitSectionProps) {
  const { at, changes, removed } = since;
  const more = [
    ...(changes.length > MAX_LISTED ? [`${formatCounted(changes.length - MAX_LISTED, 'more change')}.`] : []),
    ...(removed > 0 ? [`${formatCounted(removed, 'node')} removed.`] : []),
  ];
  return (
    <section aria-label="Since your last visit">
      <h3 className="px-3 pt-1 pb-0.5 text-sm font-semibold">
        Since your last visit{' '}
        <time dateTime={new Date(at).toISOString()} className="font-normal text-soft">
          {formatAge(Math.max(0, now - at))}
        </time>
      </h3>
      {changes.length === 0 && removed === 0 && <p className="px-3 pb-2 text-soft">Nothing changed.</p>}
      <ul>
        {changes.slice(0, MAX_LISTED).map((change) => (
          <ActivityItem
            key={change.node.id}
            change={toActivityChange(change, index)}
            time={null}
            isThere={index.placeOf.has(change.node.id)}
          />
        ))}
      </ul>
      {more.length > 0 && <p className="px-3 pb-2 text-soft">{more.join(' ')}</p>}
    </section>
  );
}
