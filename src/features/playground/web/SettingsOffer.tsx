import { X } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { keepFocus } from '#ui/kit/keepFocus.ts';
import { resetSettings } from '#features/playground/web/desk/actions.ts';
import { paneSettings } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { findSchemaSource, isSameModelSettings, toModelSettings } from '#features/playground/web/desk/modelSettings.ts';
import { dropOffer, takeModelSettings, useOffers } from '#features/playground/web/desk/settingsOffer.ts';
import { useBroughtSettings } from '#features/playground/web/parameters/useBroughtSettings.ts';

interface SettingsOfferProps {
  paneId: string;
  model: string;
  /** The model as people call it. */
  name: string;
  /** null: the service knows none for this model. */
  examples: Examples | null;
}

/** What the pane's settings have to do with those that models bring. */
export function SettingsOffer({ examples, ...pane }: SettingsOfferProps) {
  return (
    <>
      {examples && <OwnSettings {...pane} examples={examples} />}
      <BroughtSchema paneId={pane.paneId} />
    </>
  );
}

const LINE = 'flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-t border-line px-3 py-1 text-sm';

/** Answers are held to a schema that nobody wrote: without a word, a wrong answer would look like the model's fault. */
function BroughtSchema({ paneId }: Pick<SettingsOfferProps, 'paneId'>) {
  const brought = useBroughtSettings(paneId);
  const source = usePane(paneId, (pane, desk) => findSchemaSource(paneSettings(desk, pane), brought)) ?? null;
  if (source === null) return null;
  const turnOff = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    keepFocus(currentTarget);
    resetSettings(paneId, ['response_format'], 'Answers follow no schema now.');
  };
  return (
    <div className={`${LINE} flex-nowrap!`}>
      <span className="min-w-0 flex-1 text-soft">
        Answers follow a JSON schema made from the rows of {source === 'own' ? 'the model' : 'the first pane’s model'}.
      </span>
      <Button size="small" aria-label="Turn off the schema" onClick={turnOff}>
        Turn off
      </Button>
    </div>
  );
}

/** After the model of a pane was changed: the settings stayed, and here are the model's own. */
function OwnSettings({ paneId, model, name, examples }: SettingsOfferProps & { examples: Examples }) {
  const isOffered = useOffers((offers) => offers[paneId] === model);
  const isSame =
    usePane(paneId, (pane, desk) => isSameModelSettings(paneSettings(desk, pane), toModelSettings(examples))) ?? true;
  if (!isOffered || isSame) return null;
  return (
    <div className={LINE}>
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
