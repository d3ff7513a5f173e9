import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { polledProjectsQuery, polledSessionQuery, projectQuery } from '#ui/client/queries.ts';
import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { ApiFailure } from '#ui/client/failure.ts';
import { subscribeUnreachable } from '#ui/client/reachability.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { toLiveState, toShortText, type LiveState } from './liveState.ts';
import { useNow } from '#ui/kit/useNow.ts';

interface LiveMarkProps {
  /** The polled query. */
  query: Pick<UseQueryResult, 'data' | 'dataUpdatedAt' | 'error' | 'failureReason' | 'refetch'>;
  /** The text while everything works. */
  tip: string;
}

const DOTS: Record<LiveState['tone'], string> = {
  live: 'bg-success',
  stale: 'bg-error',
  loading: 'bg-neutral animate-breathe',
};

const isNetwork = (error: Error | null): boolean => error instanceof ApiFailure && error.kind === 'network';

/** The age of the data on screen. If it is stale: why, and a button that requests it again. */
function LiveMark({ query, tip }: LiveMarkProps) {
  const { data, dataUpdatedAt, error: lastError, failureReason, refetch } = query;
  const now = useNow(1000);
  // Another request got no answer: poll now instead of waiting for the interval.
  useEffect(() => subscribeUnreachable(() => void refetch({ cancelRefetch: false })), [refetch]);
  // No answer at all is shown at once; an error answer only after its retries have failed.
  const isSilent = isNetwork(failureReason);
  const error = lastError ?? (isSilent ? failureReason : null);
  const problem = isNetwork(error) ? 'network' : 'answer';
  const state = toLiveState({ hasData: data !== undefined, dataUpdatedAt, problem: error ? problem : null, now });
  const short = toShortText(state);
  return (
    <span className="flex shrink-0 items-center max-[560px]:min-w-0">
      <span
        data-tip={error ? error.message : tip}
        className={
          'flex h-7 min-w-0 items-center gap-1.5 rounded-md px-1.5 whitespace-nowrap ' +
          `${error ? 'text-error' : 'text-soft'}`
        }
      >
        <span aria-hidden className={`keeps-color size-[7px] shrink-0 rounded-full ${DOTS[state.tone]}`} />
        {/* Reserves room for the longest usual text, so that nothing beside it moves each second. */}
        <span className="min-w-28 truncate tabular-nums max-[560px]:min-w-0">
          {short}
          <span className="max-[560px]:hidden">{state.text.slice(short.length)}</span>
        </span>
      </span>
      <span role="alert" className="sr-only">
        {error ? `Not up to date: ${error.message}` : ''}
      </span>
      {error && (
        <IconButton label="Refresh now" icon={<RotateCw aria-hidden size={14} />} onClick={() => void refetch()} />
      )}
    </span>
  );
}

function ProjectMark({ projectId }: { projectId: string }) {
  return (
    <LiveMark query={useQuery(projectQuery(projectId))} tip="Updates automatically, more often while something runs." />
  );
}

/** While no project is open: whether the studio answers. */
function StudioMark() {
  const projects = useQuery(polledProjectsQuery());
  const isListed = projects.data !== null;
  const session = useQuery({ ...polledSessionQuery(), enabled: !isListed });
  return <LiveMark query={isListed ? projects : session} tip="Updates automatically." />;
}

/** The age of the data on screen; `projectId`: null while no project is open. */
export function LiveIndicator({ projectId }: { projectId: string | null }) {
  return projectId === null ? <StudioMark /> : <ProjectMark key={projectId} projectId={projectId} />;
}
