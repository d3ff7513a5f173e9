import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, Play, Scale, Square } from 'lucide-react';
import { useState } from 'react';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { toCheckNames } from '#features/evaluation/shared/checkNames.ts';
import { Select } from '#ui/fields/Select.tsx';
import { Menu } from '#ui/lazy/Menu.tsx';
import { updateUrl } from '#ui/address/urlState.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { formatCounted, formatMoment } from '#ui/kit/format.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { EvaluationDialog } from './EvaluationDialog.tsx';
import { useRecordActions } from './recordActions.ts';
import { evaluationVersionsQuery, isGoingOn, toHeadRun } from './recordQueries.ts';
import { isJudging, toProgressText, toSourceText } from './recordWords.ts';

interface EvaluationHeadProps {
  evaluation: Evaluation;
  /** The newest first. */
  runs: readonly EvaluationRun[];
  /** The one that is shown. */
  run: EvaluationRun | null;
  onJudge: () => void;
}

function RunProgress({ run }: { run: EvaluationRun }) {
  const isJudged = isJudging(run);
  return (
    <div className="flex flex-col gap-1">
      <p
        className={`text-sm ${isGoingOn(run.status) ? 'text-running' : run.status === 'completed' ? 'text-soft' : 'text-warning'}`}
      >
        Run {run.number}, {formatMoment(Date.parse(run.created_at))}: {toProgressText(run)}
      </p>
      {isGoingOn(run.status) && (
        <progress
          aria-label={isJudged ? 'Judged answers of the run' : 'Answers of the run'}
          className="h-1 w-full"
          max={Math.max(1, isJudged ? run.done : run.answers)}
          value={isJudged ? run.judged : run.done + run.failed}
        />
      )}
    </div>
  );
}

/** That a newer run than the one that is shown has ended early. */
function NewerRunNotice({ newest }: { newest: EvaluationRun }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-warning">
      Run {newest.number}: {toProgressText(newest)}
      <Button size="small" onClick={() => updateUrl({ run: newest.id, answers: null })}>
        Show run {newest.number}
      </Button>
    </p>
  );
}

interface OldRunNoticeProps {
  evaluation: Evaluation;
  run: EvaluationRun;
  onJudgeAgain: (runId: string) => void;
}

/** That a run is of an older version: it is asked again, or where only checks changed its answers are judged again. */
function OldRunNotice({ evaluation, run, onJudgeAgain }: OldRunNoticeProps) {
  const { id, version } = evaluation;
  const { data: versions } = useQuery({ ...evaluationVersionsQuery(id, version), enabled: run.version !== version });
  if (run.version === version || !versions) return null;
  const since = versions.filter((each) => each.version > run.version);
  if (since.some(({ changed }) => changed.some((part) => part !== 'checks')))
    return (
      <p className="text-sm text-warning">
        This run is of version {run.version}. Run it again for version {version}.
      </p>
    );
  if (run.checks_version === version) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-warning">
      The checks have changed since.
      <ChangeButton size="small" onClick={() => onJudgeAgain(run.id)}>
        Judge again
      </ChangeButton>
    </p>
  );
}

/** What an evaluation is, and what can be done with it. */
export function EvaluationHead({ evaluation, runs, run, onJudge }: EvaluationHeadProps) {
  const actions = useRecordActions();
  const readOnly = useReadOnlyReason();
  const [isEdited, setEdited] = useState(false);
  const [deleted, setDeleted] = useState<'run' | 'evaluation' | null>(null);
  const [newest] = runs;
  const isActive = run !== null && isGoingOn(run.status);
  const isUnfinished = run !== null && !isActive && (run.failed > 0 || run.status !== 'completed');
  const noModel = evaluation.models.length === 0 ? 'Choose models first: Change.' : null;
  const items = [
    ...(run && isUnfinished
      ? [{ label: `Go on with run ${run.number}`, onSelect: () => actions.resume(run.id), disabledReason: readOnly }]
      : []),
    ...(run && !isActive
      ? [
          {
            label: `Judge run ${run.number} again with the current checks`,
            onSelect: () => actions.rescore(run.id),
            disabledReason: readOnly,
          },
        ]
      : []),
    {
      label: evaluation.is_default ? 'Don’t measure new runs by it' : 'Measure each new run of its dataset by it',
      onSelect: () => actions.change(evaluation, { is_default: !evaluation.is_default }),
      disabledReason:
        readOnly ??
        (evaluation.dataset_id === null ? 'It belongs to no dataset: its rows were not taken from one.' : null),
    },
    ...(run
      ? [{ label: `Delete run ${run.number}`, onSelect: () => setDeleted('run'), disabledReason: readOnly }]
      : []),
    { label: 'Delete the evaluation', onSelect: () => setDeleted('evaluation'), disabledReason: readOnly },
  ];
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" variant="quiet" onClick={() => updateUrl({ evaluation: null, run: null, answers: null })}>
          <ChevronLeft aria-hidden size={13} /> All evaluations
        </Button>
        <h2 className="min-w-0 flex-1 truncate text-lg font-semibold" title={evaluation.name}>
          {evaluation.name}
        </h2>
        {runs.length > 1 && (
          <Select
            label="Run"
            value={run?.id ?? ''}
            options={runs.map(({ id, number, created_at: at }) => ({
              value: id,
              label: `${number}, ${formatMoment(Date.parse(at))}`,
            }))}
            onChange={(id) => updateUrl({ run: id, answers: null })}
          />
        )}
        {run && run.done > 0 && (
          <ChangeButton onClick={onJudge}>
            <Scale aria-hidden size={13} /> Judge
          </ChangeButton>
        )}
        <ChangeButton onClick={() => setEdited(true)}>Change</ChangeButton>
        {isActive ? (
          <ChangeButton onClick={() => actions.cancel(run.id)}>
            <Square aria-hidden size={12} /> Cancel
          </ChangeButton>
        ) : (
          <ChangeButton variant="primary" onClick={() => actions.start(evaluation)} disabledReason={noModel}>
            <Play aria-hidden size={13} /> Run
          </ChangeButton>
        )}
        {run && <ExportMenu evaluation={evaluation} run={run} />}
        <Menu label="More" icon={<span aria-hidden>⋯</span>} items={items} />
      </div>
      <p className="text-soft">
        {toSourceText(evaluation)} · {toCheckNames(evaluation.checks).join(', ') || 'no checks'} ·{' '}
        {evaluation.settings.temperature ? `temperature ${evaluation.settings.temperature}` : 'temperature 0'}
        {evaluation.repeats > 1 && ` · ${evaluation.repeats} answers to each row`} · version {evaluation.version}
      </p>
      {run && <RunProgress run={run} />}
      {newest && run === toHeadRun(runs) && newest !== run && <NewerRunNotice newest={newest} />}
      {run && !isActive && <OldRunNotice evaluation={evaluation} run={run} onJudgeAgain={actions.rescore} />}
      {deleted === 'run' && run && (
        <DeleteDialog
          what={`run ${run.number} of ${evaluation.name}`}
          loss={`This removes ${formatCounted(run.done, 'answer')} and what people judged of them.`}
          onDelete={() => actions.removeRun(run.id)}
          onClose={() => setDeleted(null)}
        />
      )}
      {deleted === 'evaluation' && (
        <DeleteDialog
          what={evaluation.name}
          loss={`This removes ${formatCounted(runs.length, 'run')} with all answers, and what people judged of them.`}
          onDelete={() => actions.remove(evaluation)}
          onClose={() => setDeleted(null)}
        />
      )}
      {isEdited && <EvaluationDialog evaluation={evaluation} onClose={() => setEdited(false)} />}
    </header>
  );
}
