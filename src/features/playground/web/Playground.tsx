import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { examplesQuery, modelsQuery, sessionQuery } from '#ui/client/queries.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { useCommands } from '#ui/commands/commands.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { findUnchosen, preselectModel } from '#features/playground/web/desk/actions.ts';
import { Composer } from './Composer.tsx';
import { openDeskSaver, takeDisplacedSession } from '#features/playground/web/storage/deskSaver.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { setExamplesSource } from '#features/playground/web/desk/examplesSource.ts';
import { followModels } from '#features/playground/web/sessions/followModels.ts';
import { leaveSession, reportDisplacedSession } from '#features/playground/web/sessions/lazyActions.ts';
import { openCheckpoints, toModelOptions, toTunedModels } from '#features/playground/web/desk/modelOptions.ts';
import { Pane } from './Pane.tsx';
import { PaneStrip } from './PaneStrip.tsx';
import { PlaygroundDialogs } from './PlaygroundDialogs.tsx';
import { PlaygroundHeader } from './PlaygroundHeader.tsx';
import { StorageNotice } from './StorageNotice.tsx';
import { focusMessage } from '#features/playground/web/desk/paneFocus.ts';
import { StreamAnnouncer } from '#features/playground/web/conversation/StreamAnnouncer.tsx';
import { ModeContext } from '#features/playground/web/sending/useRunAction.ts';
import { storeView, readView, type PlaygroundView } from '#features/playground/web/desk/viewChoice.ts';

const KeptNote = toLazyPart('A note', async () => (await import('#features/traces/web/KeptNote.tsx')).KeptNote);

const GridView = toLazyPart('The grid', async () => (await import('./GridView.tsx')).GridView);

/** A session that can't be shown would fail again after each reload. */
const NEW_SESSION = {
  label: 'Open a new session',
  hint: 'open a new session: this one stays stored, under Sessions.',
  leave: leaveSession,
};

interface PlaygroundProps {
  project: TreeNode | null;
}

/** Sends prompts to 1 to 8 models side by side, with one composer for all. */
export function Playground({ project }: PlaygroundProps) {
  const { models, grid } = useUrlState();
  const [view, setView] = useState(readView);
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const listed = useQuery(modelsQuery()).data;
  const mode = useQuery(sessionQuery()).data?.mode ?? null;
  const tuned = useMemo(() => toTunedModels(project), [project]);
  const findCheckpoint = useMemo(() => openCheckpoints(project), [project]);
  const options = useMemo(() => toModelOptions(tuned, listed ?? [], findCheckpoint), [tuned, listed, findCheckpoint]);
  const names = useMemo(() => new Map(options.map(({ value, label, short }) => [value, short ?? label])), [options]);

  const client = useQueryClient();
  useEffect(() => {
    setExamplesSource({
      load: (model) => fetchKept(client, examplesQuery(model)),
      peek: (model) => client.getQueryData(examplesQuery(model).queryKey) ?? null,
    });
    return () => setExamplesSource(null);
  }, [client]);
  useEffect(() => void openDeskSaver().then(() => reportDisplacedSession(takeDisplacedSession())), []);
  useEffect(() => {
    if (isLoaded) followModels(models);
  }, [isLoaded, models]);
  const first = tuned[0]?.modelId ?? '';
  useEffect(() => {
    if (!isLoaded || first === '' || project === null || findUnchosen() === null) return undefined;
    let isOver = false;
    const fill = (best: string | null): void => {
      if (!isOver) preselectModel(best ?? first);
    };
    void import('#features/experiments/web/findBestModel.ts')
      .then(({ findBestModel }) => findBestModel(client, project))
      .then(fill, () => fill(null));
    return () => {
      isOver = true;
    };
  }, [isLoaded, first, project, client]);

  // An address with a grid shows the grid.
  if (grid !== null && view !== 'grid') setView('grid');
  useEffect(() => storeView(view), [view]);
  const showView = (next: PlaygroundView): void => {
    if (next === 'chat') updateUrl({ grid: null }, { replace: true });
    setView(next);
  };
  const writeExample = (): void => {
    showView('chat');
    const focused = document.activeElement;
    // The next press of Enter sends it, unless the person went on elsewhere.
    const focus = (): void => {
      if (document.activeElement === focused || document.activeElement === document.body) focusMessage();
    };
    void import('#features/playground/web/sessions/examplePrompt.ts')
      .then(({ writeExamplePrompt }) => writeExamplePrompt())
      .then(focus, focus);
  };
  useCommands({ chat: () => showView('chat'), grid: () => showView('grid'), 'example-prompt': writeExample });
  const backToChat = {
    label: 'Back to the chat',
    hint: 'go back to the chat: the grid’s rows and answers stay stored.',
    leave: () => showView('chat'),
  };
  const loading = <Skeleton className="flex-1 p-4" rows={5} />;
  return (
    <ModeContext value={mode}>
      <div className="flex h-full min-h-0 flex-col bg-surface">
        <FeatureBoundary name="The playground" fallback={loading} wayOut={NEW_SESSION}>
          <PlaygroundHeader tuned={tuned} view={view} onView={showView} />
          <StorageNotice />
          <Suspense>
            <KeptNote />
          </Suspense>
          {view === 'chat' &&
            (isLoaded ? (
              <PaneStrip
                renderPane={(place) => (
                  <Pane key={place.paneId} {...place} options={options} findCheckpoint={findCheckpoint} />
                )}
              />
            ) : (
              loading
            ))}
          {view === 'chat' && <Composer />}
          {view === 'grid' && (
            <FeatureBoundary name="The grid" fallback={loading} wayOut={backToChat}>
              {isLoaded ? <GridView project={project} mode={mode} names={names} /> : loading}
            </FeatureBoundary>
          )}
          <StreamAnnouncer />
          <PlaygroundDialogs names={names} onGrid={() => showView('grid')} />
        </FeatureBoundary>
      </div>
    </ModeContext>
  );
}
