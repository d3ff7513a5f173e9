import { Download, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAge, formatCounted } from '#web/ui/format.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { RenameForm } from '#web/ui/fields/RenameForm.tsx';
import { MAX_NAME, toGridTitle } from './gridEntry.ts';
import type { ListedGrid } from './gridList.ts';

interface GridsRowProps {
  grid: ListedGrid;
  /** Name of the grid's project; null: it has none. */
  project: string | null;
  /** Why no other grid can be opened now; null: it can. */
  runningReason: string | null;
  onOpen: () => void;
  /** An empty name: the title counts the rows instead. */
  onRename: (name: string) => void;
  onSave: () => void;
  onDelete: () => void;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

/** Stays the same function, so React calls it once. */
const takeFocus = (element: HTMLButtonElement | null) => element?.focus();

/** One grid of the list. */
export function GridsRow({ grid, project, runningReason, onOpen, onRename, onSave, onDelete }: GridsRowProps) {
  const { isCurrent, isElsewhere, isReadable, savedAt, rows, answers, columns } = grid;
  const [renaming, setRenaming] = useState<'not' | 'now' | 'done'>('not');
  const [now] = useState(() => Date.now());
  const title = toGridTitle(grid);
  const elsewhere = isElsewhere ? 'It is open in another tab.' : null;
  const obstacle =
    elsewhere ?? (isReadable ? runningReason : 'It is damaged or comes from another version of the studio.');
  const about = [
    savedAt > 0 ? formatAge(Math.max(0, now - savedAt)) : '',
    project ?? 'no project',
    formatCounted(rows, 'row'),
    formatCounted(answers, 'answer'),
    columns.join(', '),
  ];
  if (renaming === 'now') {
    const rename = (name: string) => (onRename(name), setRenaming('done'));
    return (
      <RenameForm
        label="Name"
        start={grid.name}
        maxLength={MAX_NAME}
        placeholder="Named by its rows"
        onRename={rename}
        onCancel={() => setRenaming('done')}
      />
    );
  }
  return (
    <li className="flex items-center gap-1 rounded-md px-2 hover:bg-raised">
      <button
        type="button"
        onClick={isCurrent || obstacle !== null ? undefined : onOpen}
        aria-current={isCurrent || undefined}
        aria-disabled={(!isCurrent && obstacle !== null) || undefined}
        title={isCurrent ? title : (obstacle ?? title)}
        className="flex min-w-0 flex-1 flex-col py-1.5 text-left aria-disabled:cursor-not-allowed"
      >
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{title}</span>
          {isCurrent && <span className="shrink-0 rounded bg-accent-soft px-1.5 text-xs text-accent">on show</span>}
          {isElsewhere && (
            <span className="shrink-0 rounded bg-wait-soft px-1.5 text-xs text-wait">open in another tab</span>
          )}
          {!isReadable && <span className="shrink-0 rounded bg-bad-soft px-1.5 text-xs text-bad">can’t be read</span>}
        </span>
        <span className="truncate text-sm text-soft">{about.filter(Boolean).join(' · ')}</span>
      </button>
      <IconButton
        label={`Rename ${title}`}
        icon={<Pencil {...ICON} />}
        ref={renaming === 'done' ? takeFocus : undefined}
        onClick={() => setRenaming('now')}
        disabledReason={elsewhere}
      />
      <IconButton label={`Save ${title} as JSON`} icon={<Download {...ICON} />} onClick={onSave} />
      <IconButton
        label={`Delete ${title}`}
        icon={<Trash2 {...ICON} />}
        onClick={onDelete}
        disabledReason={elsewhere ?? (isCurrent ? runningReason : null)}
      />
    </li>
  );
}
