import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { formatAge, formatClock } from '#ui/kit/format.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { showActivity, useProjectActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import { useChangesSinceVisit } from '#features/projects/web/treeChanges/useChangesSinceVisit.ts';
import type { ActivityEntry as LogEntry } from '#features/access/shared/activity.ts';
import { activityQuery } from '#features/access/web/activityQuery.ts';
import { mergeActivity, type ActivityLine } from '#features/projects/web/treeChanges/mergeActivity.ts';
import { LogItem } from './LogItem.tsx';
import { ActivityItem } from './ActivityItem.tsx';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { VisitSection } from './VisitSection.tsx';

const NO_LOG: readonly LogEntry[] = [];

interface ActivityPanelProps {
  project: TreeNode;
  index: TreeIndex;
  /** Called when the panel closes itself, so that the focus can move elsewhere. */
  onLeave: () => void;
}

/** What the page saw and what the log says. The log is read again with each change that the page sees. */
function useActivityLines(projectId: string): readonly ActivityLine[] {
  const { entries, total } = useProjectActivity(projectId).activity;
  const { data, refetch } = useInfiniteQuery(activityQuery());
  const seen = useRef(total);
  useEffect(() => {
    if (seen.current === total) return;
    seen.current = total;
    void refetch();
  }, [total, refetch]);
  const log = data?.pages.flatMap((page) => page?.entries ?? []) ?? NO_LOG;
  return mergeActivity(entries, log, projectId);
}

/** What happened, newest first, and what changed since the last visit; each entry selects its node. */
export function ActivityPanel({ project, index, onLeave }: ActivityPanelProps) {
  const lines = useActivityLines(project.id);
  const since = useChangesSinceVisit(project);
  const now = useNow(1000);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const close = () => {
    showActivity(project.id, false);
    onLeave();
  };
  return (
    <div
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
      className="flex max-h-[45%] min-h-24 shrink-0 flex-col border-t border-line"
    >
      <section aria-label="Activity" className="flex min-h-0 flex-col">
        <div className="flex h-9 shrink-0 items-center pr-1.5 pl-3">
          <h2 ref={heading} tabIndex={-1} className="flex-1 font-semibold outline-none">
            Activity
          </h2>
          <Button variant="quiet" onClick={() => runCommand('activity-log')}>
            Search all
          </Button>
          <IconButton label="Close activity" icon={<X aria-hidden size={14} />} onClick={close} />
        </div>
        <div className="min-h-0 overflow-y-auto pb-1">
          {lines.length === 0 && (
            <p className="px-3 pb-3 text-soft">
              Nothing has changed since you opened this page. This list shows changes of status, nodes that were added
              or removed, and what people did.
            </p>
          )}
          <ul>
            {lines.map(({ kind, at, entry }) => {
              const time = (
                <time dateTime={new Date(at).toISOString()} className="shrink-0 text-xs text-soft">
                  {formatClock(at)} · {formatAge(Math.max(0, now - at))}
                </time>
              );
              return kind === 'tree' ? (
                <ActivityItem
                  key={`tree ${entry.number}`}
                  change={entry}
                  isThere={index.placeOf.has(entry.id)}
                  time={time}
                />
              ) : (
                <LogItem
                  key={`log ${entry.id}`}
                  entry={entry}
                  isThere={index.placeOf.has(entry.node?.id ?? '')}
                  time={time}
                />
              );
            })}
          </ul>
          {since && <VisitSection since={since} index={index} now={now} />}
        </div>
      </section>
    </div>
  );
}
