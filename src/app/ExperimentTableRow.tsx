import { nodeLabel, type TreeNode } from '../contract/projectReader';
import { updateUrl } from '../session/urlState';
import { CopyButton } from '../ui/CopyButton';
import { StatusBadge } from '../ui/StatusBadge';
import { ExperimentActions } from './ExperimentActions';
import { toExperimentFacts } from './experimentFacts';

interface ExperimentTableRowProps {
  experiment: TreeNode;
}

export function ExperimentTableRow({ experiment }: ExperimentTableRowProps) {
  const { baseModel, model, problem } = toExperimentFacts(experiment);
  const label = nodeLabel(experiment);
  return (
    <tr className="border-t border-line [&>td]:h-9 [&>td]:px-3 [&>td]:whitespace-nowrap [&>th]:h-9 [&>th]:px-3">
      <th scope="row" className="max-w-64 text-left font-normal">
        <button type="button" title={label} onClick={() => updateUrl({ node: experiment.id })} className="max-w-full truncate rounded align-middle font-medium hover:underline">
          {label}
        </button>
      </th>
      <td>{experiment.status === undefined ? <span className="text-soft">not given</span> : <StatusBadge status={experiment.status} />}</td>
      <td className="max-w-56 truncate font-mono text-sm" title={baseModel ?? undefined}>
        {baseModel ?? <span className="font-sans text-soft">not given</span>}
      </td>
      <td className="max-w-72">
        {model === null ? (
          <span className="text-soft">none yet</span>
        ) : (
          <span className="flex items-center gap-0.5">
            <span className="truncate font-mono text-sm" title={model}>
              {model}
            </span>
            <CopyButton label={`Copy ${model}`} text={model} />
          </span>
        )}
      </td>
      <td className="sticky right-0 w-px bg-surface">{problem === null && <ExperimentActions experiment={experiment} size="small" />}</td>
    </tr>
  );
}
