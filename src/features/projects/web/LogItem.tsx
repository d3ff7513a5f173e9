import type { ReactNode } from 'react';
import type { ActivityEntry } from '#features/access/shared/activity.ts';
import { toActivityWords, toWho } from '#features/access/web/activityWords.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { NodeIcon } from './NodeIcon.tsx';

interface LogItemProps {
  entry: ActivityEntry;
  time: ReactNode;
  /** Its node is in the tree on screen, and can be selected. */
  isThere: boolean;
}

/** What somebody did; it selects the node that it was done to. */
export function LogItem({ entry, time, isThere }: LogItemProps) {
  const { node } = entry;
  const words = toActivityWords(entry);
  const content = (
    <>
      <span className="flex items-center gap-1.5">
        {node && <NodeIcon type={node.type} size={13} />}
        <span className="min-w-0 flex-1 truncate font-medium">{node?.label ?? words}</span>
        {time}
      </span>
      <span className={`block text-sm text-soft ${node ? 'pl-[19px]' : ''}`}>
        {node && `${words}: `}
        {toWho(entry)}
        {entry.is_certain === false && ' (not certain)'}
      </span>
    </>
  );
  return (
    <li className="[contain-intrinsic-size:auto_2.5rem] [content-visibility:auto]">
      {node && isThere ? (
        <button
          type="button"
          onClick={() => selectNode(node)}
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
