// The scores of a run: pass rates with intervals by model, check and tag, and whether each model is better or worse than the
// baseline. The one place that computes them. Pure.
import { isJudge, type EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { EVALUATION_LIMITS, PEOPLE } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { Rate, Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import {
  addValue,
  toEmptyRows,
  toEstimate,
  pickRows,
  type Estimate,
  type RowValues,
} from '#features/evaluation/shared/statistics/estimate.ts';
import { toCohensKappa } from '#features/evaluation/shared/statistics/raterAgreement.ts';
import { toRowChanges } from '#features/evaluation/shared/statistics/rowChanges.ts';
import {
  toTableResult,
  type AdjustedComparison,
  type TableResult,
} from '#features/evaluation/shared/statistics/verdict.ts';
import type { TagColumns } from './evaluationRows.ts';
import type { RunModel, RunRecord } from './runRecords.ts';
import { toScoreAt, type VerdictColumn, type VerdictTable } from './verdictTable.ts';

type ModelScores = Scores['models'][number];
type RunShape = Pick<RunRecord, 'repeats' | 'row_count'>;

/** The verdicts on the answers of a model, by row. */
interface JudgedRows {
  /** 1 for each answer that passed, 0 for one that failed. */
  readonly passes: RowValues;
  readonly notChecked: Uint16Array;
  readonly scores: RowValues;
}

const [PASS, FAIL, NOT_CHECKED] = ['p', 'f', 'n'].map((letter) => letter.charCodeAt(0)) as [number, number, number];

/** `scoreAt`: of an answer that passed or failed; null: its scores are what its letters say. */
function toJudgedRows(
  letters: string,
  { repeats, row_count }: RunShape,
  scoreAt: ((place: number) => number | null) | null,
): JudgedRows {
  const [passes, notChecked] = [toEmptyRows(row_count), new Uint16Array(row_count)];
  const scores = scoreAt === null ? passes : toEmptyRows(row_count);
  for (let place = 0, row = 0; row < row_count; row += 1)
    for (const end = (row + 1) * repeats; place < end; place += 1) {
      const code = letters.charCodeAt(place);
      if (code === NOT_CHECKED) notChecked[row] = (notChecked[row] ?? 0) + 1;
      if (code !== PASS && code !== FAIL) continue;
      addValue(passes, row, code === PASS ? 1 : 0);
      const score = scoreAt?.(place) ?? null;
      if (score !== null) addValue(scores, row, score);
    }
  return { passes, notChecked, scores };
}

const toCheckRows = (column: VerdictColumn, run: RunShape): JudgedRows =>
  toJudgedRows(column.letters, run, column.scores.size === 0 ? null : (place) => toScoreAt(column, place));

/** Whether the answers of a model passed, by row. */
export const toPassedRows = (letters: string, run: RunShape): RowValues => toJudgedRows(letters, run, null).passes;

/** Of all checks that count; an answer's score is the mean of its scores. */
function toOverallRows(table: VerdictTable, counting: readonly string[], model: number, run: RunShape): JudgedRows {
  const columns = counting.map((scorer) => table.column(scorer, model));
  const [only] = columns;
  if (columns.length === 1 && only) return toCheckRows(only, run);
  return toJudgedRows(table.overall(model), run, (place) => {
    let [sum, count] = [0, 0];
    for (const column of columns) {
      const score = toScoreAt(column, place);
      if (score === null) continue;
      sum += score;
      count += 1;
    }
    return count === 0 ? null : sum / count;
  });
}

const pickJudged = ({ passes, notChecked, scores }: JudgedRows, rows: Uint32Array): JudgedRows => {
  const picked = pickRows(passes, rows);
  return {
    passes: picked,
    notChecked: new Uint16Array(rows.length).map((_, at) => notChecked[rows[at] ?? 0] ?? 0),
    scores: scores === passes ? picked : pickRows(scores, rows),
  };
};

function sumOf(values: Float64Array | Uint16Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0;
  return sum;
}

function toRate({ passes, notChecked, scores }: JudgedRows, { value, low, high, answers }: Estimate): Rate {
  const scored = sumOf(scores.counts);
  return {
    passed: sumOf(passes.sums),
    total: answers,
    rate: value,
    low: low ?? 0,
    high: high ?? 1,
    not_checked: sumOf(notChecked),
    mean_score: scored === 0 ? null : sumOf(scores.sums) / scored,
  };
}

/** The pass rate of a model, and how many of its answers were judged. */
export function toModelRate(
  table: VerdictTable,
  counting: readonly string[],
  model: number,
  run: RunShape,
): { readonly rate: Rate; readonly judged: number } {
  const rows = toOverallRows(table, counting, model, run);
  const rate = toRate(rows, toEstimate(rows.passes, 'rate'));
  return { rate, judged: rate.total + rate.not_checked };
}

const toPoints = (share: number): number => Number((share * 100).toFixed(1));

function toDifference(found: AdjustedComparison | null, own: RowValues, base: RowValues): ModelScores['difference'] {
  if (found === null) return null;
  const { regressed, improved } = toRowChanges(own, base);
  return {
    rows: found.rows,
    value: toPoints(found.difference),
    low: toPoints(found.low ?? -1),
    high: toPoints(found.high ?? 1),
    p: found.p,
    adjusted_p: found.adjustedP,
    verdict: found.side,
    improved: improved.length,
    regressed: regressed.length,
  };
}

type Part = Pick<ModelScores, 'rate' | 'difference'>;
type ScorePart = NonNullable<ModelScores['by_check'][number]['score']>;

interface Lines {
  /** Of each line the judged rows of each model. */
  readonly lines: readonly (readonly JudgedRows[])[];
  /** Scores of each model, where a check judges by degrees. */
  readonly scores?: readonly (readonly RowValues[])[];
  /** The place of the model that others are compared with; null: none. */
  readonly baseline: number | null;
}

function toScorePart({ estimate, comparison }: TableResult['lines'][number][number]): ScorePart | null {
  const { value, low, high } = estimate;
  if (value === null) return null;
  const difference = comparison && {
    rows: comparison.rows,
    value: comparison.difference,
    low: comparison.low,
    high: comparison.high,
    p: comparison.p,
    adjusted_p: comparison.adjustedP,
    verdict: comparison.side,
  };
  return { mean: value, low, high, difference };
}

/** What each model reaches in each line. All p values are corrected for their number. */
function toParts({ lines, scores = [], baseline }: Lines) {
  const { lines: found, comparisons } = toTableResult(
    [
      ...lines.map((models) => ({ kind: 'rate' as const, models: models.map(({ passes }) => passes) })),
      ...scores.map((models) => ({ kind: 'mean' as const, models })),
    ],
    baseline,
  );
  const parts = lines.map((models, line) =>
    models.flatMap((rows, place): Part[] => {
      const result = found[line]?.[place];
      const { passes } = models[baseline ?? place] ?? rows;
      return result
        ? [
            {
              rate: toRate(rows, result.estimate),
              difference: toDifference(result.comparison, rows.passes, passes),
            },
          ]
        : [];
    }),
  );
  return { parts, scores: found.slice(lines.length).map((line) => line.map(toScorePart)), comparisons };
}

/** The rows of each value of a tag, the most frequent ones. */
const toSlices = (tags: TagColumns) =>
  Object.entries(tags).flatMap(([tag, { values, of }]) => {
    const rows = values.map((): number[] => []);
    for (const [row, value] of of.entries()) rows[value]?.push(row);
    return values
      .slice(0, EVALUATION_LIMITS.tagValues)
      .map((value, at) => ({ tag, value, rows: Uint32Array.from(rows[at] ?? []) }));
  });

export interface ScoresOf {
  readonly run: RunShape & Pick<RunRecord, 'baseline' | 'checks_version'>;
  readonly models: readonly Pick<RunModel, 'model' | 'place'>[];
  readonly checks: readonly EvaluationCheck[];
  readonly counting: readonly string[];
}

/** Whether there is a verdict of a scorer. */
const hasVerdicts = (table: VerdictTable, scorer: string, models: ScoresOf['models']): boolean =>
  models.some(({ place }) => table.column(scorer, place).letters.trim() !== '');

/** How far a judge agrees with people, over the answers of all models. */
function toAgreement(table: VerdictTable, scorer: string, models: ScoresOf['models']) {
  const read = (id: string): readonly (string | null)[] =>
    models.flatMap(({ place }) =>
      [...table.column(id, place).letters].map((letter) => (letter === 'p' || letter === 'f' ? letter : null)),
    );
  const { items, kappa, low, high } = toCohensKappa(read(scorer), read(PEOPLE));
  return items < EVALUATION_LIMITS.agreement
    ? { items, kappa: null, low: null, high: null }
    : { items, kappa, low, high };
}

export function toScores({ run, models, checks, counting }: ScoresOf, table: VerdictTable, tags: TagColumns): Scores {
  const found = models.findIndex(({ model }) => model === run.baseline);
  const baseline = found === -1 ? null : found;
  const overall = models.map(({ place }) => toOverallRows(table, counting, place, run));
  const slices = toSlices(tags);
  const scorers = [...checks.map(({ id }) => id), ...(hasVerdicts(table, PEOPLE, models) ? [PEOPLE] : [])];
  const checked = scorers.map((id) => models.map(({ place }) => toCheckRows(table.column(id, place), run)));
  const scored = checked.flatMap((line, at) => (line.some(({ passes, scores }) => scores !== passes) ? [at] : []));
  const whole = toParts({ lines: [overall], baseline });
  const byCheck = toParts({
    lines: checked,
    scores: scored.map((at) => (checked[at] ?? []).map(({ scores }) => scores)),
    baseline,
  });
  const byTag = toParts({
    lines: slices.map(({ rows }) => overall.map((judged) => pickJudged(judged, rows))),
    baseline,
  });
  const agreements = new Map(
    checks.filter(isJudge).map(({ id }) => [id, { agreement: toAgreement(table, id, models) }]),
  );
  return {
    baseline: run.baseline,
    checks_version: run.checks_version,
    comparisons: { models: whole.comparisons, checks: byCheck.comparisons, tags: byTag.comparisons },
    models: models.flatMap(({ model }, place) => {
      const own = whole.parts[0]?.[place];
      if (!own) return [];
      const by_check = scorers.flatMap((scorer, line) => {
        const part = byCheck.parts[line]?.[place];
        const score = byCheck.scores[scored.indexOf(line)]?.[place] ?? null;
        return part ? [Object.assign({ scorer, score }, part, agreements.get(scorer))] : [];
      });
      const by_tag = slices.flatMap(({ tag, value }, line) => {
        const part = byTag.parts[line]?.[place];
        return part ? [Object.assign({ tag, value }, part)] : [];
      });
      return [{ model, ...own, by_check, by_tag }];
    }),
  };
}
