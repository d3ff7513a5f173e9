import { Download, Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { formatAge, formatCounted } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { RenameForm } from '#ui/fields/RenameForm.tsx';
import type { ListedSession } from './sessions.ts';

interface SessionRowProps {
  session: ListedSession;
  /** The search hit in the text; null: none. */
  excerpt: string | null;
  /** Why no session can be opened now. */
  blocker: string | null;
  onOpen: () => void;
  /** An empty title means the first message. */
  onRename: (title: string) => void;
  onExport: () => void;
  onDelete: () => void;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

/** A stable reference, so React calls it once. */
const takeFocus = (element: HTMLButtonElement | null) => element?.focus();

export function SessionRow({ session, excerpt, blocker, onOpen, onRename, onExport, onDelete }: SessionRowProps) {
  const { title, isNamed, savedAt, turnCount, models, isCurrent, isElsewhere, isDamaged } = session;
  const [renaming, setRenaming] = useState<'not' | 'now' | 'done'>('not');
  const [now] = useState(() => Date.now());
  const elsewhere = isElsewhere ? 'It is open in another tab.' : null;
  const reasonId = useId();
  const obstacle = isCurrent ? null : (elsewhere ?? blocker);
  const about = [
    savedAt > 0 ? formatAge(Math.max(0, now - savedAt)) : '',
    formatCounted(turnCount, 'message'),
    models.join(', '),
  ].filter(Boolean);
  if (renaming === 'now') {
    const rename = (name: string) => (onRename(name), setRenaming('done'));
    return (
      <RenameForm
        label="Title"
        start={isNamed ? title : ''}
        maxLength={200}
        placeholder="The first message"
        onRename={rename}
        onCancel={() => setRenaming('done')}
      />
    );
  }
  return (
    <li className="group flex items-center gap-1 rounded-md px-2 hover:bg-raised">
      <button
        type="button"
        onClick={isCurrent || obstacle !== null ? undefined : onOpen}
        aria-current={isCurrent || undefined}
        aria-disabled={obstacle !== null || undefined}
        aria-describedby={obstacle === null ? undefined : reasonId}
        data-tip={obstacle ?? undefined}
        className="flex min-w-0 flex-1 flex-col py-1.5 text-left aria-disabled:cursor-not-allowed"
      >
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{title}</span>
          {isCurrent && <span className="shrink-0 rounded bg-accent-soft px-1.5 text-xs text-accent">open here</span>}
          {isElsewhere && (
            <span className="shrink-0 rounded bg-wait-soft px-1.5 text-xs text-wait">open in another tab</span>
          )}
          {isDamaged && <span className="shrink-0 rounded bg-bad-soft px-1.5 text-xs text-bad">can’t be read</span>}
        </span>
        {excerpt !== null && <span className="truncate text-sm">{excerpt}</span>}
        <span className="truncate text-sm text-soft">{about.join(' · ')}</span>
      </button>
      {obstacle !== null && (
        <span id={reasonId} hidden>
          {obstacle}
        </span>
      )}
      <IconButton
        label={`Rename ${title}`}
        icon={<Pencil {...ICON} />}
        ref={renaming === 'done' ? takeFocus : undefined}
        onClick={() => setRenaming('now')}
        disabledReason={elsewhere}
      />
      <IconButton label={`Export ${title}`} icon={<Download {...ICON} />} onClick={onExport} />
      <IconButton
        label={`Delete ${title}`}
        icon={<Trash2 {...ICON} />}
        onClick={onDelete}
        disabledReason={elsewhere ?? (isCurrent ? blocker : null)}
      />
    </li>
  );
}
