import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { updateUrl } from '#web/session/urlState.ts';
import { formatAge, formatClock, formatCount } from '#web/ui/format.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { useNow } from '#web/ui/useNow.ts';
import type { ActivityEntry } from '#web/tree/activity/activityState.ts';
import { showActivity, useProjectActivity } from '#web/tree/activity/activityStore.ts';
import { NodeIcon } from './NodeIcon.tsx';
import type { TreeIndex } from '#web/tree/index/treeIndex.ts';

interface ActivityPanelProps {
  index: TreeIndex;
  /** Called when the panel closes itself, so that the focus can move elsewhere. */
  onLeave: () => void;
}

function ChangeText({ entry: { kind, from, to, beneath } }: { entry: ActivityEntry }) {
  const more = beneath > 0 ? ` with ${formatCount(beneath)} beneath` : '';
  if (kind === 'removed') return <span className="text-soft">was removed{more}</span>;
  if (kind === 'added') {
    return (
      <>
        <span className="text-soft">appeared{more}</span>
        {to !== null && <StatusBadge status={to} />}
      </>
    );
  }
  return (
    <>
      <span className="text-soft">{from ?? 'no status'} to</span>
      {to === null ? <span className="text-soft">no status</span> : <StatusBadge status={to} />}
    </>
  );
}

/** Changes since the page opened, newest first; each entry selects its node. */
export function ActivityPanel({ index, onLeave }: ActivityPanelProps) {
  const projectId = index.nodes[0]?.id ?? '';
  const { entries } = useProjectActivity(projectId).activity;
  const now = useNow(1000);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const close = () => {
    showActivity(projectId, false);
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
          <IconButton label="Close activity" icon={<X aria-hidden size={14} />} onClick={close} />
        </div>
        {entries.length === 0 && (
          <p className="px-3 pb-3 text-soft">
            Nothing has changed since this page was opened. Changes of status, and nodes that come and go, are listed
            here.
          </p>
        )}
        <ul className="min-h-0 overflow-y-auto pb-1">
          {entries.map((entry) => {
            const isThere = index.placeOf.has(entry.id);
            const content = (
              <>
                <span className="flex items-center gap-1.5">
                  <NodeIcon type={entry.type} size={13} />
                  <span className="min-w-0 flex-1 truncate font-medium">{entry.label}</span>
                  <time dateTime={new Date(entry.at).toISOString()} className="shrink-0 text-xs text-soft">
                    {formatClock(entry.at)} · {formatAge(Math.max(0, now - entry.at))}
                  </time>
                </span>
                <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 pl-[19px] text-sm">
                  <ChangeText entry={entry} />
                </span>
                {entry.path !== '' && <span className="block truncate pl-[19px] text-xs text-soft">{entry.path}</span>}
              </>
            );
            return (
              <li key={entry.number} className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]">
                {isThere ? (
                  <button
                    type="button"
                    title={entry.path}
                    onClick={() => updateUrl({ node: entry.id })}
                    className="block w-full px-3 py-1 text-left hover:bg-off-soft/60"
                  >
                    {content}
                  </button>
                ) : (
                  <div className="px-3 py-1">{content}</div>
                )}
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}
