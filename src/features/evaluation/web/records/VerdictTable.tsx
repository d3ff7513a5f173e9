import type { EvaluationRun, Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { Card } from '#ui/kit/Card.tsx';
import { formatCount, formatDuration } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { findFront } from './modelCosts.ts';
import { toScorerNames } from '#features/evaluation/shared/checkNames.ts';
import { toShownScorers, toVerdictSentence } from './recordWords.ts';
import { VerdictCell } from './VerdictCell.tsx';
import { ModelName } from './ModelName.tsx';
import { useModelNames } from './modelNames.ts';

interface VerdictTableProps {
  /** As it was asked and judged. */
  evaluation: Pick<Evaluation, 'checks'>;
  run: EvaluationRun;
  scores: Scores;
  onChanges: (model: string, change: 'regressed' | 'improved') => void;
}

/** Models and what they reach: all checks together, each by itself, and what an answer takes. */
export function VerdictTable({ evaluation, run, scores, onChanges }: VerdictTableProps) {
  const nameOf = useModelNames();
  const shown = toShownScorers(evaluation.checks, scores);
  const front = findFront(run.models);
  const sentences = scores.models.flatMap(({ model, difference }) =>
    difference ? [toVerdictSentence(nameOf(model), nameOf(scores.baseline), difference)] : [],
  );
  return (
    <Card title="Verdict" note={sentences.join(' ')}>
      <SimpleTable
        caption="Pass rates by model"
        className="px-3 pb-2"
        heads={['Model', 'Passed', ...shown.map(toScorerNames(evaluation.checks)), 'Time per answer', 'Tokens']}
      >
        {scores.models.map((scored) => {
          const asked = run.models.find(({ model }) => model === scored.model);
          const isBase = scored.model === scores.baseline;
          const answered = asked?.done ?? 0;
          return (
            <tr key={scored.model} className="align-top">
              <th scope="row" className="py-1.5 pr-4 font-normal">
                <ModelName model={scored.model} className="block max-w-64" />
                {isBase && <span className="text-xs text-soft">baseline</span>}
                {(asked?.fingerprints.length ?? 0) > 1 && (
                  <span className="block text-xs text-warning">its weights or engine changed in between</span>
                )}
              </th>
              <td className="py-1.5 pr-4">
                <VerdictCell
                  scored={scored}
                  comparisons={scores.comparisons.models}
                  onChanges={(change) => onChanges(scored.model, change)}
                />
              </td>
              {shown.map((id) => (
                <td key={id} className="py-1.5 pr-4">
                  <VerdictCell
                    scored={scored.by_check.find(({ scorer }) => scorer === id)}
                    comparisons={scores.comparisons.checks}
                  />
                </td>
              ))}
              <td className="py-1.5 pr-4 whitespace-nowrap tabular-nums">
                {asked && asked.seconds !== null && answered > 0
                  ? formatDuration((asked.seconds * 1000) / answered)
                  : ''}
                {front.has(scored.model) && (
                  <span className="block text-xs text-soft" title="No other model is both better and quicker">
                    best for its time
                  </span>
                )}
              </td>
              <td className="py-1.5 whitespace-nowrap tabular-nums">
                {asked && formatCount(asked.prompt_tokens + asked.completion_tokens)}
              </td>
            </tr>
          );
        })}
      </SimpleTable>
    </Card>
  );
}
