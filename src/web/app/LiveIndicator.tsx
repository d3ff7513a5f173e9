import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '#web/api/queries.ts';
import { LiveMark } from './LiveMark.tsx';

interface LiveIndicatorProps {
  projectId: string;
}

/** How fresh the project on screen is. */
export function LiveIndicator({ projectId }: LiveIndicatorProps) {
  return (
    <LiveMark
      query={useQuery(projectQuery(projectId))}
      tip="The project is asked for again by itself: often while something runs, rarely otherwise."
    />
  );
}
