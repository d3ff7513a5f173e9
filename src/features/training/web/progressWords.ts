// What is said of a run that goes on. Pure.
import { formatMeasure, formatShare } from '#core/contract/numberNotation.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { formatCount, formatDuration, formatRate } from '#ui/kit/format.ts';

/** The part of the steps that is done, 0 to 1; null: the trainer has not said how many there are. */
export const toShare = ({ step, steps }: TrainingProgress): number | null =>
  steps === null || steps <= 0 ? null : Math.min(1, step / steps);

const toLossText = (loss: number | string): string => (typeof loss === 'number' ? formatMeasure(loss) : loss);

/** The training loss of a run that has ended is another number: a mean of many steps. */
export const LAST_LOSS = 'Loss of the last step';

/** Name and value of each thing that is known, in the order of the page. */
export function toProgressFacts(progress: TrainingProgress): readonly (readonly [name: string, text: string])[] {
  const { step, steps, points, validations, status, started_at: start, ended_at: end } = progress;
  const last = points.at(-1);
  const validationLoss = validations.findLast(({ loss }) => loss !== null)?.loss ?? null;
  const exactMatch = validations.findLast(({ exact_match: match }) => match !== null)?.exact_match ?? null;
  const isActive = isActiveStatus(status);
  const seconds = progress.seconds_left;
  const facts: readonly (readonly [string, string | null])[] = [
    [
      'Step',
      steps === null && step === 0 ? null : `${formatCount(step)}${steps === null ? '' : ` of ${formatCount(steps)}`}`,
    ],
    [LAST_LOSS, last ? toLossText(last.loss) : null],
    ['Validation loss', validationLoss === null ? null : toLossText(validationLoss)],
    ['Validation exact match', exactMatch === null ? null : formatShare(exactMatch)],
    ['Learning rate', last?.learning_rate == null ? null : formatRate(Number(last.learning_rate.toPrecision(3)))],
    ['Tokens/s', last?.tokens_per_second == null ? null : formatCount(Math.round(last.tokens_per_second))],
    [
      'Time left',
      status !== 'running' || seconds === null ? null : formatDuration(Math.max(1, Math.round(seconds)) * 1000),
    ],
    // With its preparation and the checks of its files; the record's `seconds` are those of the steps.
    ['Time in all', isActive || start === null || end === null ? null : formatDuration(end - start)],
    ['Rows cut', progress.rows_cut === null || progress.rows_cut === 0 ? null : formatCount(progress.rows_cut)],
    [
      'Rows left out',
      progress.rows_left_out === null || progress.rows_left_out === 0 ? null : formatCount(progress.rows_left_out),
    ],
  ];
  return facts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
}

/** Runs in the order of a job's lines: what trains, what waits in the order of the queue, what has ended. */
export function toLineOrder<Run extends { readonly id: string; readonly status?: string }>(
  runs: readonly Run[],
  waiting: readonly string[] = [],
): readonly Run[] {
  const placeOf = ({ id, status }: Run): number =>
    isActiveStatus(status) ? waiting.indexOf(id) : Number.POSITIVE_INFINITY;
  return runs
    .map((run) => ({ run, place: placeOf(run) }))
    .toSorted((one, other) => (one.place === other.place ? 0 : one.place - other.place))
    .map(({ run }) => run);
}

/** The queue with one run a place further up (-1) or down (1). */
export function toMoved(ids: readonly string[], at: number, step: 1 | -1): readonly string[] {
  const other = at + step;
  const moved = ids[at];
  const replaced = ids[other];
  if (moved === undefined || replaced === undefined) return ids;
  return ids.map((id, place) => (place === at ? replaced : place === other ? moved : id));
}

/** `on gpu-box`, where a worker trains it, and `at slurm`, which places it. */
export const toMachineTexts = ({
  machine,
  launcher,
}: Pick<TrainingProgress, 'machine' | 'launcher'>): readonly string[] => [
  ...(machine === undefined ? [] : [`on ${machine}`]),
  ...(launcher === undefined ? [] : [`at ${launcher}`]),
];
