import { nodeLabel, type TreeNode } from '../contract/projectReader';
import { NodeIcon } from '../tree/NodeIcon';
import { CopyButton } from '../ui/CopyButton';
import { shortId } from '../ui/format';
import { StatusBadge } from '../ui/StatusBadge';
import { Breadcrumb } from './Breadcrumb';
import { ExperimentActions } from './ExperimentActions';
import { toExperimentFacts } from './experimentFacts';
import { toFacts, toKind } from './nodeWords';

interface WorkspaceHeaderProps {
  node: TreeNode;
  path: readonly TreeNode[];
}

/** What is selected: the way to it, its name, state, facts and id, and what can be done with it. */
export function WorkspaceHeader({ node, path }: WorkspaceHeaderProps) {
  const label = nodeLabel(node);
  const facts = [toKind(node), toFacts(node)].filter(Boolean).join(' · ');
  const { model } = toExperimentFacts(node);
  return (
    <div className="flex shrink-0 flex-col gap-1 px-4 pt-2.5 pb-1.5">
      <Breadcrumb path={path} />
      <div className="flex min-h-8 min-w-0 items-center gap-2.5">
        <span title={toKind(node)} className="flex">
          <NodeIcon type={node.type} size={16} />
        </span>
        <h2 className="min-w-20 truncate text-xl font-semibold tracking-tight" title={label}>
          {label}
        </h2>
        {node.status !== undefined && <StatusBadge status={node.status} />}
        <p className="min-w-24 shrink-[1000] truncate text-soft" title={facts}>
          {facts}
        </p>
        <span className="flex-1" />
        <span className="flex shrink-0 items-center font-mono text-sm text-faint" title={node.id}>
          {shortId(node.id)}
          <CopyButton label="Copy id" text={node.id} />
        </span>
      </div>
      {node.type === 'experiment' && (
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 pb-1">
          <ExperimentActions experiment={node} />
          {model !== null && (
            <span className="flex min-w-0 items-center font-mono text-sm text-soft">
              <span className="truncate" title={model}>
                {model}
              </span>
              <CopyButton label="Copy model id" text={model} />
            </span>
          )}
        </div>
      )}
    </div>
  );
}
