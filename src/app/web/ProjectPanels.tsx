import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '#ui/client/queries.ts';
import { ProjectTree } from '#features/projects/web/ProjectTree.tsx';
import { AddMenu } from '#app/web/data/AddMenu.tsx';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { useIsLater, Playground } from './loadDeferredCode.ts';
import { PlaygroundFrame } from '#features/playground/web/PlaygroundFrame.tsx';
import { PanelLayout } from './PanelLayout.tsx';
import { ProjectPending } from './ProjectPending.tsx';
import { Workspace } from './Workspace.tsx';

const NodeMenu = toLazyPopup(async () => (await import('./NodeMenu.tsx')).NodeMenu);

interface ProjectPanelsProps {
  projectId: string;
  isNarrow: boolean;
}

/** Tree, workspace and playground of one project. */
export function ProjectPanels({ projectId, isNarrow }: ProjectPanelsProps) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  const isPending = project === undefined && error === null;
  const isLater = useIsLater(!isPending);
  const panels = {
    tree: (
      <FeatureBoundary name="The tree" fallback={<Skeleton rows={8} className="p-4" />}>
        <ProjectTree
          projectId={projectId}
          more={<AddMenu />}
          renderMenu={(request) => (
            <FeatureBoundary name="The menu" fallback={null}>
              <NodeMenu {...request} />
            </FeatureBoundary>
          )}
        />
      </FeatureBoundary>
    ),
    workspace:
      project && isLater ? (
        <Workspace project={project} />
      ) : (
        <ProjectPending error={error} onRetry={() => void refetch()} />
      ),
    playground: (
      <FeatureBoundary name="The playground" fallback={<PlaygroundFrame />}>
        {isPending ? <PlaygroundFrame /> : <Playground project={project ?? null} />}
      </FeatureBoundary>
    ),
  };
  return <PanelLayout isNarrow={isNarrow} panels={panels} />;
}
