import { useEffect, useState, type ComponentType } from 'react';
import { dropShareHash, useShareHash } from '#web/session/sharedLink.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { showLoadError } from '#web/ui/lazy/loadErrors.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { closeDialog, useDialog, type DialogName } from '#web/playground/desk/dialogStore.ts';
import { useDesk } from '#web/playground/desk/deskStore.ts';

interface BodyProps {
  paneId: string | null;
  onClose: () => void;
}

type Shown = DialogName | 'arrival';

const TITLES: Readonly<Record<Shown, string>> = {
  sessions: 'Sessions',
  presets: 'Presets',
  share: 'Share this session',
  examples: 'Training examples',
  code: 'Code for this request',
  arrival: 'A session from a link',
};

/** None of it is needed before somebody asks for it. */
const LOADERS: Readonly<Record<Shown, () => Promise<ComponentType<BodyProps>>>> = {
  sessions: async () => (await import('#web/playground/sessions/SessionsView.tsx')).SessionsView,
  presets: async () => (await import('#web/playground/parameters/PresetsView.tsx')).PresetsView,
  share: async () => (await import('#web/playground/sessions/ShareView.tsx')).ShareView,
  examples: async () => (await import('#web/playground/sessions/TrainingRowsView.tsx')).TrainingRowsView,
  code: async () => (await import('#web/playground/records/CodeView.tsx')).CodeView,
  arrival: async () => (await import('#web/playground/sessions/ShareArrival.tsx')).ShareArrival,
};

/** The one dialog of the playground; it stays, so that it knows where the focus came from. */
export function PlaygroundDialogs() {
  const asked = useDialog();
  const hash = useShareHash();
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const [code, setCode] = useState<{ readonly name: Shown; readonly Body: ComponentType<BodyProps> } | null>(null);
  const name: Shown | null = hash !== null && isLoaded ? 'arrival' : asked.name;
  const onClose = name === 'arrival' ? dropShareHash : closeDialog;
  useEffect(() => {
    if (name === null) return undefined;
    let isWanted = true;
    const fail = () => {
      if (!isWanted) return;
      closeDialog();
      showLoadError();
    };
    LOADERS[name]().then((Body) => isWanted && setCode({ name, Body }), fail);
    return () => {
      isWanted = false;
    };
  }, [name]);
  return (
    <Dialog title={name === null ? '' : TITLES[name]} isOpen={name !== null} onClose={onClose}>
      {code && code.name === name ? (
        <code.Body key={asked.paneId} paneId={asked.paneId} onClose={onClose} />
      ) : (
        <Skeleton rows={5} />
      )}
      {/* The one behind can't be used while a dialog is open. */}
      <ToastRegion />
    </Dialog>
  );
}
