import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { modelsQuery, sessionQuery } from '../api/queries';
import type { TreeNode } from '../contract/projectReader';
import { useUrlState } from '../session/urlState';
import { toLatePart } from '../ui/latePart';
import { Skeleton } from '../ui/Skeleton';
import { preselectModel, showModels } from './actions';
import { Composer } from './Composer';
import { openDeskSaver, takeLeft } from './deskSaver';
import { useDesk } from './deskStore';
import { leaveSession, tellLeft } from './lateActions';
import { toModelOptions, toTunedModels } from './modelOptions';
import { Pane } from './Pane';
import { PaneStrip } from './PaneStrip';
import { ActionsContext } from './playgroundActions';
import { PlaygroundDialogs } from './PlaygroundDialogs';
import { PlaygroundHeader } from './PlaygroundHeader';
import { SessionBoundary } from './SessionBoundary';
import { StorageNotice } from './StorageNotice';
import { StreamAnnouncer } from './StreamAnnouncer';
import { toActions } from './toActions';
import { keepView, readView } from './viewChoice';

const GridView = toLatePart('The grid', async () => (await import('./GridView')).GridView);

interface PlaygroundProps {
  project: TreeNode | null;
}

/** Prompts against 1 to 8 models side by side, with one composer for all. */
export function Playground({ project }: PlaygroundProps) {
  const { models } = useUrlState();
  const [view, setView] = useState(readView);
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const listed = useQuery(modelsQuery()).data;
  const mode = useQuery(sessionQuery()).data?.mode ?? null;
  const actions = useMemo(() => toActions(mode), [mode]);
  const tuned = useMemo(() => toTunedModels(project), [project]);
  const options = useMemo(() => toModelOptions(tuned, listed ?? []), [tuned, listed]);

  useEffect(() => void openDeskSaver().then(() => tellLeft(takeLeft())), []);
  useEffect(() => {
    if (isLoaded) showModels(models);
  }, [isLoaded, models]);
  const first = tuned[0]?.modelId ?? '';
  useEffect(() => {
    if (isLoaded && first !== '') preselectModel(first);
  }, [isLoaded, first]);

  const empty = <Skeleton className="flex-1 p-4" rows={5} />;
  return (
    <ActionsContext value={actions}>
      <div className="flex h-full min-h-0 flex-col bg-surface">
        <SessionBoundary onLeave={leaveSession}>
          <PlaygroundHeader tuned={tuned} view={view} onView={(next) => (keepView(next), setView(next))} />
          <StorageNotice />
          {view === 'chat' && (isLoaded ? <PaneStrip renderPane={(place) => <Pane key={place.paneId} {...place} options={options} />} /> : empty)}
          {view === 'chat' && <Composer />}
          {view === 'grid' && <Suspense fallback={empty}>{isLoaded ? <GridView mode={mode} options={options} /> : empty}</Suspense>}
          <StreamAnnouncer />
          <PlaygroundDialogs />
        </SessionBoundary>
      </div>
    </ActionsContext>
  );
}
