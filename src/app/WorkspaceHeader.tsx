import { nodeLabel, type TreeNode } from '../contract/projectReader';
import { NodeIcon } from '../tree/NodeIcon';
import { CopyButton } from '../ui/CopyButton';
import { shortId } from '../ui/format';
import { StatusBadge } from '../ui/StatusBadge';
import { Breadcrumb } from './Breadcrumb';
import { ExperimentActions } from './ExperimentActions';
import { NODE_NAME_ID, toFacts, toKind } from './nodeWords';

interface WorkspaceHeaderProps {
  node: TreeNode;
  path: readonly TreeNode[];
}

/** What is selected: the way to it, its name, state, facts and id, and what can be done with it. */
export function WorkspaceHeader({ node, path }: WorkspaceHeaderProps) {
  const label = nodeLabel(node);
  const facts = [toKind(node), toFacts(node)].filter(Boolean).join(' · ');
  return (
    <div data-paper className="@container flex shrink-0 flex-col gap-1 px-4 pt-2.5 pb-1.5">
      <Breadcrumb path={path} />
      <div className="grid grid-cols-[auto_minmax(0,max-content)_auto_minmax(0,1fr)_auto] items-center gap-x-2.5 @xl:grid-cols-[auto_minmax(0,max-content)_auto_minmax(6rem,1fr)_auto]">
        <span title={toKind(node)} className="flex">
          <NodeIcon type={node.type} size={16} />
        </span>
        <h2 id={NODE_NAME_ID} tabIndex={-1} className="truncate rounded text-xl leading-8 font-semibold tracking-tight" title={label}>
          {label}
        </h2>
        <span className="flex">{node.status !== undefined && <StatusBadge status={node.status} />}</span>
        <p className="col-span-full row-start-2 truncate text-soft @xl:col-span-1 @xl:col-start-4 @xl:row-start-1" title={facts}>
          {facts}
        </p>
        <span className="col-start-5 flex items-center font-mono text-sm text-faint" title={node.id}>
          {shortId(node.id)}
          <CopyButton label="Copy id" text={node.id} />
        </span>
      </div>
      {node.type === 'experiment' && <ExperimentActions experiment={node} job={path.findLast(({ type }) => type === 'finetuning-job') ?? null} />}
    </div>
  );
}
