import { Suspense, type ComponentType } from 'react';
import { dropShareHash, useShareHash } from '#ui/address/sharedLink.ts';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ToastRegion } from '#ui/kit/ToastRegion.tsx';
import { closeDialog, usePlaygroundDialog, type PlaygroundDialog } from '#ui/commands/dialogs.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';

interface BodyProps {
  paneId: string | null;
  /** The names of models that the page knows, by id. */
  names: ReadonlyMap<string, string>;
  onClose: () => void;
  /** Shows the prompt grid. */
  onGrid: () => void;
}

type ShownDialog = PlaygroundDialog['kind'] | 'arrival';

const TITLES: Readonly<Record<ShownDialog, string>> = {
  sessions: 'Sessions',
  presets: 'Presets',
  share: 'Share this session',
  'share-grid': 'Share this grid',
  examples: 'Training examples',
  code: 'Code for this request',
  arrival: 'A session from a link',
};

const Dialog = toLazyPopup(async () => (await import('#ui/kit/Dialog.tsx')).Dialog);

/** Each dialog loads when it is opened. */
const BODIES: Readonly<Record<ShownDialog, ComponentType<BodyProps>>> = {
  sessions: toLazyPopup(async () => (await import('./SessionsAndGrids.tsx')).SessionsAndGrids),
  presets: toLazyPopup<BodyProps>(
    async () => (await import('#features/playground/web/parameters/PresetsView.tsx')).PresetsView,
  ),
  share: toLazyPopup(async () => (await import('#features/playground/web/sessions/ShareView.tsx')).ShareView),
  'share-grid': toLazyPopup(async () => (await import('./GridShareView.tsx')).GridShareView),
  examples: toLazyPopup(
    async () => (await import('#features/playground/web/sessions/TrainingRowsView.tsx')).TrainingRowsView,
  ),
  code: toLazyPopup<BodyProps>(async () => (await import('#features/playground/web/inspector/CodeView.tsx')).CodeView),
  arrival: toLazyPopup(async () => (await import('#features/playground/web/sessions/ShareArrival.tsx')).ShareArrival),
};

/** The only dialog of the playground. */
export function PlaygroundDialogs({ names, onGrid }: Pick<BodyProps, 'names' | 'onGrid'>) {
  const opened = usePlaygroundDialog();
  const hash = useShareHash();
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const name: ShownDialog | null = hash !== null && isLoaded ? 'arrival' : (opened?.kind ?? null);
  const paneId = opened?.paneId ?? null;
  const onClose = name === 'arrival' ? dropShareHash : closeDialog;
  if (name === null) return null;
  const Body = BODIES[name];
  return (
    <Suspense>
      <Dialog title={TITLES[name]} isOpen onClose={onClose}>
        <Suspense fallback={<Skeleton rows={5} />}>
          <Body key={paneId} paneId={paneId} names={names} onClose={onClose} onGrid={onGrid} />
        </Suspense>
        {/* An open dialog blocks the region of toasts behind it. */}
        <ToastRegion />
      </Dialog>
    </Suspense>
  );
}
