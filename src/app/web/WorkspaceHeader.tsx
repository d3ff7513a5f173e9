import { nodeLabel, statusCause, type TreeNode } from '#core/contract/projectReader.ts';
import { NodeIcon } from '#features/projects/web/NodeIcon.tsx';
import { toShownStatus } from '#features/projects/web/treeIndex/shownStatus.ts';
import { isWaiting } from '#features/projects/web/waitingNodes.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { shortId } from '#ui/kit/format.ts';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { RootPath } from './loadDeferredCode.ts';
import { NODE_NAME_ID, toFacts, toKind } from '#app/web/layout/nodeWords.ts';

const ExperimentActions = toLazyPart(
  'The actions for this run',
  async () => (await import('./ExperimentActions.tsx')).ExperimentActions,
);

const DataActions = toLazyPart(
  'The actions for this data',
  async () => (await import('#app/web/data/DataActions.tsx')).DataActions,
);

const WaitReason = toLazyPart(
  'Why this run waits',
  async () => (await import('#features/projects/web/WaitReason.tsx')).WaitReason,
);

interface WorkspaceHeaderProps {
  node: TreeNode;
  path: readonly TreeNode[];
}

/** What is selected: the way to it, its name, state, facts and id, and what can be done with it. */
export function WorkspaceHeader({ node, path }: WorkspaceHeaderProps) {
  const label = nodeLabel(node);
  const status = toShownStatus(node);
  const facts = [toKind(node), toFacts(node)].filter(Boolean).join(' · ');
  return (
    <div data-paper className="@container flex shrink-0 flex-col gap-1 px-4 pt-2.5 pb-1.5">
      <div className="flex min-w-0 items-center gap-4">
        <Breadcrumb path={path} />
        <span className="ml-auto flex max-w-1/2 min-w-0">
          <FeatureBoundary name="The folder" fallback={null}>
            <RootPath project={path[0]?.id ?? ''} />
          </FeatureBoundary>
        </span>
      </div>
      <div
        className={
          'grid grid-cols-[auto_minmax(0,max-content)_auto_minmax(0,1fr)_auto] items-center gap-x-2.5 min-h-8 ' +
          '@xl:grid-cols-[auto_minmax(0,max-content)_auto_minmax(6rem,1fr)_auto]'
        }
      >
        <span title={toKind(node)} className="flex">
          <NodeIcon type={node.type} size={16} />
        </span>
        <h2
          id={NODE_NAME_ID}
          tabIndex={-1}
          className="line-clamp-2 rounded text-xl leading-7 font-semibold tracking-tight"
          title={label}
        >
          {label}
        </h2>
        <span className="flex">
          {status !== undefined && <StatusBadge status={status} cause={statusCause(node)} />}
        </span>
        <p
          className="col-span-full row-start-2 truncate text-soft @xl:col-span-1 @xl:col-start-4 @xl:row-start-1"
          title={facts}
        >
          {facts}
        </p>
        <span className="col-start-5 hidden items-center font-mono @md:flex text-sm text-faint" title={node.id}>
          {shortId(node.id)}
          <CopyButton label="Copy id" text={node.id} />
        </span>
      </div>
      {isWaiting(node) && (
        <FeatureBoundary name="Why this run waits" fallback={null}>
          <WaitReason id={node.id} />
        </FeatureBoundary>
      )}
      {(node.type === 'dataset' || node.type === 'snapshot') && (
        <FeatureBoundary name="The actions for this data" fallback={<div className="h-8" />}>
          <DataActions path={path} />
        </FeatureBoundary>
      )}
      {node.type === 'experiment' && (
        // As high as it will be, so that nothing moves.
        <FeatureBoundary name="The actions for this run" fallback={<div className="h-8" />}>
          <ExperimentActions
            project={path[0]?.id ?? ''}
            experiment={node}
            job={path.findLast(({ type }) => type === 'finetuning-job') ?? null}
            snapshot={path.findLast(({ type }) => type === 'snapshot') ?? null}
          />
        </FeatureBoundary>
      )}
    </div>
  );
}
