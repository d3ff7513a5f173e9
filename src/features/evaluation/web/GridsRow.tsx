import { Download, Pencil, Table2, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { formatAge, formatCounted } from '#ui/kit/format.ts';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { RenameForm } from '#ui/fields/RenameForm.tsx';
import { MAX_NAME, toGridTitle, toRateTexts } from './gridEntry.ts';
import type { ListedGrid } from './gridList.ts';

interface GridsRowProps {
  grid: ListedGrid;
  /** Name of the grid's project; null: it has none. */
  project: string | null;
  /** Why no other grid can be opened now; null: it can. */
  runningReason: string | null;
  onOpen: () => void;
  /** Opens a copy of a grid that another tab has open. */
  onCopy: () => void;
  /** Absent in lists of more than grids. */
  actions?: {
    /** An empty name: the title is made of the source and the rows instead. */
    readonly onRename: (name: string) => void;
    readonly onSave: () => void;
    readonly onDelete: () => void;
  };
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

/** Stays the same function, so React calls it once. */
const takeFocus = (element: HTMLButtonElement | null) => element?.focus();

/** One grid of the list. */
export function GridsRow({ grid, project, runningReason, onOpen, onCopy, actions }: GridsRowProps) {
  const { isCurrent, isElsewhere, isReadable, savedAt, rows, answers, columns } = grid;
  const [renaming, setRenaming] = useState<'not' | 'now' | 'done'>('not');
  const [now] = useState(() => Date.now());
  const title = toGridTitle(grid);
  const rates = toRateTexts(grid);
  const elsewhere = isElsewhere ? 'It is open in another tab.' : null;
  const reasonId = useId();
  const unreadable = isReadable ? runningReason : 'It is damaged or comes from another version of the studio.';
  const obstacle = isCurrent ? null : (elsewhere ?? unreadable);
  const about = [
    savedAt > 0 ? formatAge(Math.max(0, now - savedAt)) : '',
    project ?? 'no project',
    formatCounted(rows, 'row'),
    formatCounted(answers, 'answer'),
    ...(rates.length > 0 ? rates : [columns.join(', ')]),
  ];
  if (renaming === 'now' && actions) {
    const rename = (name: string) => (actions.onRename(name), setRenaming('done'));
    return (
      <RenameForm
        label="Name"
        start={grid.name}
        maxLength={MAX_NAME}
        placeholder={toGridTitle({ ...grid, name: '' })}
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
        aria-disabled={obstacle !== null || undefined}
        aria-describedby={obstacle === null ? undefined : reasonId}
        title={obstacle === null ? title : undefined}
        data-tip={obstacle ?? undefined}
        className="flex min-w-0 flex-1 flex-col py-1.5 text-left aria-disabled:cursor-not-allowed"
      >
        <span className="flex min-w-0 items-center gap-2">
          <Table2 {...ICON} className="shrink-0 text-faint" />
          {!actions && <span className="sr-only">Grid</span>}
          <span className="truncate font-medium">{title}</span>
          {isCurrent && <span className="shrink-0 rounded bg-accent-soft px-1.5 text-xs text-accent">open here</span>}
          {isElsewhere && (
            <span className="shrink-0 rounded bg-wait-soft px-1.5 text-xs text-wait">open in another tab</span>
          )}
          {!isReadable && <span className="shrink-0 rounded bg-bad-soft px-1.5 text-xs text-bad">can’t be read</span>}
        </span>
        <span className="truncate text-sm text-soft">{about.filter(Boolean).join(' · ')}</span>
      </button>
      {obstacle !== null && (
        <span id={reasonId} hidden>
          {obstacle}
        </span>
      )}
      {isElsewhere && isReadable && (
        <Button size="small" onClick={onCopy} disabledReason={runningReason}>
          Open a copy
        </Button>
      )}
      {actions && (
        <>
          <IconButton
            label={`Rename ${title}`}
            icon={<Pencil {...ICON} />}
            ref={renaming === 'done' ? takeFocus : undefined}
            onClick={() => setRenaming('now')}
            disabledReason={elsewhere}
          />
          <IconButton label={`Save ${title} as JSON`} icon={<Download {...ICON} />} onClick={actions.onSave} />
          <IconButton
            label={`Delete ${title}`}
            icon={<Trash2 {...ICON} />}
            onClick={actions.onDelete}
            disabledReason={elsewhere ?? (isCurrent ? runningReason : null)}
          />
        </>
      )}
    </li>
  );
}
