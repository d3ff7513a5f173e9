import { Columns2, Play } from 'lucide-react';
import type { TreeNode } from '../contract/projectReader';
import { toExperimentFacts } from '../experiments/experimentFacts';
import { Button } from '../ui/Button';
import { openInPlayground } from './layoutStore';

interface ExperimentActionsProps {
  experiment: TreeNode;
}

/** From an experiment to the prompt: alone, or beside the model it was made from. */
export function ExperimentActions({ experiment }: ExperimentActionsProps) {
  const { model, baseModel, problem } = toExperimentFacts(experiment);
  const noBase = problem ?? (baseModel === null ? 'The service names no base model for this experiment.' : null);
  return (
    <span className="flex min-w-0 flex-wrap gap-1.5">
      <Button variant="primary" disabledReason={problem} onClick={() => model !== null && openInPlayground([model])}>
        <Play aria-hidden size={12} />
        Try in playground
      </Button>
      <Button disabledReason={noBase} onClick={() => model !== null && baseModel !== null && openInPlayground([model, baseModel])}>
        <Columns2 aria-hidden size={13} />
        Compare with base model
      </Button>
    </span>
  );
}
