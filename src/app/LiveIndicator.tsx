import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { ApiFailure } from '../api/failure';
import { projectQuery } from '../api/queries';
import { IconButton } from '../ui/IconButton';
import { Tooltip } from '../ui/Tooltip';
import { toLiveState, type LiveState } from './liveState';
import { useNow } from '../ui/useNow';

interface LiveIndicatorProps {
  projectId: string;
}

const DOTS: Record<LiveState['tone'], string> = { live: 'bg-ok', stale: 'bg-bad', loading: 'bg-off animate-breathe' };

/** How fresh the project on screen is; when it is stale, why, and a way to ask again. */
export function LiveIndicator({ projectId }: LiveIndicatorProps) {
  const { data, dataUpdatedAt, error, refetch } = useQuery(projectQuery(projectId));
  const now = useNow(1000);
  const isOffline = error instanceof ApiFailure && error.kind === 'network';
  const problem = isOffline ? 'network' : 'answer';
  const state = toLiveState({ hasData: data !== undefined, dataUpdatedAt, problem: error ? problem : null, now });
  return (
    <span className="flex shrink-0 items-center">
      <Tooltip content={error ? error.message : 'The project is asked for again by itself: often while something runs, rarely otherwise.'}>
        <span className={`flex h-7 items-center gap-1.5 rounded-md px-1.5 whitespace-nowrap ${error ? 'text-bad' : 'text-soft'}`}>
          <span aria-hidden className={`size-[7px] rounded-full ${DOTS[state.tone]}`} />
          {state.text}
        </span>
      </Tooltip>
      <span role="alert" className="sr-only">
        {error ? `Not up to date: ${error.message}` : ''}
      </span>
      {error && <IconButton label="Ask again now" icon={<RotateCw aria-hidden size={14} />} onClick={() => void refetch()} />}
    </span>
  );
}
