import { useQuery } from '@tanstack/react-query';
import { formatClock } from '#ui/kit/format.ts';
import { useEffect, useState, useMemo, type ReactNode } from 'react';
import { Hourglass, WifiOff } from 'lucide-react';
import { isMissing, ApiFailure } from '#ui/client/failure.ts';
import { recommendationQuery, sessionQuery, modelsQuery } from '#ui/client/queries.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { AskButton } from './AskButton.tsx';
import { FailedNotice } from './FailedNotice.tsx';
import { GenerateCommand } from './GenerateCommand.tsx';
import { toAnnouncement, toPanelView } from './panelView.ts';
import { ProcessingNotice } from './ProcessingNotice.tsx';
import { RecordHeader } from './RecordHeader.tsx';
import { RecordLists } from './RecordLists.tsx';
import { noteAnswer } from './watchStore.ts';

interface ErrorWords {
  readonly detail: string;
  /** What to do next; never empty. */
  readonly hint: string;
}

/** Words for an ApiFailure or any other error. */
function toErrorWords(error: Error): ErrorWords {
  const hint = error instanceof ApiFailure ? error.hint : '';
  return { detail: error.message || error.name, hint: hint || 'Try again. If it stays, reload the page.' };
}

interface LoadFailureProps {
  error: Error;
  /** ms since 1970. */
  failedAt: number;
  onRetry: () => void;
}

/** No answer at all, and no earlier one to show. */
function LoadFailure({ error, failedAt, onRetry }: LoadFailureProps) {
  const { detail, hint } = toErrorWords(error);
  return (
    <ErrorNotice
      title="Recommendations could not be loaded"
      detail={`${detail} (${formatClock(failedAt)})`}
      hint={hint}
      onRetry={onRetry}
    />
  );
}

interface MissingNoticeProps {
  snapshot: TreeNode;
  /** When the service last said so, ms since 1970. */
  checkedAt: number;
  onCheck: () => void;
  /** The command that requests one. */
  command: ReactNode;
}

/** The service answered 404: nothing is broken, but there is no record yet. */
function MissingNotice({ snapshot, checkedAt, onCheck, command }: MissingNoticeProps) {
  return (
    <div className="flex flex-col items-center">
      <EmptyState
        icon={<Hourglass aria-hidden size={20} />}
        title="No recommendation for this snapshot yet"
        action={<Button onClick={onCheck}>Check again</Button>}
      >
        The service has none for {nodeLabel(snapshot)}. If the snapshot was deleted, select another one in the project
        tree. Otherwise ask the service for a recommendation, then check again. Last checked {formatClock(checkedAt)}.
      </EmptyState>
      {command}
    </div>
  );
}

interface StaleNoticeProps {
  error: Error;
  answeredAt: number;
  onCheck: () => void;
}

/** The last answer is still shown; says that it may be out of date, and why. */
function StaleNotice({ error, answeredAt, onCheck }: StaleNoticeProps) {
  const { detail, hint } = toErrorWords(error);
  return (
    <div className="flex flex-wrap items-start gap-2.5 rounded-[10px] bg-wait-soft px-3 py-2">
      <WifiOff aria-hidden size={14} className="mt-0.5 shrink-0 text-wait" />
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-semibold text-wait">Not up to date.</span> You see the answer of{' '}
          {formatClock(answeredAt)}. The last request failed: {detail}
        </p>
        <p className="text-soft">{hint}</p>
      </div>
      <Button size="small" onClick={onCheck}>
        Try again
      </Button>
    </div>
  );
}

interface RecordSkeletonProps {
  /** Why the request is being repeated; null at the first attempt. */
  repeatedBecause: string | null;
}

/** The shape of the content that loads: a header line, a plot, a list of models. */
function RecordSkeleton({ repeatedBecause }: RecordSkeletonProps) {
  return (
    <>
      {repeatedBecause !== null && <p className="px-1 text-soft">No answer yet, trying again: {repeatedBecause}</p>}
      <div className="rounded-[10px] border border-line bg-surface p-3">
        <Skeleton rows={1} className="max-w-80" />
      </div>
      <div className="rounded-[10px] border border-line bg-surface p-3" aria-hidden>
        <Skeleton rows={6} />
      </div>
      <div className="rounded-[10px] border border-line bg-surface p-3" aria-hidden>
        <Skeleton rows={8} />
      </div>
    </>
  );
}

/** Ids of served models; empty while unknown, and from a service that can't list them. */
function useServedModels(): ReadonlySet<string> {
  const { data } = useQuery(modelsQuery());
  return useMemo(() => new Set(data?.map((entry) => entry.id)), [data]);
}

interface SnapshotRecommendationProps {
  snapshot: TreeNode;
}

/** Requests one snapshot's recommendation and shows its state. */
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

  // A query without data forgets its error when it starts again, but the page must keep showing it.
  const [earlierError, setEarlierError] = useState<Error | null>(null);
  if (error && error !== earlierError) setEarlierError(error);

  const view = toPanelView({ data, error, earlierError, failureReason, isMissing });
  const isOwn = session?.mode === 'local';
  const toAsk = (isAgain: boolean) =>
    isOwn ? (
      <AskButton snapshotId={snapshot.id} isAgain={isAgain} variant={isAgain ? 'default' : 'primary'} />
    ) : (
      <GenerateCommand snapshotId={snapshot.id} remote={session?.remote ?? null} />
    );
  const checkAgain = () => void refetch({ cancelRefetch: false });
  return (
    <>
      <output className="sr-only">{toAnnouncement(view)}</output>
      {view.kind === 'loading' && <RecordSkeleton repeatedBecause={view.repeatedBecause} />}
      {view.kind === 'missing' && (
        <MissingNotice snapshot={snapshot} checkedAt={errorUpdatedAt} onCheck={checkAgain} command={toAsk(false)} />
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
            ask={isOwn && view.record.status === 'completed' && toAsk(true)}
          />
          {view.record.status === 'processing' && <ProcessingNotice snapshot={snapshot} />}
          {view.record.status === 'failed' && (
            <FailedNotice snapshot={snapshot} reason={view.record.error} command={toAsk(true)} />
          )}
          <RecordLists snapshot={snapshot} record={view.record} served={served} session={session ?? null} />
        </>
      )}
    </>
  );
}
