import { useState } from 'react';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { JudgementKind } from '#features/evaluation/shared/contract/judgements.ts';
import { Select } from '#ui/fields/Select.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { JudgePanel } from './JudgePanel.tsx';

const KINDS: readonly { readonly value: JudgementKind; readonly label: string }[] = [
  { value: 'pair', label: 'Which of two is better' },
  { value: 'rating', label: 'Pass or fail' },
];

interface JudgeViewProps {
  run: EvaluationRun;
  onClose: () => void;
}

/** A person judges the answers of a run, blind. What they say is stored at once. */
export function JudgeView({ run, onClose }: JudgeViewProps) {
  const kinds = run.models.length > 1 ? KINDS : KINDS.filter(({ value }) => value === 'rating');
  const [kind, setKind] = useState<JudgementKind>(kinds[0]?.value ?? 'rating');
  return (
    <Card
      title={`Judge run ${run.number}`}
      note="The names of models are hidden until you finish."
      actions={
        <>
          <Select
            label="What you judge"
            isLabelHidden
            value={kind}
            options={kinds}
            onChange={(value) => setKind(value === 'pair' ? 'pair' : 'rating')}
          />
          <Button size="small" onClick={onClose}>
            Finish
          </Button>
        </>
      }
    >
      <JudgePanel key={kind} runId={run.id} kind={kind} />
    </Card>
  );
}
