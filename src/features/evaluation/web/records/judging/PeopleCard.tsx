import { useQuery } from '@tanstack/react-query';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { JudgementForm, JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { ModelName } from '#features/evaluation/web/records/ModelName.tsx';
import { useModelNames } from '#features/evaluation/web/records/modelNames.ts';
import { judgementResultsQuery } from '#features/evaluation/web/records/recordQueries.ts';
import { formatShare } from '#core/contract/numberNotation.ts';
import { Menu } from '#ui/lazy/Menu.tsx';
import { toWhoWords, useReadOnlyReason } from '#ui/client/rights.ts';
import { Card } from '#ui/kit/Card.tsx';
import { downloadFrom } from '#ui/kit/download.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { toAgreementText, toStrengthText } from './judgementWords.ts';
import { HeldOutDialog } from '#features/evaluation/web/records/HeldOutDialog.tsx';
import { ROWS_KINDS, toRowsPath, useRowsDataset } from '#features/evaluation/web/records/useRowsDataset.ts';

function Strengths({ results: { pairs, reference } }: { results: JudgementResults }) {
  const nameOf = useModelNames();
  return (
    <SimpleTable
      caption="Strengths of models by pairs"
      className="px-3 pb-2"
      heads={['Model', 'Pairs', 'Preferred', `Odds against ${nameOf(reference)}`]}
    >
      {pairs.strengths.map((each) => (
        <tr key={each.model}>
          <th scope="row" className="py-1.5 pr-4 font-normal">
            <ModelName model={each.model} className="block max-w-64" />
          </th>
          <td className="py-1.5 pr-4 tabular-nums">{formatCount(each.pairs)}</td>
          <td className="py-1.5 pr-4 tabular-nums">{formatShare(each.win_rate)}</td>
          <td className="py-1.5 tabular-nums">{each.model === reference ? 'reference' : toStrengthText(each)}</td>
        </tr>
      ))}
    </SimpleTable>
  );
}

function Comments({ comments }: Pick<JudgementResults, 'comments'>) {
  const nameOf = useModelNames();
  return (
    <details className="px-3 pb-2">
      <summary className="text-sm text-soft">{formatCounted(comments.length, 'remark')}</summary>
      <ul className="flex flex-col gap-2 py-1">
        {comments.map(({ who, position, models, outcome, comment, correction, at }) => (
          <li key={`${who} ${at}`} className="text-sm">
            <span className="text-soft">
              {toWhoWords(who ?? null)}, row {position + 1}, {models.map(nameOf).join(' and ')}: {outcome}.
            </span>{' '}
            {comment}
            {correction !== null && (
              <span className="block break-words whitespace-pre-wrap">Should be: {correction}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

const FORMS = ['pairs', 'chats'] as const satisfies readonly JudgementForm[];

interface PeopleCardProps {
  evaluation: Evaluation;
  run: EvaluationRun;
}

/** What people judged: strengths of models, how far people agree, and rows to train with. Nothing while nobody has judged. */
export function PeopleCard({ evaluation, run }: PeopleCardProps) {
  const { data: results } = useQuery(judgementResultsQuery(run.id));
  const { onMake, question } = useRowsDataset(evaluation, run.id);
  const readOnly = useReadOnlyReason();
  if (!results || results.people.length === 0) return null;
  const { pairs, ratings, people, comments } = results;
  const items = FORMS.flatMap((form) => [
    {
      label: `${ROWS_KINDS[form].label} as JSONL`,
      onSelect: () => downloadFrom(toRowsPath(run.id, ROWS_KINDS[form]), ROWS_KINDS[form].fileName),
    },
    {
      label: `${ROWS_KINDS[form].label} as a dataset`,
      disabledReason: readOnly,
      onSelect: () => onMake(form),
    },
  ]);
  return (
    <Card
      title="People"
      note={people
        .map((each) => `${toWhoWords(each.who ?? null)}: ${formatCount(each.pairs + each.ratings)}`)
        .join(' · ')}
      actions={<Menu label="Rows to train with" icon={<span aria-hidden>⋯</span>} items={items} />}
    >
      {pairs.judgements > 0 && <Strengths results={results} />}
      <ul className="px-3 pb-2 text-sm text-soft">
        {pairs.judgements > 0 && (
          <li>
            Pairs: {formatCounted(pairs.judgements, 'judgement')}, {formatCounted(pairs.ties, 'tie')};{' '}
            {toAgreementText(pairs)}
          </li>
        )}
        {ratings.judgements > 0 && (
          <li>
            Pass or fail: {formatCounted(ratings.judgements, 'judgement')},{' '}
            {formatCounted(ratings.corrections, 'correction')}; {toAgreementText(ratings)}
          </li>
        )}
      </ul>
      {comments.length > 0 && <Comments comments={comments} />}
      {question && <HeldOutDialog {...question} />}
    </Card>
  );
}
