// How the runs of each dataset compare: its main measure, its best run, and whether anything is left to win. Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { compareByMeasure, isSaturated, toMainMeasure, type Measure } from '#features/experiments/shared/measures.ts';
import type { ExperimentRow } from './experimentRows.ts';

export interface DatasetResult {
  /** null: runs without a dataset above them, or runs of one job that wrote down no data. */
  readonly dataset_id: string | null;
  readonly dataset: string | null;
  /** The job whose runs these are, where their data is not recorded; null: they are of one dataset. */
  readonly job: { readonly id: string; readonly label: string } | null;
  readonly answer_shape: AnswerShape | null;
  /** Names of all measures that its succeeded runs have. */
  readonly measures: readonly string[];
  /** null: no run has a measure that can decide. */
  readonly main: Measure | null;
  /** True if a person chose it. */
  readonly isChosen: boolean;
  /** The succeeded run with the best value of the main measure, of the last snapshot that has one. */
  readonly best: ExperimentRow | null;
  /** The main measure of the best run; null without one. */
  readonly value: number | null;
  /** The same of its base model, on the same rows; null if nobody measured it. */
  readonly base: number | null;
  readonly isSaturated: boolean;
  readonly runs: readonly ExperimentRow[];
}

const valueOf = (row: ExperimentRow, { name }: Measure): number | null => row.held_out[name] ?? null;

/** Of the last snapshot with measured runs: other snapshots have other validation rows. */
function findBest(rows: readonly ExperimentRow[], main: Measure): ExperimentRow | null {
  const all = rows.filter((row) => isSucceeded(row.status) && valueOf(row, main) !== null);
  const last = all.at(-1)?.snapshot_id;
  const measured = all.filter(({ snapshot_id }) => snapshot_id === last);
  return measured.toSorted((a, b) => compareByMeasure(main, valueOf(a, main), valueOf(b, main)))[0] ?? null;
}

/** What decides between the measures of these runs: the shape of their answers, and the measure that a person chose. */
export function findMeasureFacts(runs: readonly ExperimentRow[]): {
  readonly answer_shape: AnswerShape | null;
  readonly chosen: string | null;
} {
  return {
    answer_shape: runs.find((row) => row.answer_shape !== null)?.answer_shape ?? null,
    chosen: runs.find(({ main_measure }) => main_measure !== null)?.main_measure ?? null,
  };
}

/** The job of a run that wrote down no data: runs of one job are compared, those of others may have other data. */
function toUnrecordedJob({ dataset_id, dataset, job_id, job }: ExperimentRow): DatasetResult['job'] {
  return dataset_id === null && dataset !== null && job_id !== null ? { id: job_id, label: job ?? job_id } : null;
}

function toResult(runs: readonly ExperimentRow[]): DatasetResult {
  const succeeded = runs.filter(({ status }) => isSucceeded(status));
  const measures = [...new Set(succeeded.flatMap(({ held_out }) => Object.keys(held_out)))];
  const { answer_shape, chosen } = findMeasureFacts(runs);
  const main = toMainMeasure(measures, answer_shape, chosen);
  const best = main && findBest(runs, main);
  const value = best && main ? valueOf(best, main) : null;
  return {
    dataset_id: runs[0]?.dataset_id ?? null,
    dataset: runs[0]?.dataset ?? null,
    job: runs[0] ? toUnrecordedJob(runs[0]) : null,
    answer_shape,
    measures,
    main,
    isChosen: main !== null && main.name === chosen,
    best,
    value,
    base: best && main ? (best.held_out_base[main.name] ?? null) : null,
    isSaturated: best !== null && main !== null && value !== null && isSaturated(main, value, best.held_out_rows),
    runs,
  };
}

/** The best run of each dataset by its id, with words for it; a run without another to compare with is no best one. */
export function toBestWords(results: readonly DatasetResult[]): ReadonlyMap<string, string> {
  return new Map(
    results.flatMap(({ best, main, runs, dataset, job }) => {
      if (best === null || main === null) return [];
      const measured = runs.filter((row) => valueOf(row, main) !== null).length;
      return measured < 2
        ? []
        : [[best.id, `Best of ${job?.label ?? dataset ?? 'these runs'} by ${main.label}`] as const];
    }),
  );
}

/** One result for each dataset, and for each job of runs that wrote down no data; in the order of the rows. */
export function toDatasetResults(rows: readonly ExperimentRow[]): readonly DatasetResult[] {
  return [...toGroups(rows, (row) => toUnrecordedJob(row)?.id ?? row.dataset_id).values()].map(toResult);
}
