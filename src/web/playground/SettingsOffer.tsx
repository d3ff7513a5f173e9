import { X } from 'lucide-react';
import type { Examples } from '#shared/contract/routes.ts';
import { Button } from '#web/ui/Button.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { paneSettings } from '#web/playground/desk/desk.ts';
import { usePane } from '#web/playground/desk/deskStore.ts';
import { isSameModelSettings, toModelSettings } from '#web/playground/desk/modelSettings.ts';
import { dropOffer, takeModelSettings, useOffers } from '#web/playground/desk/settingsOffer.ts';

interface SettingsOfferProps {
  paneId: string;
  model: string;
  /** The model as people call it. */
  name: string;
  examples: Examples;
}

/** After the model of a pane was changed: the settings stayed, and here are the model's own. */
export function SettingsOffer({ paneId, model, name, examples }: SettingsOfferProps) {
  const isOffered = useOffers((offers) => offers[paneId] === model);
  const isSame =
    usePane(paneId, (pane, desk) => isSameModelSettings(paneSettings(desk, pane), toModelSettings(examples))) ?? true;
  if (!isOffered || isSame) return null;
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-t border-line px-3 py-1 text-sm">
      <span className="min-w-0 text-soft">The settings stayed.</span>
      <Button size="small" className="min-w-0" onClick={() => takeModelSettings(paneId, examples)}>
        <span className="truncate">Use {name}’s own settings</span>
      </Button>
      <IconButton
        label="Keep these settings"
        icon={<X aria-hidden size={12} />}
        className="ml-auto"
        onClick={() => dropOffer(paneId)}
      />
    </div>
  );
}
