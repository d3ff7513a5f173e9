import { TextArea } from '#ui/fields/TextArea.tsx';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { SettingRow } from './SettingRow.tsx';
import type { Settings } from '#features/playground/web/desk/settings.ts';

interface OwnPromptFieldProps {
  paneId: string;
  settings: Settings;
  canLink: boolean;
  onChange: (patch: Settings) => void;
}

/** Panes share the system prompt of the composer. Here one pane can have its own. */
export function OwnPromptField({ paneId, settings, canLink, onChange }: OwnPromptFieldProps) {
  const isOwn = usePane(paneId, (pane) => 'systemPrompt' in pane.own) ?? false;
  if (!canLink) return null;
  return (
    <SettingRow paneId={paneId} name="systemPrompt" canLink hasReset={!isOwn}>
      {isOwn ? (
        <TextArea
          label="System prompt"
          rows={2}
          value={settings.systemPrompt ?? ''}
          onChange={(systemPrompt) => onChange({ systemPrompt })}
          placeholder="None for this pane"
          className="text-sm"
        />
      ) : (
        <p className="flex min-h-7 min-w-0 items-center gap-2">
          <span className="shrink-0 text-soft">System prompt</span>
          <span className="min-w-0 truncate text-sm text-faint" title={settings.systemPrompt}>
            {settings.systemPrompt?.trim() || 'none'}
          </span>
        </p>
      )}
    </SettingRow>
  );
}
