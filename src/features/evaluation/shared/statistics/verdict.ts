// The result of an evaluation: models x measures with intervals, and how far each is from a baseline on the same rows. Pure.
import { adjustByHolm } from '../pairedTest.ts';
import { toComparison, type Comparison } from './comparison.ts';
import { toEstimate, type Estimate, type MeasureKind, type RowValues } from './estimate.ts';

/** One answer of a model to a row. Repeated answers are several of them. */
export interface JudgedAnswer {
  readonly row: string | number;
  readonly model: string;
  readonly tags?: readonly string[];
  /** By a measure's id: 1 for a pass and 0 for a fail, or a number; null or absent: not known. */
  readonly values: Readonly<Record<string, number | null>>;
}

export interface Measure {
  readonly id: string;
  readonly kind: MeasureKind;
}

interface MeasureResult extends Estimate {
  /** Answers whose value is not known. */
  readonly missing: number;
  /** null: it is the baseline, or they share no row with values. */
  readonly comparison: (Comparison & { readonly adjustedP: number | null }) | null;
}

export interface ModelVerdict {
  readonly model: string;
  /** By the measure's id. */
  readonly measures: Readonly<Record<string, MeasureResult>>;
}

export interface Slice {
  readonly key: string;
  readonly rows: number;
  /** In order of their first answer. */
  readonly models: readonly ModelVerdict[];
}

export interface VerdictInput {
  readonly answers: readonly JudgedAnswer[];
  readonly measures: readonly Measure[];
  /** The model that the others are compared with; null: none. */
  readonly baseline: string | null;
}

interface Values {
  readonly rows: RowValues;
  readonly missing: number;
}

/** The known values of a model's answers, by row. */
export function toRowValues(answers: readonly JudgedAnswer[], measure: string): Values {
  const rows = new Map<string | number, number[]>();
  let missing = 0;
  for (const { row, values } of answers) {
    const value = values[measure] ?? null;
    const found = rows.get(row);
    if (value === null || !Number.isFinite(value)) missing += 1;
    else if (found) found.push(value);
    else rows.set(row, [value]);
  }
  return { rows, missing };
}

/** Answers by key, in the order of the first of each. One answer may belong to several. */
function groupAnswers(
  answers: readonly JudgedAnswer[],
  keysOf: (answer: JudgedAnswer) => readonly string[],
): ReadonlyMap<string, readonly JudgedAnswer[]> {
  const groups = new Map<string, JudgedAnswer[]>();
  for (const answer of answers)
    for (const key of new Set(keysOf(answer))) {
      const found = groups.get(key);
      if (found) found.push(answer);
      else groups.set(key, [answer]);
    }
  return groups;
}

function toModels({ answers, measures, baseline }: VerdictInput): readonly ModelVerdict[] {
  const byModel = groupAnswers(answers, ({ model }) => [model]);
  const ofBaseline = baseline === null ? [] : (byModel.get(baseline) ?? []);
  const baselines = new Map(measures.map(({ id }) => [id, toRowValues(ofBaseline, id).rows]));
  return [...byModel].map(([model, own]) => ({
    model,
    measures: Object.fromEntries(
      measures.map(({ id, kind }): [string, MeasureResult] => {
        const { rows, missing } = toRowValues(own, id);
        const other = baselines.get(id);
        const comparison = model === baseline || !other ? null : toComparison(rows, other, kind);
        return [
          id,
          { ...toEstimate(rows, kind), missing, comparison: comparison && { ...comparison, adjustedP: null } },
        ];
      }),
    ),
  }));
}

/** Corrects the p values for the number of all comparisons in these slices together. */
function adjust(slices: readonly Slice[]): readonly Slice[] {
  const results = slices.flatMap(({ models }) => models.flatMap(({ measures }) => Object.values(measures)));
  const adjusted = adjustByHolm(results.map(({ comparison }) => comparison?.p ?? null));
  const byResult = new Map(results.map((result, at) => [result, adjusted[at] ?? null]));
  const toResult = (result: MeasureResult): MeasureResult => ({
    ...result,
    comparison: result.comparison && { ...result.comparison, adjustedP: byResult.get(result) ?? null },
  });
  return slices.map((slice) => ({
    ...slice,
    models: slice.models.map(({ model, measures }) => ({
      model,
      measures: Object.fromEntries(Object.entries(measures).map(([id, result]) => [id, toResult(result)])),
    })),
  }));
}

/** The result of all answers. Its p values are corrected for the number of its comparisons. */
export const toVerdict = (input: VerdictInput): readonly ModelVerdict[] =>
  adjust([{ key: '', rows: 0, models: toModels(input) }])[0]?.models ?? [];

/**
 * The result by slice, the largest first, such as by tag: `keysOf` gives the slices that an answer belongs to. The p values are corrected for
 * the number of comparisons in all slices, because among many slices one differs by chance.
 */
export function toSlices(input: VerdictInput, keysOf: (answer: JudgedAnswer) => readonly string[]): readonly Slice[] {
  const slices = [...groupAnswers(input.answers, keysOf)].map(([key, answers]) => ({
    key,
    rows: new Set(answers.map(({ row }) => row)).size,
    models: toModels({ ...input, answers }),
  }));
  return adjust(slices.toSorted((a, b) => b.rows - a.rows));
}
