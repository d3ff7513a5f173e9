import { useQuery } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { actOnRun, progressQuery } from '#features/training/web/api/trainingQueries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { openDialog } from '#ui/commands/dialogs.ts';
import { Button } from '#ui/kit/Button.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { CancelButton } from './CancelButton.tsx';
import { LiveCurve } from './LiveCurve.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { toMachineTexts, toProgressFacts } from './progressWords.ts';
import { QueueMoves } from './QueueMoves.tsx';
import { useTrainingAct } from './useTrainingAct.ts';
import { TrainingLogView } from './TrainingLogView.tsx';

const RunResults = toLazyPart(
  'The results',
  async () => (await import('#features/training/web/result/RunResults.tsx')).RunResults,
);
const CommandView = toLazyPart(
  'The command',
  async () => (await import('#features/training/web/result/CommandView.tsx')).CommandView,
);

interface RunTrainingProps {
  run: TreeNode;
  /** Opens models in the playground. */
  onTry: (models: readonly string[]) => void;
}

const ACTIONS = {
  stop: { label: 'Stop and save', title: 'Ends it and keeps its last checkpoint, so that it can be resumed' },
  resume: { label: 'Resume', title: 'Goes on from its last checkpoint' },
} as const;
/** In the order of the page. */
const ORDER = ['resume', 'stop'] as const;

/** A run of this studio while it waits, trains and ends; nothing for a run that was trained elsewhere. */
export function RunTraining({ run, onTry }: RunTrainingProps) {
  const { id } = run;
  const { data: progress } = useQuery(progressQuery(id));
  const { act, busyReason } = useTrainingAct();
  const [hasLog, setHasLog] = useState<boolean | null>(null);
  const [hasCommand, setHasCommand] = useState(false);
  const points = progress?.points;
  const validations = progress?.validations;
  const curve = useMemo(
    () => points && <LiveCurve points={points} validations={validations ?? []} />,
    [points, validations],
  );
  if (!progress) return null;
  const { status, reason, job_id: jobId } = progress;
  const isActive = isActiveStatus(status);
  const isFailed = status === 'failed';
  const isLogShown = hasLog ?? isFailed;
  return (
    <section
      aria-label="This run’s training"
      className="flex min-w-0 flex-col gap-2.5 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <h3 className="font-semibold">{isActive ? 'Training' : 'How it was trained'}</h3>
        <StatusBadge status={status} cause={progress.status_cause ?? null} />
        {toMachineTexts(progress).map((text) => (
          <span key={text} className="text-soft">
            {text}
          </span>
        ))}
        {progress.queue_position !== null && (
          <span className="text-soft">place {progress.queue_position} in the queue</span>
        )}
        <span className="ml-auto flex flex-wrap items-center gap-1.5 print:hidden">
          <QueueMoves id={id} label="this run" />
          {ORDER.filter((action) => progress.actions.includes(action)).map((action) => (
            <Button
              key={action}
              size="small"
              title={ACTIONS[action].title}
              disabledReason={busyReason}
              onClick={() => void act(`Not done: ${ACTIONS[action].label}.`, () => actOnRun(id, action))}
            >
              {ACTIONS[action].label}
            </Button>
          ))}
          {progress.actions.includes('cancel') && (
            <CancelButton
              label="Cancel run"
              statuses={[status]}
              busyReason={busyReason}
              onCancel={() => void act('The run was not cancelled.', () => actOnRun(id, 'cancel'))}
            />
          )}
          {!isActive && jobId !== null && (
            <ChangeButton size="small" onClick={() => openDialog({ kind: 'start-training', jobId })}>
              Run again…
            </ChangeButton>
          )}
        </span>
      </div>
      {reason !== null && (
        <p className={isFailed ? 'flex gap-2 rounded-md bg-error-soft px-3 py-2' : 'text-soft'}>
          {isFailed && <CircleX aria-hidden size={15} className="mt-0.5 shrink-0 text-error" />}
          <span className="min-w-0">
            {reason}
            {isFailed &&
              ` The log below has what the trainer wrote. Change the settings with Run again${progress.actions.includes('resume') ? ', or go on from the last checkpoint with Resume' : ''}.`}
          </span>
        </p>
      )}
      <ProgressBar progress={progress} />
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {toProgressFacts(progress).map(([name, text]) => (
          <div key={name} className="flex flex-col">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="font-mono">{text}</dd>
          </div>
        ))}
      </dl>
      {curve}
      <Suspense>
        <RunResults run={run} progress={progress} onTry={onTry} />
      </Suspense>
      <details onToggle={(event) => setHasCommand(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer rounded text-soft">
          {status === 'queued' || status === 'pending' ? 'What will run' : 'What ran'}
        </summary>
        {hasCommand && (
          <Suspense>
            <CommandView id={id} />
          </Suspense>
        )}
      </details>
      <details open={isLogShown} onToggle={(event) => setHasLog(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer rounded text-soft">Log of the trainer</summary>
        {isLogShown && <TrainingLogView id={id} isActive={isActive} />}
      </details>
    </section>
  );
}
