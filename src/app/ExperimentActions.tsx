import { Columns2, Play } from 'lucide-react';
import type { TreeNode } from '../contract/projectReader';
import { Button } from '../ui/Button';
import { toExperimentFacts } from './experimentFacts';
import { openInPlayground } from './layoutStore';

interface ExperimentActionsProps {
  experiment: TreeNode;
  size?: 'small' | 'medium';
}

/** From an experiment to the prompt: alone, or beside the model it was made from. */
export function ExperimentActions({ experiment, size = 'medium' }: ExperimentActionsProps) {
  const { model, baseModel, problem } = toExperimentFacts(experiment);
  const noBase = problem ?? (baseModel === null ? 'The service names no base model for this experiment.' : null);
  // In a narrow table the icons have to do; the words stay for screen readers and as tooltips.
  const words = size === 'small' ? '@max-3xl:sr-only' : '';
  return (
    <span className="flex shrink-0 gap-1.5">
      <Button
        variant={size === 'medium' ? 'primary' : 'default'}
        size={size}
        disabledReason={problem}
        title={size === 'small' ? 'Try in playground' : undefined}
        onClick={() => model !== null && openInPlayground([model])}
      >
        <Play aria-hidden size={12} />
        <span className={words}>Try in playground</span>
      </Button>
      <Button
        size={size}
        disabledReason={noBase}
        title={size === 'small' ? 'Compare with base model' : undefined}
        onClick={() => model !== null && baseModel !== null && openInPlayground([model, baseModel])}
      >
        <Columns2 aria-hidden size={13} />
        <span className={words}>Compare with base model</span>
      </Button>
    </span>
  );
}
