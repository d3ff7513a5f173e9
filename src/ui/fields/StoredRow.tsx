import { Download, Pencil, Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { formatAge } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { RenameForm } from './RenameForm.tsx';

interface StoredRowProps {
  title: string;
  /** Before the title. */
  icon?: ReactNode;
  /** Unix milliseconds; 0: unknown. */
  savedAt: number;
  isCurrent: boolean;
  isElsewhere: boolean;
  isUnreadable: boolean;
  /** Why nothing else can be opened now; null: it can. */
  blocker: string | null;
  /** Why this one can't be opened, whatever else is going on; null: it can. */
  damage?: string | null;
  /** A line below the title, such as the hit of a search. */
  excerpt?: string | null;
  about: readonly string[];
  onOpen: () => void;
  /** Absent in lists where things are only opened. */
  actions?: {
    readonly nameLabel: string;
    readonly name: string;
    readonly maxLength: number;
    readonly placeholder: string;
    readonly onRename: (name: string) => void;
    readonly saveLabel: string;
    readonly onSave: () => void;
    readonly onDelete: () => void;
  };
  /** More buttons, before those of `actions`. */
  children?: ReactNode;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;
const MARK = 'shrink-0 rounded px-1.5 text-xs';

/** Stays the same function, so React calls it once. */
const takeFocus = (element: HTMLButtonElement | null) => element?.focus();

/** A line of a list of what this browser stores: opens, renames, saves and deletes it. */
export function StoredRow({ title, isCurrent, isElsewhere, blocker, damage = null, actions, ...row }: StoredRowProps) {
  const [renaming, setRenaming] = useState<'not' | 'now' | 'done'>('not');
  const [now] = useState(() => Date.now());
  const reasonId = useId();
  const elsewhere = isElsewhere ? 'It is open in another tab.' : null;
  const obstacle = isCurrent ? null : (elsewhere ?? damage ?? blocker);
  const age = row.savedAt > 0 ? formatAge(Math.max(0, now - row.savedAt)) : '';
  if (renaming === 'now' && actions) {
    return (
      <RenameForm
        label={actions.nameLabel}
        start={actions.name}
        maxLength={actions.maxLength}
        placeholder={actions.placeholder}
        onRename={(name) => (actions.onRename(name), setRenaming('done'))}
        onCancel={() => setRenaming('done')}
      />
    );
  }
  return (
    <li className="flex items-center gap-1 rounded-md px-2 hover:bg-raised">
      <button
        type="button"
        onClick={isCurrent || obstacle !== null ? undefined : row.onOpen}
        aria-current={isCurrent || undefined}
        aria-disabled={obstacle !== null || undefined}
        aria-describedby={obstacle === null ? undefined : reasonId}
        title={obstacle === null ? title : undefined}
        data-tip={obstacle ?? undefined}
        className="flex min-w-0 flex-1 flex-col py-1.5 text-left aria-disabled:cursor-not-allowed"
      >
        <span className="flex min-w-0 items-center gap-2">
          {row.icon}
          <span className="truncate font-medium">{title}</span>
          {isCurrent && <span className={`${MARK} bg-accent-soft text-accent`}>open here</span>}
          {isElsewhere && <span className={`${MARK} bg-warning-soft text-warning`}>open in another tab</span>}
          {row.isUnreadable && <span className={`${MARK} bg-error-soft text-error`}>can’t be read</span>}
        </span>
        {typeof row.excerpt === 'string' && <span className="truncate text-sm">{row.excerpt}</span>}
        <span className="truncate text-sm text-soft">{[age, ...row.about].filter(Boolean).join(' · ')}</span>
      </button>
      {obstacle !== null && (
        <span id={reasonId} hidden>
          {obstacle}
        </span>
      )}
      {row.children}
      {actions && (
        <>
          <IconButton
            label={`Rename ${title}`}
            icon={<Pencil {...ICON} />}
            ref={renaming === 'done' ? takeFocus : undefined}
            onClick={() => setRenaming('now')}
            disabledReason={elsewhere}
          />
          <IconButton label={actions.saveLabel} icon={<Download {...ICON} />} onClick={actions.onSave} />
          <IconButton
            label={`Delete ${title}`}
            icon={<Trash2 {...ICON} />}
            onClick={actions.onDelete}
            disabledReason={elsewhere ?? (isCurrent ? blocker : null)}
          />
        </>
      )}
    </li>
  );
}
