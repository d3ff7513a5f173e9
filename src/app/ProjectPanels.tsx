import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { projectQuery } from '../api/queries';
import { ProjectTree } from '../tree/ProjectTree';
import { Skeleton } from '../ui/Skeleton';
import { FeatureBoundary } from './FeatureBoundary';
import { NarrowLayout } from './NarrowLayout';
import { ProjectPending } from './ProjectPending';
import { WideLayout } from './WideLayout';
import { Workspace } from './Workspace';

const Playground = lazy(async () => {
  const { Playground: Feature } = await import('../playground/Playground');
  return { default: Feature };
});

interface ProjectPanelsProps {
  projectId: string;
  isNarrow: boolean;
}

/** Tree, workspace and playground of one project. */
export function ProjectPanels({ projectId, isNarrow }: ProjectPanelsProps) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  const panels = {
    tree: <ProjectTree projectId={projectId} />,
    workspace: project ? <Workspace project={project} /> : <ProjectPending error={error} onRetry={() => void refetch()} />,
    playground: (
      <FeatureBoundary name="The playground" fallback={<Skeleton rows={6} className="p-4" />}>
        <Playground project={project ?? null} />
      </FeatureBoundary>
    ),
  };
  return <main className="flex min-h-0 flex-1 flex-col">{isNarrow ? <NarrowLayout panels={panels} /> : <WideLayout panels={panels} />}</main>;
}
