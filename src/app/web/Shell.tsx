import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { projectsQuery } from '#ui/client/queries.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { Header } from './Header.tsx';
import { LiveIndicator } from './LiveIndicator.tsx';
import { ProjectSelect } from './ProjectSelect.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { useIsNarrow } from '#app/web/layout/useIsNarrow.ts';

// Rarely needed: only where there is no project to open.
const NoProject = toLazyPart('This page', async () => (await import('./NoProject.tsx')).NoProject);

const PENDING = (
  <main className="mx-auto w-full max-w-lg flex-1 p-6">
    <Skeleton rows={6} />
  </main>
);

interface ShellProps {
  session: SessionInfo;
  renderProject: (projectId: string, isNarrow: boolean) => ReactNode;
}

/** The page of a signed-in visitor: header, and the project that the address names (or the first there is). */
export function Shell({ session, renderProject }: ShellProps) {
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
      <Header
        session={session}
        isNarrow={isNarrow}
        hasTree={projectId !== null}
        project={<ProjectSelect projectId={projectId} isLocal={session.mode === 'local'} />}
        freshness={<LiveIndicator projectId={projectId} />}
      />
      {projectId !== null ? (
        renderProject(projectId, isNarrow)
      ) : projects.isPending ? (
        PENDING
      ) : (
        <FeatureBoundary name="This page" fallback={PENDING}>
          <NoProject
            mode={session.mode}
            projects={projects.data}
            error={projects.error}
            onRetry={() => void projects.refetch()}
            isNarrow={isNarrow}
          />
        </FeatureBoundary>
      )}
    </div>
  );
}
