import { Link2, RotateCcw, Unlink2 } from 'lucide-react';
import { use, useRef, type ReactNode } from 'react';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { paneSettings } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { setLinked, setSettings } from '#features/playground/web/desk/actions.ts';
import { isChanged } from '#features/playground/web/desk/settingLabels.ts';
import { BroughtSettings } from './useBroughtSettings.ts';
import { SETTING_LABELS, type SettingName } from '#features/playground/web/desk/settings.ts';

interface SettingRowProps {
  paneId: string;
  name: SettingName;
  /** There are other panes to link with. */
  canLink: boolean;
  /** The field has its own reset. */
  hasReset?: boolean;
  /** The place of the reset button stays free while there is none, so that fields are equally wide. */
  hasSpace?: boolean;
  children?: ReactNode;
}

/** A setting with a mark if a person changed it, a reset button and a link button. */
export function SettingRow({ paneId, name, canLink, hasReset = false, hasSpace = false, children }: SettingRowProps) {
  const brought = use(BroughtSettings);
  const isMarked = usePane(paneId, (pane, desk) => isChanged(paneSettings(desk, pane), name, brought)) ?? false;
  const isSet = usePane(paneId, (pane, desk) => paneSettings(desk, pane)[name] !== undefined) ?? false;
  const isLinked = usePane(paneId, (pane) => !(name in pane.own)) ?? true;
  const label = SETTING_LABELS[name];
  const field = useRef<HTMLDivElement>(null);
  const unset = () => {
    setSettings(paneId, { [name]: undefined });
    // The focused button disappears.
    field.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  };
  return (
    <div className="relative flex items-start gap-0.5">
      {isMarked && (
        <i
          aria-hidden
          title="You changed this setting"
          className="absolute top-2.5 -left-2.5 size-1.5 rounded-full bg-accent"
        />
      )}
      <div ref={field} className="grid min-h-7 min-w-0 flex-1 items-center">
        {children}
      </div>
      {(hasReset || !isSet) && hasSpace && <i aria-hidden className="size-6 shrink-0" />}
      {!hasReset && isSet && (
        <IconButton
          label={`Unset ${label}`}
          icon={<RotateCcw aria-hidden size={12} />}
          className="size-6! mt-0.5"
          onClick={unset}
        />
      )}
      {canLink && (
        <IconButton
          label={isLinked ? `${label}: linked, the same in all linked panes` : `${label}: own, for this pane alone`}
          icon={isLinked ? <Link2 aria-hidden size={12} /> : <Unlink2 aria-hidden size={12} className="text-accent" />}
          className="size-6! mt-0.5 text-faint!"
          onClick={() => setLinked(paneId, [name], !isLinked)}
        />
      )}
    </div>
  );
}
