import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { projectQuery } from '#ui/client/queries.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { ProjectTree } from '#features/projects/web/ProjectTree.tsx';
import { AddMenu } from '#app/web/data/AddMenu.tsx';
import { AfterPaint } from '#ui/lazy/AfterPaint.tsx';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { PanelLayout } from './PanelLayout.tsx';
import { ProjectPending } from './ProjectPending.tsx';
import { Workspace } from './Workspace.tsx';

const NodeMenu = toLazyPopup(async () => (await import('./NodeMenu.tsx')).NodeMenu);

interface ProjectPanelsProps {
  projectId: string;
  isNarrow: boolean;
  renderPlayground: (project: TreeNode | null) => ReactNode;
}

/** Tree, workspace and playground of one project. */
export function ProjectPanels({ projectId, isNarrow, renderPlayground }: ProjectPanelsProps) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
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
    workspace: project ? (
      <Workspace project={project} />
    ) : (
      <ProjectPending error={error} onRetry={() => void refetch()} />
    ),
    playground: (
      <FeatureBoundary name="The playground" fallback={<Skeleton rows={6} className="p-4" />}>
        {project === undefined && error === null ? (
          <Skeleton rows={6} className="p-4" />
        ) : (
          <AfterPaint
            fallback={<Skeleton rows={6} className="p-4" />}
            render={() => renderPlayground(project ?? null)}
          />
        )}
      </FeatureBoundary>
    ),
  };
  return <PanelLayout isNarrow={isNarrow} panels={panels} />;
}
