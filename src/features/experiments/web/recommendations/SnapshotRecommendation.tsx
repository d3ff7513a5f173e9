import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { formatClock, formatCounted, formatDuration } from '#ui/kit/format.ts';
import { useEffect, useState, useMemo, type ReactNode } from 'react';
import { Hourglass, WifiOff, TriangleAlert } from 'lucide-react';
import { isMissing, ApiFailure } from '#ui/client/failure.ts';
import { recommendationQuery, sessionQuery, modelsQuery } from '#ui/client/queries.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { toAnnouncement, toPanelView } from './panelView.ts';
import { RecordHeader } from './RecordHeader.tsx';
import { RecordLists } from './RecordLists.tsx';
import { noteAnswer, useWatch } from './watchStore.ts';
import { requestRecommendation } from '#features/experiments/web/recommendationRequest.ts';
import { showToast } from '#ui/kit/toast.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { toFailureAdvice } from './advice.ts';
import { useNow } from '#ui/kit/useNow.ts';

interface AskButtonProps {
  snapshotId: string;
  /** There is an answer already. */
  isAgain: boolean;
  variant?: 'primary' | 'default' | 'quiet';
}

/** Asks the service for a recommendation. The panel then watches it. */
function AskButton({ snapshotId, isAgain, variant = 'default' }: AskButtonProps) {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const ask = async () => {
    setSending(true);
    try {
      await requestRecommendation(snapshotId);
      await client.invalidateQueries({ queryKey: recommendationQuery(snapshotId).queryKey });
    } catch (error) {
      const reason = error instanceof ApiFailure ? `${error.message} ${error.hint}` : String(error);
      showToast(`The request was not sent. ${reason}`, { tone: 'error' });
    }
    setSending(false);
  };
  return (
    <ChangeButton
      variant={variant}
      size="small"
      className="print:hidden"
      disabledReason={isSending ? 'The request is being sent.' : null}
      onClick={() => void ask()}
    >
      {isAgain ? 'Ask again' : 'Ask for a recommendation'}
    </ChangeButton>
  );
}

interface FailedNoticeProps {
  snapshot: TreeNode;
  /** In the service's own words; null: not given. */
  reason: string | null;
  /** The button that asks for it again. */
  ask: ReactNode;
}

/** The service failed for this snapshot: says why and what to do. */
function FailedNotice({ snapshot, reason, ask }: FailedNoticeProps) {
  return (
    <div className="flex gap-2.5 rounded-[10px] border border-error/40 bg-error-soft px-3 py-2.5">
      <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-error" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold text-error">The service could not make recommendations for this snapshot</p>
        {reason !== null && <p className="whitespace-pre-line">{reason}</p>}
        <ul className="list-disc pl-4">
          {toFailureAdvice(snapshot, reason !== null).map((advice) => (
            <li key={advice}>{advice}</li>
          ))}
        </ul>
        {ask}
        <p className="flex items-center gap-1 text-soft">
          Snapshot <code className="font-mono text-sm break-all">{snapshot.id}</code>
          <CopyButton label="Copy snapshot id" text={snapshot.id} />
        </p>
      </div>
    </div>
  );
}

interface ProcessingNoticeProps {
  snapshot: TreeNode;
}

const LONG_MS = 120_000;

/** Shown while the service computes: since when, and how often it was asked. */
function ProcessingNotice({ snapshot }: ProcessingNoticeProps) {
  const watch = useWatch(snapshot.id);
  const now = useNow(1000);
  const elapsed = watch ? Math.max(0, Math.floor((now - watch.since) / 1000) * 1000) : 0;
  return (
    <div className="rounded-[10px] border border-line bg-surface px-3 py-3">
      <p className="font-semibold">Computing recommendations for {nodeLabel(snapshot)}</p>
      <p className="mt-1 max-w-prose text-soft">
        The service reads the snapshot’s rows and chooses base models and hyperparameters. This page shows the result as
        soon as it is ready. You can leave and come back.
      </p>
      <dl className="mt-2.5 flex flex-wrap gap-x-6 gap-y-1">
        <div className="flex gap-1.5">
          <dt className="text-soft">Waiting for</dt>
          <dd className="min-w-20 font-medium">{elapsed < 10_000 ? `${elapsed / 1000} s` : formatDuration(elapsed)}</dd>
        </div>
        <div className="flex gap-1.5">
          <dt className="text-soft">Asked</dt>
          <dd className="font-medium">{formatCounted(watch?.polls ?? 1, 'time')}</dd>
        </div>
      </dl>
      {elapsed >= LONG_MS && (
        <p className="mt-2 max-w-prose">
          This takes longer than two minutes, so the page now asks less often. If nothing changes, search the service’s
          log for the snapshot’s id.
        </p>
      )}
    </div>
  );
}

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
  /** The button that asks for one. */
  ask: ReactNode;
}

/** The service answered 404: nothing is broken, but there is no record yet. */
function MissingNotice({ snapshot, checkedAt, onCheck, ask }: MissingNoticeProps) {
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
      {ask}
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
    <div className="flex flex-wrap items-start gap-2.5 rounded-[10px] bg-warning-soft px-3 py-2">
      <WifiOff aria-hidden size={14} className="mt-0.5 shrink-0 text-warning" />
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-semibold text-warning">Not up to date.</span> You see the answer of{' '}
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
  const toAsk = (isAgain: boolean) => (
    <AskButton snapshotId={snapshot.id} isAgain={isAgain} variant={isAgain ? 'default' : 'primary'} />
  );
  const checkAgain = () => void refetch({ cancelRefetch: false });
  return (
    <>
      <output className="sr-only">{toAnnouncement(view)}</output>
      {view.kind === 'loading' && <RecordSkeleton repeatedBecause={view.repeatedBecause} />}
      {view.kind === 'missing' && (
        <MissingNotice snapshot={snapshot} checkedAt={errorUpdatedAt} onCheck={checkAgain} ask={toAsk(false)} />
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
            ask={view.record.status === 'completed' && toAsk(true)}
          />
          {view.record.status === 'processing' && <ProcessingNotice snapshot={snapshot} />}
          {view.record.status === 'failed' && (
            <FailedNotice snapshot={snapshot} reason={view.record.error} ask={toAsk(true)} />
          )}
          <RecordLists snapshot={snapshot} record={view.record} served={served} session={session ?? null} />
        </>
      )}
    </>
  );
}
