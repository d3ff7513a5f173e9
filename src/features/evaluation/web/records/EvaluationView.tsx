import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EvaluationRun, Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { ALL_ROWS, toAnswerFilterText } from './answerFilter.ts';
import { toAskedEvaluation } from './askedEvaluation.ts';
import { AnswersCard } from './AnswersCard.tsx';
import { FieldsCard } from './FieldsCard.tsx';
import { EvaluationHead } from './EvaluationHead.tsx';
import { JudgeView } from './judging/JudgeView.tsx';
import { PairJudgesCard } from './judging/PairJudgesCard.tsx';
import { PeopleCard } from './judging/PeopleCard.tsx';
import {
  evaluationRunsQuery,
  evaluationVersionQuery,
  isSameButState,
  scoresQuery,
  toHeadRun,
} from './recordQueries.ts';
import { TagTable } from './TagTable.tsx';
import { VerdictTable } from './VerdictTable.tsx';

const NO_RUN = {
  id: '',
  status: 'completed',
  judged: 0,
  done: 0,
  failed: 0,
  ended_at: null,
  checks_version: 0,
} as const;

const hasVerdict = ({ models }: Scores): boolean =>
  models.some(({ rate, by_check: checks }) =>
    [{ rate }, ...checks].some(({ rate: { total, not_checked: open } }) => total + open > 0),
  );

/** The evaluation as a run has asked and judged it. Until an older version is there, as it is now. */
function useAskedEvaluation(evaluation: Evaluation, run: EvaluationRun | null): Evaluation {
  const { id, version } = evaluation;
  const readAt = (wanted: number) => ({ ...evaluationVersionQuery(id, wanted), enabled: wanted !== version });
  const { data: asked = evaluation } = useQuery(readAt(run?.version ?? version));
  const { data: judged = evaluation } = useQuery(readAt(run?.checks_version ?? version));
  return toAskedEvaluation(evaluation, asked, judged);
}

interface EvaluationViewProps {
  evaluation: Evaluation;
}

/** One evaluation: a run of it, its verdict, and its rows. */
export function EvaluationView({ evaluation }: EvaluationViewProps) {
  const { run: runId } = useUrlState();
  const { data: runs, error, refetch } = useQuery(evaluationRunsQuery(evaluation.id));
  const run = runs?.find(({ id }) => id === runId) ?? toHeadRun(runs ?? []);
  const query = scoresQuery(run ?? NO_RUN);
  const { data: scores } = useQuery({
    ...query,
    enabled: run !== null,
    placeholderData: (last, old) => (isSameButState(old?.queryKey, query.queryKey) ? last : undefined),
  });
  const asked = useAskedEvaluation(evaluation, run);
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
        onJudge={() => {
          // A run that somebody starts meanwhile does not take its place.
          if (run) updateUrl({ run: run.id });
          setJudgedId(run?.id ?? null);
        }}
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
          {scores && hasVerdict(scores) && (
            <>
              <VerdictTable
                evaluation={asked}
                run={run}
                scores={scores}
                onChanges={(model, kind) => showRows({ model, kind })}
              />
              <TagTable scores={scores} onRows={(tag, value) => showRows({ tag, value })} />
            </>
          )}
          <PairJudgesCard run={run} />
          <PeopleCard evaluation={evaluation} run={run} />
          <FieldsCard key={`fields ${run.id}`} evaluation={asked} run={run} />
          <AnswersCard key={run.id} evaluation={asked} run={run} />
        </>
      )}
    </div>
  );
}
