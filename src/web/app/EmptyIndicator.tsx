import { useQuery } from '@tanstack/react-query';
import { polledProjectsQuery, polledSessionQuery } from '#web/api/queries.ts';
import { LiveMark } from './LiveMark.tsx';

/** While no project is open: whether the studio answers. */
export function EmptyIndicator() {
  const projects = useQuery(polledProjectsQuery());
  const isListed = projects.data !== null;
  const session = useQuery({ ...polledSessionQuery(), enabled: !isListed });
  return <LiveMark query={isListed ? projects : session} tip="The studio is asked again by itself now and then." />;
}
