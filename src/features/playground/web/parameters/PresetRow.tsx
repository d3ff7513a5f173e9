import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { LIBRARY_LIMITS } from '#features/playground/shared/libraryLimits.ts';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { type Preset } from './presets.ts';
import { RenameForm } from '#ui/fields/RenameForm.tsx';
import { toSettingSummary } from '#features/playground/web/desk/settingLabels.ts';

interface PresetRowProps {
  preset: Preset;
  onApply: () => void;
  /** Absent: the preset is built in. */
  findProblem?: (name: string) => string | null;
  onRename?: (name: string) => void;
  onDelete?: () => void;
  /** Who changed it last, or where it is kept. */
  note?: string;
  /** Why it may not be changed; null: it may. */
  disabledReason?: string | null;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

/** One function for all renders, so React calls it only when the button appears. */
const takeFocus = (element: HTMLButtonElement | null) => element?.focus();

function toSummary({ about, settings }: Preset): string {
  const prompt = about.includes('systemPrompt')
    ? settings.systemPrompt === undefined
      ? 'no system prompt'
      : `“${settings.systemPrompt.slice(0, 60)}”`
    : '';
  return [toSettingSummary(settings), prompt].filter(Boolean).join(' · ');
}

export function PresetRow({
  preset,
  onApply,
  findProblem,
  onRename,
  onDelete,
  note,
  disabledReason = null,
}: PresetRowProps) {
  const [renaming, setRenaming] = useState<'idle' | 'open' | 'done'>('idle');
  if (renaming === 'open' && onRename) {
    const rename = (name: string) => (onRename(name), setRenaming('done'));
    return (
      <RenameForm
        label="Name"
        start={preset.name}
        maxLength={LIBRARY_LIMITS.name}
        findProblem={findProblem}
        onRename={rename}
        onCancel={() => setRenaming('done')}
      />
    );
  }
  return (
    <li className="flex items-center gap-1 rounded-md px-2 py-1 hover:bg-raised">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{preset.name}</span>
          {(!onRename || note) && (
            <span className="shrink-0 rounded bg-neutral-soft px-1.5 text-xs text-soft">{note ?? 'built in'}</span>
          )}
        </span>
        <span className="truncate text-sm text-soft">{toSummary(preset)}</span>
      </span>
      <Button size="small" onClick={onApply} aria-label={`Apply ${preset.name}`}>
        Apply
      </Button>
      {onRename && (
        <IconButton
          label={`Rename ${preset.name}`}
          icon={<Pencil {...ICON} />}
          ref={renaming === 'done' ? takeFocus : undefined}
          disabledReason={disabledReason}
          onClick={() => setRenaming('open')}
        />
      )}
      {onDelete && (
        <IconButton
          label={`Delete ${preset.name}`}
          icon={<Trash2 {...ICON} />}
          disabledReason={disabledReason}
          onClick={onDelete}
        />
      )}
    </li>
  );
}
