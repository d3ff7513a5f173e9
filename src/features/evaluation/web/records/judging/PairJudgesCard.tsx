import { useQuery } from '@tanstack/react-query';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { ModelName } from '#features/evaluation/web/records/ModelName.tsx';
import { useModelNames } from '#features/evaluation/web/records/modelNames.ts';
import { judgementResultsQuery } from '#features/evaluation/web/records/recordQueries.ts';
import { Card } from '#ui/kit/Card.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { toPairAgreementText, toPositionWarning, toWinRateText } from './judgementWords.ts';

type PairJudge = JudgementResults['judges'][number];

interface WinRateProps {
  rate: Pick<PairJudge['models'][number], 'pairs' | 'win_rate' | 'low' | 'high'>;
}

function WinRate({ rate }: WinRateProps) {
  const text = toWinRateText(rate);
  if (text === null) return <span className="text-faint">not judged</span>;
  return (
    <span className="tabular-nums">
      {text}
      <span className="block text-xs text-soft">{formatCounted(rate.pairs, 'pair')}</span>
    </span>
  );
}

interface PairJudgesCardProps {
  run: EvaluationRun;
}

/** How often judges, and people, prefer each model to the baseline. Nothing while no judge compares. */
export function PairJudgesCard({ run }: PairJudgesCardProps) {
  const { data: results } = useQuery(judgementResultsQuery(run.id));
  const nameOf = useModelNames();
  return results?.judges.map((result) => {
    const { scorer, judge, agreement, models } = result;
    const warning = toPositionWarning(result);
    return (
      <Card
        key={scorer}
        title="Better than the baseline"
        note={`Judged by ${nameOf(judge)} in both orders, against ${nameOf(run.baseline)}. A tie is half a win; equal answers are no pair.`}
      >
        {warning !== null && <p className="px-3 py-2 text-warning">{warning}</p>}
        {models.length === 0 ? (
          <p className="px-3 py-2 text-soft">This run asked one model, so there is nothing to compare.</p>
        ) : (
          <SimpleTable
            caption={`Win rates against the baseline by ${nameOf(judge)}`}
            className="px-3 pb-2"
            heads={['Model', 'Judge', 'Ties', 'People']}
          >
            {models.map((each) => (
              <tr key={each.model} className="align-top">
                <th scope="row" className="py-1.5 pr-4 font-normal">
                  <ModelName model={each.model} className="block max-w-64" />
                </th>
                <td className="py-1.5 pr-4">
                  {warning === null ? <WinRate rate={each} /> : <span className="text-faint">by position</span>}
                  {each.pairs > 0 && <span className="block text-xs text-soft">{toPairAgreementText(agreement)}</span>}
                  {each.is_own && (
                    <span className="block text-xs text-warning">The judge compares an answer of its own.</span>
                  )}
                </td>
                <td className="py-1.5 pr-4 tabular-nums">
                  {formatCount(each.ties)}
                  {each.flipped > 0 && (
                    <span className="block text-xs text-soft">{formatCount(each.flipped)} changed with the order</span>
                  )}
                </td>
                <td className="py-1.5">
                  {each.people ? <WinRate rate={each.people} /> : <span className="text-faint">not asked</span>}
                </td>
              </tr>
            ))}
          </SimpleTable>
        )}
      </Card>
    );
  });
}
