import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ALL_ROWS, toAnswerFilterText } from './answerFilter.ts';
import { AnswersCard } from './AnswersCard.tsx';
import { EvaluationHead } from './EvaluationHead.tsx';
import { JudgeView } from './judging/JudgeView.tsx';
import { PeopleCard } from './judging/PeopleCard.tsx';
import { evaluationRunsQuery, scoresQuery } from './recordQueries.ts';
import { TagTable } from './TagTable.tsx';
import { VerdictTable } from './VerdictTable.tsx';

interface EvaluationViewProps {
  evaluation: Evaluation;
}

/** One evaluation: a run of it, its verdict, and its rows. */
export function EvaluationView({ evaluation }: EvaluationViewProps) {
  const { run: runId } = useUrlState();
  const { data: runs, error, refetch } = useQuery(evaluationRunsQuery(evaluation.id));
  const run = runs?.find(({ id }) => id === runId) ?? runs?.[0] ?? null;
  const nothing = useMemo(() => ({ id: '', judged: 0, checks_version: 0 }), []);
  const { data: scores } = useQuery({
    ...scoresQuery({ ...nothing, status: 'completed', ...run }),
    enabled: run !== null && run.judged > 0,
    placeholderData: (last) => last,
  });
  const [judgedId, setJudgedId] = useState<string | null>(null);
  const showRows = (patch: Partial<typeof ALL_ROWS>) =>
    updateUrl({ answers: toAnswerFilterText({ ...ALL_ROWS, ...patch }) });
  if (error && !runs)
    return <ErrorNotice title="The runs can’t be read" detail={error.message} onRetry={() => void refetch()} />;
  return (
    <div className="flex flex-col gap-3.5">
      <EvaluationHead
        evaluation={evaluation}
        runs={runs ?? []}
        run={run}
        onJudge={() => setJudgedId(run?.id ?? null)}
      />
      {!runs ? (
        <Skeleton rows={6} />
      ) : run === null ? (
        <EmptyState title="Not run yet">
          {evaluation.models.length === 0
            ? 'Choose the models that are asked, then run it.'
            : 'Run it to ask its models for answers.'}
        </EmptyState>
      ) : run.id === judgedId ? (
        <JudgeView run={run} onClose={() => setJudgedId(null)} />
      ) : (
        <>
          {scores && scores.models.length > 0 && run.judged > 0 && (
            <>
              <VerdictTable
                evaluation={evaluation}
                run={run}
                scores={scores}
                onChanges={(model, kind) => showRows({ model, kind })}
              />
              <TagTable scores={scores} onRows={(tag, value) => showRows({ tag, value })} />
            </>
          )}
          <PeopleCard evaluation={evaluation} run={run} />
          <AnswersCard evaluation={evaluation} run={run} />
        </>
      )}
    </div>
  );
}
