import { SearchX } from 'lucide-react';
import { lazy, useEffect, useMemo } from 'react';
import { nodeLabel, type TreeNode } from '../contract/projectReader';
import { updateUrl, useUrlState } from '../session/urlState';
import { experimentsBeneath, findPath, nearestSnapshot } from '../tree/selection';
import { treeIndex } from '../tree/treeIndex';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { Skeleton } from '../ui/Skeleton';
import { Tabs } from '../ui/Tabs';
import { DetailTab } from './DetailTab';
import { ExperimentsTab } from './ExperimentsTab';
import { FeatureBoundary } from './FeatureBoundary';
import { WorkspaceHeader } from './WorkspaceHeader';

const RecommendationPanel = lazy(async () => {
  const { RecommendationPanel: Panel } = await import('../recommendations/RecommendationPanel');
  return { default: Panel };
});

interface WorkspaceProps {
  project: TreeNode;
}

const TABS = ['recommendations', 'experiments', 'detail'] as const;
type TabName = (typeof TABS)[number];

/** The selected node of a project, whatever kind it is. */
export function Workspace({ project }: WorkspaceProps) {
  const url = useUrlState();
  const index = treeIndex(project);
  const path = url.node === null ? [project] : findPath(index, url.node);
  const node = path?.at(-1);
  const experiments = useMemo(() => (node ? experimentsBeneath(index, node.id) : []), [index, node]);

  const title = node && node !== project ? `${nodeLabel(node)} · ${nodeLabel(project)}` : nodeLabel(project);
  useEffect(() => {
    document.title = `${title} · Model Studio`;
  }, [title]);

  if (!path || !node) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden size={20} />}
        title="This node is not in the project"
        action={<Button onClick={() => updateUrl({ node: project.id })}>Go to {nodeLabel(project)}</Button>}
      >
        It may have been deleted since, or the link belongs to another project.
        <span className="mt-1 block font-mono text-sm break-all">{url.node}</span>
      </EmptyState>
    );
  }
  const tab: TabName = TABS.find((name) => name === url.tab) ?? 'recommendations';
  return (
    <>
      <WorkspaceHeader node={node} path={path} />
      <Tabs
        label="Views of the selected node"
        value={tab}
        onChange={(next) => updateUrl({ tab: next })}
        tabs={[
          { value: 'recommendations', label: 'Recommendations' },
          { value: 'experiments', label: 'Experiments', count: experiments.length },
          { value: 'detail', label: 'Detail' },
        ]}
      >
        <div className="min-h-0 flex-1 overflow-y-auto p-4" key={`${tab} ${node.id}`}>
          {tab === 'recommendations' && (
            <FeatureBoundary name="The recommendations" fallback={<Skeleton rows={8} />}>
              <RecommendationPanel snapshot={nearestSnapshot(path)} project={project} />
            </FeatureBoundary>
          )}
          {tab === 'experiments' && <ExperimentsTab experiments={experiments} />}
          {tab === 'detail' && <DetailTab node={node} />}
        </div>
      </Tabs>
    </>
  );
}
