import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { projectQuery } from '../api/queries';
import type { TreeNode } from '../contract/projectReader';
import { ProjectTree } from '../tree/ProjectTree';
import { AfterPaint } from '../ui/AfterPaint';
import { toLatePopup } from '../ui/latePopup';
import { Skeleton } from '../ui/Skeleton';
import { FeatureBoundary } from '../ui/FeatureBoundary';
import { PanelLayout } from './PanelLayout';
import { ProjectPending } from './ProjectPending';
import { Workspace } from './Workspace';

const NodeMenu = toLatePopup(async () => (await import('./NodeMenu')).NodeMenu);

interface ProjectPanelsProps {
  projectId: string;
  isNarrow: boolean;
  renderPlayground: (project: TreeNode | null) => ReactNode;
  renderRecommendation: (snapshot: TreeNode | null, node: TreeNode) => ReactNode;
}

/** Tree, workspace and playground of one project. */
export function ProjectPanels({ projectId, isNarrow, renderPlayground, renderRecommendation }: ProjectPanelsProps) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  const panels = {
    tree: (
      <FeatureBoundary name="The tree" fallback={<Skeleton rows={8} className="p-4" />}>
        <ProjectTree
          projectId={projectId}
          renderMenu={(request) => (
            <FeatureBoundary name="The menu" fallback={null}>
              <NodeMenu {...request} />
            </FeatureBoundary>
          )}
        />
      </FeatureBoundary>
    ),
    workspace: project ? <Workspace project={project} renderRecommendation={renderRecommendation} /> : <ProjectPending error={error} onRetry={() => void refetch()} />,
    playground: (
      <FeatureBoundary name="The playground" fallback={<Skeleton rows={6} className="p-4" />}>
        {project === undefined && error === null ? <Skeleton rows={6} className="p-4" /> : <AfterPaint fallback={<Skeleton rows={6} className="p-4" />} render={() => renderPlayground(project ?? null)} />}
      </FeatureBoundary>
    ),
  };
  return <PanelLayout isNarrow={isNarrow} panels={panels} />;
}
