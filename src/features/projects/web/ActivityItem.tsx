import type { ReactNode } from 'react';
import { selectNode } from '#ui/address/nodeTab.ts';
import { toStateWord } from '#core/contract/statuses.ts';
import { formatCount } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import type { ActivityChange } from '#features/projects/web/treeChanges/activityState.ts';
import { NodeIcon } from './NodeIcon.tsx';

interface ActivityItemProps {
  change: ActivityChange;
  /** When it happened; null: nobody knows. */
  time: ReactNode;
  /** The node is in the project, and can be selected. */
  isThere: boolean;
}

function ChangeText({ change: { kind, from, to, beneath } }: { change: ActivityChange }) {
  const more = beneath > 0 ? ` with ${formatCount(beneath)} below` : '';
  if (kind === 'removed') return <span className="text-soft">was removed{more}</span>;
  if (kind === 'added') {
    return (
      <>
        <span className="text-soft">was added{more}</span>
        {to !== null && <StatusBadge status={to} />}
      </>
    );
  }
  return (
    <>
      <span className="text-soft">{from === null ? 'no status' : toStateWord(from)} to</span>
      {to === null ? <span className="text-soft">no status</span> : <StatusBadge status={to} />}
    </>
  );
}

/** One change of the activity list; it selects its node. */
export function ActivityItem({ change, time, isThere }: ActivityItemProps) {
  const { type, label, path } = change;
  const content = (
    <>
      <span className="flex items-center gap-1.5">
        <NodeIcon type={type} size={13} />
        <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
        {time}
      </span>
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 pl-[19px] text-sm">
        <ChangeText change={change} />
      </span>
      {path !== '' && <span className="block truncate pl-[19px] text-xs text-soft">{path}</span>}
    </>
  );
  return (
    <li className="[contain-intrinsic-size:auto_3.5rem] [content-visibility:auto]">
      {isThere ? (
        <button
          type="button"
          title={path}
          onClick={() => selectNode(change)}
          className="block w-full px-3 py-1 text-left hover:bg-neutral-soft/60"
        >
          {content}
        </button>
      ) : (
        <div className="px-3 py-1">{content}</div>
      )}
    </li>
  );
}
