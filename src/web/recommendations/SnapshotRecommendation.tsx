import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isMissing } from '#web/api/failure.ts';
import { recommendationQuery, sessionQuery } from '#web/api/queries.ts';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { FailedNotice } from './FailedNotice.tsx';
import { GenerateCommand } from './GenerateCommand.tsx';
import { LoadFailure } from './LoadFailure.tsx';
import { MissingNotice } from './MissingNotice.tsx';
import { toAnnouncement, toPanelView } from './panelView.ts';
import { ProcessingNotice } from './ProcessingNotice.tsx';
import { RecordHeader } from './RecordHeader.tsx';
import { RecordLists } from './RecordLists.tsx';
import { RecordSkeleton } from './RecordSkeleton.tsx';
import { StaleNotice } from './StaleNotice.tsx';
import { useServedModels } from './useServedModels.ts';
import { noteAnswer } from './watchStore.ts';

interface SnapshotRecommendationProps {
  snapshot: TreeNode;
}

/** Asks for one snapshot's recommendation and shows whichever state it is in. */
export function SnapshotRecommendation({ snapshot }: SnapshotRecommendationProps) {
  const { data, error, failureReason, dataUpdatedAt, errorUpdatedAt, refetch } = useQuery(
    recommendationQuery(snapshot.id),
  );
  const { data: session } = useQuery(sessionQuery());
  const served = useServedModels();
  const status = data?.status;
  useEffect(() => {
    if (status !== undefined) noteAnswer(snapshot.id, { status, at: dataUpdatedAt });
  }, [snapshot.id, status, dataUpdatedAt]);

  // A query without data forgets its error when it starts anew; what is on the screen must not.
  const [earlierError, setEarlierError] = useState<Error | null>(null);
  if (error && error !== earlierError) setEarlierError(error);

  const view = toPanelView({ data, error, earlierError, failureReason, isMissing });
  const command = <GenerateCommand snapshotId={snapshot.id} remote={session?.remote ?? null} />;
  const checkAgain = () => void refetch({ cancelRefetch: false });
  return (
    <>
      <output className="sr-only">{toAnnouncement(view)}</output>
      {view.kind === 'loading' && <RecordSkeleton repeatedBecause={view.repeatedBecause} />}
      {view.kind === 'missing' && (
        <MissingNotice snapshot={snapshot} checkedAt={errorUpdatedAt} onCheck={checkAgain} command={command} />
      )}
      {view.kind === 'failure' && <LoadFailure error={view.error} failedAt={errorUpdatedAt} onRetry={checkAgain} />}
      {view.kind === 'record' && (
        <>
          {view.staleBecause && (
            <StaleNotice error={view.staleBecause} answeredAt={dataUpdatedAt} onCheck={checkAgain} />
          )}
          <RecordHeader
            record={view.record}
            answeredAt={dataUpdatedAt}
            isStale={view.staleBecause !== null}
            onCheck={checkAgain}
          />
          {view.record.status === 'processing' && <ProcessingNotice snapshot={snapshot} />}
          {view.record.status === 'failed' && (
            <FailedNotice snapshot={snapshot} reason={view.record.error} command={command} />
          )}
          <RecordLists snapshot={snapshot} record={view.record} served={served} session={session ?? null} />
        </>
      )}
    </>
  );
}
