import { useQuery } from '@tanstack/react-query';
import { Columns2, Table2 } from 'lucide-react';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { jobQuery, rowsOfferQuery, sessionQuery } from '#ui/client/queries.ts';
import { actOnRun, cancelJob, progressQuery, trainingQueueQuery } from '#features/training/web/api/trainingQueries.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { Button } from '#ui/kit/Button.tsx';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { CancelButton } from './CancelButton.tsx';
import { NotifyButton } from './NotifyButton.tsx';
import { toHalvingText } from './halvingWords.ts';
import { LAST_LOSS, toLineOrder, toMachineTexts, toProgressFacts } from './progressWords.ts';
import { ProgressBar } from './ProgressBar.tsx';
import { QueueMoves } from './QueueMoves.tsx';
import { useTrainingAct } from './useTrainingAct.ts';

/** Opens models in the playground, and there on the validation rows of a snapshot. */
interface DoneActions {
  readonly onTry: (models: readonly string[]) => void;
  readonly onEvaluate: (models: readonly string[], snapshotId: string) => void;
}

interface JobTrainingProps extends DoneActions {
  job: TreeNode;
  /** null: it is not in the tree. */
  snapshot: TreeNode | null;
}

interface RunLineProps extends DoneActions {
  run: TreeNode;
  snapshot: TreeNode | null;
  hasRows: boolean;
}

/** More lines would push the table away; the rest is in it. */
const MOST_LINES = 12;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** One run of the job: where it is, and what can be done with it. */
function RunLine({ run, snapshot, hasRows, onTry, onEvaluate }: RunLineProps) {
  const { data: progress } = useQuery(progressQuery(run.id));
  const { act, busyReason } = useTrainingAct();
  const label = nodeLabel(run);
  // Of runs that were trained elsewhere the table says all there is.
  if (!progress) return null;
  const model = textOf(run.metadata['model_id']);
  const base = textOf(run.metadata['base_model_id']);
  const models = model === null ? [] : base === null ? [model] : [model, base];
  const facts = toProgressFacts(progress).filter(
    ([name]) => name === 'Step' || name === LAST_LOSS || name.startsWith('Time'),
  );
  return (
    <li className="flex flex-col gap-1 border-t border-line py-2">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <button
          type="button"
          className="min-h-6 rounded font-medium text-accent hover:underline"
          onClick={() => selectNode(run)}
        >
          {label}
        </button>
        <StatusBadge status={progress.status} cause={progress.status_cause ?? null} />
        <span className="min-w-0 text-sm text-soft">
          {[...facts.map(([name, text]) => `${name.toLowerCase()} ${text}`), ...toMachineTexts(progress)].join(' · ')}
        </span>
        <span className="ml-auto flex flex-wrap items-center gap-1.5 print:hidden">
          <QueueMoves id={run.id} label={label} />
          {progress.actions.includes('cancel') && (
            <CancelButton
              label={`Cancel ${label}`}
              text="Cancel"
              statuses={[progress.status]}
              busyReason={busyReason}
              onCancel={() => void act('The run was not cancelled.', () => actOnRun(run.id, 'cancel'))}
            />
          )}
          {isSucceeded(progress.status) && model !== null && (
            <Button size="small" aria-label={`Try ${label} beside its base model`} onClick={() => onTry(models)}>
              <Columns2 aria-hidden size={13} />
              Try it
            </Button>
          )}
          {isSucceeded(progress.status) && model !== null && snapshot && hasRows && (
            <Button
              size="small"
              aria-label={`Evaluate ${label} on validation rows, beside its base model`}
              onClick={() => onEvaluate(models, snapshot.id)}
            >
              <Table2 aria-hidden size={13} />
              Evaluate
            </Button>
          )}
        </span>
      </div>
      <ProgressBar progress={progress} />
      {progress.reason !== null && (
        <p className={`min-w-0 text-sm ${progress.status === 'failed' ? 'text-error' : 'text-soft'}`}>
          {progress.reason}
        </p>
      )}
    </li>
  );
}

/** A job of this studio: its runs while they wait and train, and what can be done with all of them. */
export function JobTraining({ job, snapshot, onTry, onEvaluate }: JobTrainingProps) {
  const { data: session } = useQuery(sessionQuery());
  const isLocal = session?.mode === 'local';
  const { data: queue } = useQuery({ ...trainingQueueQuery(), enabled: isLocal });
  const { data: hasRows = false } = useQuery(rowsOfferQuery(isLocal ? (snapshot?.id ?? '') : ''));
  const halving = useQuery({ ...jobQuery(job.id), enabled: isLocal }).data?.halving;
  const { act, busyReason } = useTrainingAct();
  if (!isLocal) return null;
  const runs = job.children.filter(({ type }) => type === 'experiment');
  const going = runs.filter(({ status }) => isActiveStatus(status));
  const shown = toLineOrder(
    runs,
    queue?.waiting.map((entry) => entry.experiment_id),
  ).slice(0, MOST_LINES);
  return (
    <section
      aria-label="Training of this job"
      className="mb-3.5 rounded-[10px] border border-line bg-surface px-3 pt-2 pb-1 print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pb-1">
        <h2 className="font-semibold">Training</h2>
        <span className="text-soft">
          {going.length === 0
            ? 'All runs of this job have ended.'
            : `Waiting or in training: ${going.length} of ${formatCounted(runs.length, 'run')}.`}
        </span>
        <span className="ml-auto flex flex-wrap gap-1.5">
          {going.length > 0 && <NotifyButton />}
          {going.length > 0 && (
            <CancelButton
              label="Cancel job"
              statuses={going.map(({ status }) => status)}
              busyReason={busyReason}
              onCancel={() => void act('The job was not cancelled.', () => cancelJob(job.id))}
            />
          )}
          <ChangeButton
            size="small"
            onClick={() =>
              openDialog({ kind: 'start-training', ...(snapshot && { snapshotId: snapshot.id }), jobId: job.id })
            }
          >
            Run again…
          </ChangeButton>
        </span>
      </div>
      {halving && <p className="pb-1 text-sm text-soft">{toHalvingText(halving, runs.length)}</p>}
      <ul aria-label="Runs of this job">
        {shown.map((run) => (
          <RunLine key={run.id} run={run} snapshot={snapshot} hasRows={hasRows} onTry={onTry} onEvaluate={onEvaluate} />
        ))}
      </ul>
    </section>
  );
}
