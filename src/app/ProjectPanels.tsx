import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { projectQuery } from '../api/queries';
import type { TreeNode } from '../contract/projectReader';
import { useShareHash } from '../session/sharedLink';
import { ProjectTree } from '../tree/ProjectTree';
import { AfterPaint } from '../ui/AfterPaint';
import { toLatePopup } from '../ui/latePopup';
import { Skeleton } from '../ui/Skeleton';
import { FeatureBoundary } from '../ui/FeatureBoundary';
import { showPanel } from './layout';
import { changeLayout } from './layoutStore';
import { NarrowLayout } from './NarrowLayout';
import { ProjectPending } from './ProjectPending';
import { ShortcutKeys } from './ShortcutKeys';
import { WideLayout } from './WideLayout';
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
  const isShared = useShareHash() !== null;
  useEffect(() => {
    // A link that holds a session is the playground's to show.
    if (isShared) changeLayout((layout) => showPanel(layout, 'playground'));
  }, [isShared]);
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
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      {isNarrow ? <NarrowLayout panels={panels} /> : <WideLayout panels={panels} />}
      <ShortcutKeys />
    </main>
  );
}
