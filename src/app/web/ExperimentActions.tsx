import { useQuery } from '@tanstack/react-query';
import { Columns2, Play, Table2 } from 'lucide-react';
import { jobQuery, rowsOfferQuery } from '#ui/client/queries.ts';
import { useIsFolder } from './useIsFolder.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import {
  findJobFacts,
  isJobNeeded,
  NOT_SERVED,
  toExperimentFacts,
} from '#features/experiments/web/rows/experimentFacts.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { chatWith, checkOnHeldOut, openInPlayground } from '#app/web/layout/layoutStore.ts';

interface ExperimentActionsProps {
  project: string;
  experiment: TreeNode;
  /** null: it belongs to no job. */
  job: TreeNode | null;
  /** null: it belongs to no snapshot. */
  snapshot: TreeNode | null;
}

/**
 * Opens an experiment's model in the playground, alone, beside its base model, or both on the validation rows. Its job is requested for fields that
 * the tree leaves out.
 */
export function ExperimentActions({ project, experiment, job, snapshot }: ExperimentActionsProps) {
  const { data = null } = useQuery({ ...jobQuery(job?.id ?? ''), enabled: job !== null && isJobNeeded(experiment) });
  const isFolder = useIsFolder(project);
  // A folder of runs has no rows.
  const { data: hasRows = false } = useQuery(rowsOfferQuery(isFolder === false ? (snapshot?.id ?? '') : ''));
  const { model, triedBase, problem, baseProblem } = toExperimentFacts(experiment, findJobFacts(data, experiment.id));
  const noBase = isFolder === true && problem !== null ? NOT_SERVED : baseProblem;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 pb-1">
      <span className="flex min-w-0 flex-wrap gap-1.5">
        {isFolder ? (
          <Button variant="primary" onClick={() => chatWith(experiment)}>
            <Play aria-hidden size={12} />
            Chat with this run{model === null && '…'}
          </Button>
        ) : (
          <Button
            variant="primary"
            disabledReason={problem}
            onClick={() => model !== null && openInPlayground([model])}
          >
            <Play aria-hidden size={12} />
            Try in playground
          </Button>
        )}
        <Button
          disabledReason={noBase}
          onClick={() => model !== null && triedBase !== null && openInPlayground([model, triedBase])}
        >
          <Columns2 aria-hidden size={13} />
          Compare with base model
        </Button>
        {snapshot && hasRows && (
          <Button
            disabledReason={noBase}
            onClick={() => model !== null && triedBase !== null && checkOnHeldOut([model, triedBase], snapshot.id)}
          >
            <Table2 aria-hidden size={13} />
            Evaluate on validation rows, beside its base
          </Button>
        )}
      </span>
      {noBase !== null && <span className="min-w-0 text-sm text-soft">{noBase}</span>}
      {model !== null && (
        <span className="flex min-w-0 items-center font-mono text-sm text-soft">
          <span className="truncate" title={model}>
            {model}
          </span>
          <CopyButton label="Copy model id" text={model} />
        </span>
      )}
    </div>
  );
}
