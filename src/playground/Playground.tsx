import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { modelsQuery, sessionQuery } from '../api/queries';
import type { TreeNode } from '../contract/projectReader';
import { useUrlState } from '../session/urlState';
import { FeatureBoundary } from '../ui/FeatureBoundary';
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
import { StorageNotice } from './StorageNotice';
import { StreamAnnouncer } from './StreamAnnouncer';
import { toActions } from './toActions';
import { keepView, readView, type PlaygroundView } from './viewChoice';

const GridView = toLatePart('The grid', async () => (await import('./GridView')).GridView);

/** A session that can't be shown would come back with each reload. */
const NEW_SESSION = { label: 'Open a new session', hint: 'open a new session: this one stays stored, under Sessions.', leave: leaveSession };

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

  const showView = (next: PlaygroundView): void => {
    keepView(next);
    setView(next);
  };
  const toChat = { label: 'Back to the chat', hint: 'go back to the chat: the grid’s rows and answers stay stored.', leave: () => showView('chat') };
  const empty = <Skeleton className="flex-1 p-4" rows={5} />;
  return (
    <ActionsContext value={actions}>
      <div className="flex h-full min-h-0 flex-col bg-surface">
        <FeatureBoundary name="The playground" fallback={empty} wayOut={NEW_SESSION}>
          <PlaygroundHeader tuned={tuned} view={view} onView={showView} />
          <StorageNotice />
          {view === 'chat' && (isLoaded ? <PaneStrip renderPane={(place) => <Pane key={place.paneId} {...place} options={options} />} /> : empty)}
          {view === 'chat' && <Composer />}
          {view === 'grid' && (
            <FeatureBoundary name="The grid" fallback={empty} wayOut={toChat}>
              {isLoaded ? <GridView mode={mode} options={options} /> : empty}
            </FeatureBoundary>
          )}
          <StreamAnnouncer />
          <PlaygroundDialogs />
        </FeatureBoundary>
      </div>
    </ActionsContext>
  );
}
