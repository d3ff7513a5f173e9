import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { projectsQuery } from '../api/queries';
import type { SessionInfo } from '../contract/routes';
import { updateUrl, useUrlState } from '../session/urlState';
import { Header } from './Header';
import { NoProject } from './NoProject';
import { ProjectPanels } from './ProjectPanels';
import { useIsNarrow } from './useIsNarrow';

interface ShellProps {
  session: SessionInfo;
}

/** The page of a signed-in visitor: header, and the project that the address names (or the first there is). */
export function Shell({ session }: ShellProps) {
  const { project: named } = useUrlState();
  const isNarrow = useIsNarrow();
  const projects = useQuery({ ...projectsQuery(), enabled: named === null });
  const first = projects.data?.[0]?.id ?? null;
  const projectId = named ?? first;
  useEffect(() => {
    if (named === null && first !== null) updateUrl({ project: first }, { replace: true });
  }, [named, first]);
  return (
    <div className="flex h-full flex-col">
      <Header session={session} projectId={projectId} isNarrow={isNarrow} />
      {projectId === null ? (
        <NoProject projects={projects.data} error={projects.error} onRetry={() => void projects.refetch()} />
      ) : (
        <ProjectPanels key={projectId} projectId={projectId} isNarrow={isNarrow} />
      )}
    </div>
  );
}
