import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { findBaseProblem } from '#features/training/shared/baseProblem.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import type { Launchers } from '#features/training/shared/launchers.ts';
import type { TrainingObjectives, TrainingQueue, TrainingBases } from '#features/training/shared/trainingRecords.ts';
import { findRowShortage, type CreateJob } from '#features/training/shared/createJob.ts';
import { openKnownRuns } from '#features/experiments/shared/alreadyRun.ts';
import { toFieldLabel } from '#features/experiments/shared/fieldLabels.ts';
import { RATE_HINT } from '#features/experiments/shared/rates.ts';
import { statisticsQuery } from '#features/datasets/web/api/rowQueries.ts';
import { ApiFailure, toErrorWords } from '#ui/client/failure.ts';
import { jobQuery, sessionQuery } from '#ui/client/queries.ts';
import { createJob, refreshTrainings } from '#features/training/web/api/trainingQueries.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { Button } from '#ui/kit/Button.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { PreviewView } from '#features/training/web/result/PreviewView.tsx';
import { toLead, type Again, type TakenOffer } from './startDialogState.ts';
import { toQueueText } from './queueWords.ts';
import {
  findShortages,
  toCutText,
  toFreeText,
  toRunEstimate,
  toTrainedText,
  toWholeTime,
  type TrainedText,
} from './runEstimate.ts';
import {
  findEqualRows,
  findRefused,
  findRateDoubt,
  findRowProblems,
  isReady,
  toCandidate,
  withNewRow,
  toRequest,
  toStarted,
  withCopies,
  withOffer,
  withSweep,
  type RefusedSettings,
  type RunRow,
} from './runRows.ts';
import { HalvingField } from './HalvingField.tsx';
import { LauncherChoice } from './LauncherChoice.tsx';
import { useHalving } from './useHalving.ts';
import { RunRowView } from './RunRowView.tsx';
import { toTrainingCount, type FoundSnapshot, type RunSource } from './snapshots.ts';

interface RunTableProps {
  snapshot: FoundSnapshot;
  /** What the table begins with; null: it is not there yet. The first one is taken, and later ones change nothing. */
  offered: readonly RunRow[] | null;
  /** The job whose runs are offered again; null: they are those of the recommendation. */
  again: Again | null;
  launchers: Launchers['launchers'];
  /** undefined: a remote studio's. */
  queue: TrainingQueue | null | undefined;
  /** What can be learnt here from the snapshot; null: the service does not say. */
  objectives: TrainingObjectives | null;
  /** Runs from whose models one can go on. */
  sources: readonly RunSource[];
  /** The button that opened the table is gone, so another one has the focus. */
  isAddFocused: boolean;
  bases: TrainingBases | null | undefined;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}

/** Each job is a request. */
const MOST_JOBS = 20;

/** `model`: the base model whose tokens are counted; null: none. */
function useTrainedText({ node }: FoundSnapshot, model: string | null): TrainedText | null {
  const { data } = useQuery({
    ...statisticsQuery({ kind: 'snapshot', id: node.id }, { model }),
    enabled: model !== null,
  });
  if (!data) return null;
  const trained = toTrainingCount(node) ?? data.rows;
  return toTrainedText(data, Math.min(1, trained / Math.max(1, data.rows)));
}

/** What keeps the job from being started; null: nothing. */
function findObstacle(
  name: string,
  rows: readonly RunRow[],
  snapshot: FoundSnapshot,
  refusals: RefusedSettings,
  objectives: TrainingObjectives | null,
): string | null {
  const started = toStarted(rows);
  const count = toTrainingCount(snapshot.node);
  const shortage = count === null ? null : findRowShortage(count);
  if (shortage !== null) return shortage;
  if (started.length === 0) return 'Tick a run first.';
  if (started.length > JOB_LIMITS.experiments) return `A job has at most ${JOB_LIMITS.experiments} runs.`;
  const wrong = rows.findIndex((row) => row.isOn && !isReady(row, refusals, objectives));
  if (wrong >= 0) return `Correct run ${wrong + 1} first.`;
  return name.trim() === '' ? 'Type a name for the job first.' : null;
}

interface RunFactsInput extends Pick<RunTableProps, 'snapshot' | 'queue' | 'bases' | 'sources'> {
  /** A cluster trains them, whose trainer and memory nobody here knows. */
  readonly isElsewhere: boolean;
  readonly rows: readonly RunRow[];
  /** The rates are learning rates, not multipliers. */
  readonly isAbsolute: boolean;
}

/** How long each run will take, and what a person should know of it before it is started. */
function useRunFacts({ snapshot, rows, queue, bases, sources, isElsewhere, isAbsolute }: RunFactsInput) {
  const baseOf = ({ base }: RunRow) => bases?.bases.find(({ id }) => id === base);
  const isTrainable = (row: RunRow): boolean => (baseOf(row)?.shape ?? null) !== null;
  // The service counts the tokens of one base model at a time.
  const counted = rows.find((row) => row.isOn && isTrainable(row)) ?? rows.find(isTrainable);
  const text = useTrainedText(snapshot, counted?.base ?? null);
  const jobs = useQueries({
    queries: snapshot.node.children.slice(-MOST_JOBS).map(({ id }) => jobQuery(id)),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  });
  const findKnown = useMemo(() => openKnownRuns(snapshot.node, jobs), [snapshot.node, jobs]);
  const equal = findEqualRows(rows);
  const labelOf = (run: string) => sources.find(({ id }) => id === run)?.label;
  const estimateOf = (row: RunRow) => toRunEstimate(row, baseOf(row), text, bases?.threads);
  const toNotes = (row: RunRow): readonly string[] => {
    const place = equal.get(row.id);
    const known = findKnown(toCandidate(row, snapshot.node.id));
    const estimate = estimateOf(row);
    return [
      place === undefined ? null : `Equal to run ${place}: both are started as one.`,
      ...known.map(
        ({ words, runs }) => `${words}: ${runs.map(({ label, outcome }) => `${label} (${outcome})`).join(', ')}.`,
      ),
      row.from === null ? null : `Goes on from ${labelOf(row.from) ?? 'the model of an earlier run'}.`,
      isElsewhere ? null : findBaseProblem(row.base, queue, bases),
      isAbsolute ? findRateDoubt(row) : null,
      toCutText(baseOf(row), text, row.chosen.objective),
      ...(estimate === null || isElsewhere ? [] : findShortages(estimate, bases?.machine ?? null)),
    ].filter((note) => note !== null);
  };
  return { estimateOf, toNotes };
}

/** Starts a job. `toJob`: what is sent, unless the answer to an earlier request was lost. */
function useJobStart(toJob: () => CreateJob, { onClose, onStarted }: Pick<RunTableProps, 'onClose' | 'onStarted'>) {
  const client = useQueryClient();
  // One key for this dialog: whatever is sent twice makes one job.
  const [key] = useState(makeId);
  const [sent, setSent] = useState<CreateJob | null>(null);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    // After a lost answer the same request goes again: if the first one arrived, it is not made twice.
    const request = sent ?? toJob();
    setSending(true);
    setError(null);
    try {
      const id = await createJob(request, key);
      await refreshTrainings(client);
      onClose();
      onStarted(id);
      showToast(`Started ${formatCounted(request.experiments.length, 'run')} as ${request.name}.`, { tone: 'success' });
    } catch (failure) {
      const isLost = failure instanceof ApiFailure && failure.kind !== 'http';
      setSent(isLost ? request : null);
      setError(failure);
      setSending(false);
    }
  };
  return { isSent: sent !== null, isSending, error, start };
}

interface StartBarProps extends Pick<RunTableProps, 'queue' | 'bases' | 'onClose'> {
  /** What the runs are given to; null: this studio, or its workers. */
  launcher: Launchers['launchers'][number] | null;
  formId: string;
  started: readonly RunRow[];
  wholeTime: ReturnType<typeof toWholeTime>;
  /** The part of it that is expected, where poor runs stop early. */
  trainedShare: number;
  obstacle: string | null;
  isSent: boolean;
  isSending: boolean;
}

/** What waits before the runs, how long all take, and the buttons. */
function StartBar(props: StartBarProps) {
  const { formId, started, wholeTime, trainedShare, launcher, queue, bases } = props;
  const { obstacle, isSent, isSending, onClose } = props;
  const what = started.length === 0 ? 'training' : formatCounted(started.length, 'run');
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <span className="min-w-40 flex-1 text-sm text-soft">
        {toQueueText(started.length, wholeTime, queue, trainedShare, launcher)}{' '}
        {queue?.trainer != null && launcher === null && toFreeText(bases?.machine)}
      </span>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={formId} variant="primary" disabledReason={obstacle}>
        {isSending ? 'Starting…' : isSent ? 'Start again' : `Start ${what}`}
      </Button>
    </div>
  );
}

/** Of a button that gets the focus. */
function useFocused(isFocused: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) button.current?.focus();
  }, [isFocused]);
  return button;
}

/** The runs that will be started, each to be changed, and the button that starts them. */
export function RunTable(props: RunTableProps) {
  const { snapshot, offered, again, launchers, queue, bases, objectives, sources, isAddFocused, onClose } = props;
  const isAbsolute = useQuery(sessionQuery()).data?.learning_rate_is_absolute === true;
  const [rows, setRows] = useState<readonly RunRow[]>([]);
  const [taken, setTaken] = useState<TakenOffer | null>(null);
  const formId = useId();
  const add = useFocused(isAddFocused);
  const [name, setName] = useState(() => `Round ${snapshot.node.children.length + 1}`);
  const [isPreviewed, setPreviewed] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const launcher = launchers.find((each) => each.name === chosen) ?? null;
  const isElsewhere = launcher !== null;
  const { estimateOf, toNotes } = useRunFacts({ snapshot, rows, queue, bases, sources, isElsewhere, isAbsolute });
  const halving = useHalving(rows, snapshot, queue, again?.eta ?? null);
  if (taken === null && offered !== null) {
    setTaken({ rows: offered, isBelow: rows.length > 0 });
    setRows(withOffer(rows, offered));
    // Those of a remote studio are not known.
    if (queue !== undefined && again?.launcher != null) setChosen(again.launcher);
    halving.onChange(again?.eta ?? null);
  }
  const toJob = () =>
    toRequest(snapshot.node.id, name, rows, isElsewhere ? null : halving.chosen, launcher?.name ?? null);
  const { isSent, isSending, error, start } = useJobStart(toJob, props);
  const started = toStarted(rows);
  const wholeTime = toWholeTime(started.map(estimateOf));
  // A worker may have a trainer that can.
  const refusals = isElsewhere || queue?.has_workers === true ? {} : (queue?.trainer?.refused_settings ?? {});
  const known = [...(bases?.bases.map(({ id }) => id) ?? []), ...rows.map(({ base }) => base)];
  const names = [...new Set(known)].filter(Boolean);
  const obstacle = isSending ? 'It is being sent.' : findObstacle(name, rows, snapshot, refusals, objectives);
  const change = (id: number, toNext: (row: RunRow) => Partial<RunRow>) =>
    setRows((last) => last.map((row) => (row.id === id ? { ...row, ...toNext(row) } : row)));
  return (
    <form
      id={formId}
      className="flex min-w-0 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (obstacle === null) void start();
      }}
    >
      <output className="text-sm text-soft">
        {toLead(taken, again?.name ?? null)}
        {!isAbsolute && ` Learning rate multiplier: ${RATE_HINT}`}
      </output>
      <fieldset disabled={isSent || isSending} className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">Runs to start</legend>
        <ul aria-label="Runs to start" className="flex min-w-0 flex-col rounded-lg border border-line px-3">
          {rows.map((row, at) => (
            <RunRowView
              key={row.id}
              row={row}
              place={at + 1}
              bases={names}
              rateName={toFieldLabel('learning_rate_multiplier', isAbsolute)}
              estimate={estimateOf(row)}
              refusals={refusals}
              objectives={objectives}
              sources={sources}
              problems={row.isOn ? findRowProblems(row, refusals, objectives) : findRefused(row)}
              notes={toNotes(row)}
              onChange={(next) => change(row.id, () => next)}
              onRefuse={(field, message) =>
                change(row.id, ({ refused }) => ({ refused: { ...refused, [field]: message } }))
              }
              onCopy={() => setRows((last) => withCopies(last, row.id, [{}]))}
              onRemove={() => setRows((last) => last.filter(({ id }) => id !== row.id))}
              onSweep={(field, values) => setRows((last) => withSweep(last, row.id, field, values))}
            />
          ))}
          {rows.length === 0 && (
            <li className="py-3 text-soft">No run yet. Add one, and choose its base model and settings.</li>
          )}
        </ul>
        <span>
          <Button
            ref={add}
            size="small"
            onClick={() => setRows((last) => withNewRow(last, names[0] ?? '', objectives))}
          >
            <Plus aria-hidden size={13} />
            Add run
          </Button>
        </span>
        <LauncherChoice launchers={launchers} value={chosen} onChange={setChosen} />
        {halving.isOffered && !isElsewhere && <HalvingField {...halving} wholeTime={wholeTime} />}
        <TextField
          label="Name of the job"
          value={name}
          onChange={setName}
          maxLength={JOB_LIMITS.name}
          autoComplete="off"
        />
      </fieldset>
      {obstacle === null && queue !== undefined && (
        <details className="text-sm" onToggle={(event) => setPreviewed(event.currentTarget.open)}>
          <summary className="w-fit cursor-pointer rounded text-soft">What exactly will run</summary>
          {isPreviewed && <PreviewView job={toJob()} />}
        </details>
      )}
      {error !== null && (
        <ErrorNotice
          title={isSent ? 'The answer was lost' : 'The job was not started'}
          {...toErrorWords(error)}
          {...(isSent && {
            hint: 'The job may have been made. Press Start again: the same request is sent, and it makes one job at most.',
          })}
        />
      )}
      <DialogFoot>
        <StartBar
          {...{ formId, started, launcher, queue, bases, obstacle, isSent, isSending, onClose }}
          wholeTime={wholeTime}
          trainedShare={halving.trainedShare}
        />
      </DialogFoot>
    </form>
  );
}
