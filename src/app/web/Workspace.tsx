import { SearchX } from 'lucide-react';
import { formatMinute } from '#ui/kit/format.ts';
import { Suspense, useEffect, useLayoutEffect, useMemo, type ReactNode } from 'react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import {
  chooseTab,
  isOfProject,
  selectNode,
  TAB_LABELS,
  toTab,
  toTabNames,
  type TabName,
} from '#ui/address/nodeTab.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { useProjectActivity } from '#features/projects/web/treeChanges/activityStore.ts';
import { experimentsBeneath, findPath, nearestSnapshot } from '#features/projects/web/treeIndex/selection.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { useShownTree } from '#features/projects/web/useShownTree.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { Tabs } from '#ui/kit/Tabs.tsx';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { checkOnHeldOut, openInPlayground, showTab, tryInPlayground } from '#app/web/layout/layoutStore.ts';
import { NextActions, Overview, SinceVisit } from './loadDeferredCode.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { WorkspaceHeader } from './WorkspaceHeader.tsx';
import { WorkspaceScroll } from './WorkspaceScroll.tsx';

const Recommendations = toLazyPart(
  'The recommendations',
  async () => (await import('#features/experiments/web/recommendations/Recommendations.tsx')).Recommendations,
);

const DataPanel = toLazyPart(
  'The rows',
  async () => (await import('#features/datasets/web/table/DataPanel.tsx')).DataPanel,
);

const DetailTab = toLazyPart('The details', async () => (await import('./DetailTab.tsx')).DetailTab);

const RunsTab = toLazyPart('The runs', async () => (await import('#app/web/runs/RunsTab.tsx')).RunsTab);

const CurvesTab = toLazyPart('The curves', async () => (await import('#app/web/runs/CurvesTab.tsx')).CurvesTab);

const ComparePanel = toLazyPart(
  'The comparison',
  async () => (await import('#features/experiments/web/compare/ComparePanel.tsx')).ComparePanel,
);

const EvaluationsPanel = toLazyPart(
  'The evaluations',
  async () => (await import('#features/evaluation/web/records/EvaluationsPanel.tsx')).EvaluationsPanel,
);

const TracesPanel = toLazyPart(
  'The traces',
  async () => (await import('#features/traces/web/TracesPanel.tsx')).TracesPanel,
);

const LOADING = <Skeleton rows={8} />;

interface WorkspaceProps {
  project: TreeNode;
}

/** The selected node of a project, whatever kind it is. */
export function Workspace({ project }: WorkspaceProps) {
  const url = useUrlState();
  const { removedNode } = useProjectActivity(project.id);
  const shown = useShownTree(project);
  const path = useMemo(() => {
    if (url.node === null) return [shown];
    // An archived node that a link or the compare leads to is shown, with all below it.
    return findPath(treeIndex(shown), url.node) ?? findPath(treeIndex(project), url.node);
  }, [project, shown, url.node]);
  const node = path?.at(-1);
  const experimentCount = useMemo(() => {
    const index = treeIndex(path?.[0] ?? shown);
    return node ? experimentsBeneath(index, index.placeOf.get(node.id) ?? 0).length : 0;
  }, [path, shown, node]);

  const title = node && node.id !== project.id ? `${nodeLabel(node)} · ${nodeLabel(project)}` : nodeLabel(project);
  useEffect(() => {
    document.title = `${title} · Model Studio`;
  }, [title]);
  const tab = node ? toTab(url.tab, node.type) : null;
  // Before it is painted, so that nothing moves.
  useLayoutEffect(() => showTab(tab), [tab]);
  useKeptFocus(`${url.tab ?? ''} ${url.node ?? ''}`);

  if (!path || !node || tab === null) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden size={20} />}
        title="This node is not in the project"
        action={<Button onClick={() => selectNode(project)}>Go to {nodeLabel(project)}</Button>}
      >
        {removedNode?.id === url.node
          ? `${removedNode.label} was removed at ${formatMinute(removedNode.at)}.`
          : 'It may have been deleted, or the link belongs to another project.'}
        <span className="mt-1 block font-mono text-sm break-all">{url.node}</span>
      </EmptyState>
    );
  }
  const counts: { readonly [Name in TabName]?: number | undefined } = {
    experiments: experimentCount,
    compare: url.compare.length || undefined,
  };
  const parts: Readonly<Record<TabName, ReactNode>> = {
    overview: (
      <Overview
        path={path}
        since={
          <FeatureBoundary name="What changed since the last visit" fallback={null}>
            <SinceVisit project={project} shown={shown} />
          </FeatureBoundary>
        }
        onTry={tryInPlayground}
        onCheck={checkOnHeldOut}
        renderExport={(snapshot, candidates, isStarted) => (
          <Suspense>
            <NextActions snapshot={snapshot} candidates={candidates} isStarted={isStarted} />
          </Suspense>
        )}
      />
    ),
    data: <DataPanel path={path} />,
    recommendations: <Recommendations project={project.id} snapshot={nearestSnapshot(path)} node={node} />,
    experiments: <RunsTab path={path} onTry={openInPlayground} />,
    curves: <CurvesTab path={path} whole={findPath(treeIndex(project), node.id) ?? path} />,
    compare: <ComparePanel project={project} snapshot={nearestSnapshot(path)} />,
    evaluations: <EvaluationsPanel project={project} />,
    traces: <TracesPanel project={path[0] ?? project} />,
    detail: <DetailTab node={node} path={path} />,
  };
  const place = isOfProject(tab) ? tab : `${tab} ${node.id}`;
  return (
    <>
      <WorkspaceHeader node={node} path={path} />
      <Tabs
        label="Views of the selected node"
        value={tab}
        // Pressed again it changes nothing, least of all the brush.
        onChange={(next) => next !== tab && chooseTab(node.type, next)}
        tabs={toTabNames(node.type).map((value) => ({ value, label: TAB_LABELS[value], count: counts[value] }))}
      >
        <WorkspaceScroll key={place} name={place}>
          <FeatureBoundary key={tab} name={`The ${TAB_LABELS[tab]} tab`} fallback={LOADING}>
            {parts[tab]}
          </FeatureBoundary>
        </WorkspaceScroll>
      </Tabs>
    </>
  );
}
