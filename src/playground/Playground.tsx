import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { modelsQuery, sessionQuery } from '../api/queries';
import type { TreeNode } from '../contract/projectReader';
import { useUrlState } from '../session/urlState';
import { Skeleton } from '../ui/Skeleton';
import * as allActions from './actions';
import { Composer } from './Composer';
import { openDeskSaver } from './deskSaver';
import { useDesk } from './deskStore';
import { toModelOptions, toTunedModels } from './modelOptions';
import { PaneStrip } from './PaneStrip';
import { ActionsContext, type PlaygroundActions } from './playgroundActions';
import { PlaygroundHeader } from './PlaygroundHeader';
import { StorageNotice } from './StorageNotice';
import { StreamAnnouncer } from './StreamAnnouncer';

interface PlaygroundProps {
  project: TreeNode | null;
}

/** Prompts against 1 to 8 models side by side, with one composer for all. */
export function Playground({ project }: PlaygroundProps) {
  const { models } = useUrlState();
  const isLoaded = useDesk((state) => state.storage.isLoaded);
  const listed = useQuery(modelsQuery()).data;
  const mode = useQuery(sessionQuery()).data?.mode ?? null;
  const actions = useMemo<PlaygroundActions>(
    () => ({ ...allActions, retryPane: (paneId) => allActions.retryPane(paneId, mode), sendMessage: () => allActions.sendMessage(mode) }),
    [mode],
  );
  const tuned = useMemo(() => toTunedModels(project), [project]);
  const options = useMemo(() => toModelOptions(tuned, listed ?? []), [tuned, listed]);

  useEffect(() => void openDeskSaver(), []);
  useEffect(() => {
    if (isLoaded) allActions.showModels(models);
  }, [isLoaded, models]);
  const first = tuned[0]?.modelId ?? '';
  useEffect(() => {
    if (isLoaded && first !== '') allActions.preselectModel(first);
  }, [isLoaded, first]);

  return (
    <ActionsContext value={actions}>
      <div className="flex h-full min-h-0 flex-col bg-surface">
        <PlaygroundHeader tuned={tuned} />
        <StorageNotice />
        {isLoaded ? <PaneStrip options={options} /> : <Skeleton className="flex-1 p-4" rows={5} />}
        <Composer />
        <StreamAnnouncer />
      </div>
    </ActionsContext>
  );
}
