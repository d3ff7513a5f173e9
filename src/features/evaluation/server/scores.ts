// The scores of a run: pass rates with intervals by model, check and tag, and how far each model is from the baseline. Pure.
import { isJudge, type EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { EVALUATION_LIMITS, PEOPLE } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { Rate, Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { toPassRate } from '#features/evaluation/shared/passRate.ts';
import { toRowsGap } from '#features/evaluation/shared/passRateDifference.ts';
import { toCohensKappa } from '#features/evaluation/shared/statistics/raterAgreement.ts';
import type { TagColumns } from './evaluationRows.ts';
import type { RunModel, RunRecord } from './runRecords.ts';
import type { VerdictColumn, VerdictTable } from './verdicts.ts';

type Difference = Scores['models'][number]['difference'];

const Z = 1.959963984540054;

/** Of each row the share of its judged answers that passed; null: none was judged. */
function toRowShares(letters: string, repeats: number, rows: readonly number[]): readonly (number | null)[] {
  return rows.map((row) => {
    let [passed, judged] = [0, 0];
    for (let at = row * repeats; at < (row + 1) * repeats; at += 1) {
      if (letters[at] === 'p') passed += 1;
      if (letters[at] === 'p' || letters[at] === 'f') judged += 1;
    }
    return judged === 0 ? null : passed / judged;
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The variance of the mean of independent values; 0 of one value. */
function toMeanVariance(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.length < 2 ? 0 : squares / (values.length - 1) / values.length;
}

/**
 * The number of independent answers that would have told as much: answers to one row are alike. At least the number of rows,
 * at most that of answers (Kish's design effect).
 */
function toEffectiveSize(shares: readonly number[], rate: number, total: number): number {
  const variance = toMeanVariance(shares);
  if (variance === 0) return shares.length;
  return Math.min(total, Math.max(shares.length, (rate * (1 - rate)) / variance));
}

function toRate({ letters, scoreAt }: VerdictColumn, repeats: number, rows: readonly number[]): Rate {
  const counts = { p: 0, f: 0, n: 0 };
  let [scores, scored] = [0, 0];
  for (const row of rows)
    for (let at = row * repeats; at < (row + 1) * repeats; at += 1) {
      const letter = letters[at];
      if (letter !== 'p' && letter !== 'f' && letter !== 'n') continue;
      counts[letter] += 1;
      const score = letter === 'n' ? null : scoreAt(at);
      if (score === null) continue;
      scores += score;
      scored += 1;
    }
  const total = counts.p + counts.f;
  const plain = toPassRate(counts.p, total);
  const shares =
    repeats === 1 || total === 0 ? [] : toRowShares(letters, repeats, rows).filter((share) => share !== null);
  const size = shares.length === 0 ? total : toEffectiveSize(shares, counts.p / total, total);
  const bounds = shares.length === 0 ? plain : toPassRate((counts.p / total) * size, size);
  return {
    passed: counts.p,
    total,
    rate: plain.rate,
    low: bounds.low,
    high: bounds.high,
    not_checked: counts.n,
    mean_score: scored === 0 ? null : scores / scored,
  };
}

/** Of one answer to each row: the exact test of pairs. Of several: the mean of the rows' differences. */
function toDifference(own: string, base: string, repeats: number, rows: readonly number[]): Difference {
  const [shares, baseShares] = [toRowShares(own, repeats, rows), toRowShares(base, repeats, rows)];
  const pairs = shares.flatMap((share, at) => {
    const other = baseShares[at] ?? null;
    return share === null || other === null ? [] : [{ share, other }];
  });
  if (pairs.length === 0) return null;
  const passes = (share: number): boolean => share > 0.5;
  const counts = {
    rows: pairs.length,
    improved: pairs.filter(({ share, other }) => passes(share) && !passes(other)).length,
    regressed: pairs.filter(({ share, other }) => !passes(share) && passes(other)).length,
  };
  const toPoints = (share: number): number => Number((share * 100).toFixed(1));
  const gaps = pairs.map(({ share, other }) => share - other);
  const value = toPoints(meanOf(gaps));
  const variance = toMeanVariance(gaps);
  // Of repeats that all differ alike the spread says nothing: the rows are compared by their majorities.
  if (repeats === 1 || variance === 0) {
    const toRight = (of: (pair: { share: number; other: number }) => number) => ({
      share: meanOf(pairs.map((pair) => Number(passes(of(pair))))),
      right: pairs.map((pair) => (passes(of(pair)) ? '1' : '0')).join(''),
    });
    const gap = toRowsGap(
      toRight(({ share }) => share),
      toRight(({ other }) => other),
      pairs.length,
    );
    return gap && { ...counts, value, low: gap.low, high: gap.high, p: repeats === 1 ? gap.p : null };
  }
  const half = Z * Math.sqrt(variance);
  return { ...counts, value, low: toPoints(meanOf(gaps) - half), high: toPoints(meanOf(gaps) + half), p: null };
}

const toAllRows = (count: number): readonly number[] => Array.from({ length: count }, (_, row) => row);

/** Of all checks that count, of each answer its mean score. */
function toOverall(table: VerdictTable, counting: readonly string[], model: number): VerdictColumn {
  const columns = counting.map((scorer) => table.column(scorer, model));
  return {
    letters: table.overall(model),
    scoreAt(place) {
      const scores = columns.flatMap((column) => column.scoreAt(place) ?? []);
      return scores.length === 0 ? null : meanOf(scores);
    },
  };
}

type RunShape = Pick<RunRecord, 'repeats' | 'row_count'>;

/** The pass rate of a model, and how many of its answers were judged. */
export function toModelRate(
  table: VerdictTable,
  counting: readonly string[],
  model: number,
  { repeats, row_count }: RunShape,
): { readonly rate: Rate; readonly judged: number } {
  const rate = toRate(toOverall(table, counting, model), repeats, toAllRows(row_count));
  return { rate, judged: rate.total + rate.not_checked };
}

/** Whether there is a verdict of a scorer. */
const hasVerdicts = (table: VerdictTable, scorer: string, models: ScoresOf['models']): boolean =>
  models.some(({ place }) => table.column(scorer, place).letters.trim() !== '');

export interface ScoresOf {
  readonly run: RunShape & Pick<RunRecord, 'baseline' | 'checks_version'>;
  readonly models: readonly Pick<RunModel, 'model' | 'place'>[];
  readonly checks: readonly EvaluationCheck[];
  readonly counting: readonly string[];
}

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
  const { repeats, row_count } = run;
  const all = toAllRows(row_count);
  const base = models.find(({ model }) => model === run.baseline) ?? null;
  const toPart = (of: (place: number) => VerdictColumn, place: number, rows: readonly number[]) => ({
    rate: toRate(of(place), repeats, rows),
    difference:
      base === null || base.place === place
        ? null
        : toDifference(of(place).letters, of(base.place).letters, repeats, rows),
  });
  const overall = (place: number): VerdictColumn => toOverall(table, counting, place);
  const slices = Object.entries(tags).flatMap(([tag, { values, of }]) => {
    const rows = values.map((): number[] => []);
    for (const [row, value] of of.entries()) rows[value]?.push(row);
    return values.slice(0, EVALUATION_LIMITS.tagValues).map((value, at) => ({ tag, value, rows: rows[at] ?? [] }));
  });
  const agreements = new Map(
    checks.filter(isJudge).map(({ id }) => [id, { agreement: toAgreement(table, id, models) }]),
  );
  const scorers = [...checks.map(({ id }) => id), ...(hasVerdicts(table, PEOPLE, models) ? [PEOPLE] : [])];
  return {
    baseline: run.baseline,
    checks_version: run.checks_version,
    models: models.map(({ model, place }) => ({
      model,
      ...toPart(overall, place, all),
      by_check: scorers.map((id) =>
        Object.assign(
          { scorer: id },
          toPart((each) => table.column(id, each), place, all),
          agreements.get(id),
        ),
      ),
      by_tag: slices.map(({ tag, value, rows }) => Object.assign({ tag, value }, toPart(overall, place, rows))),
    })),
  };
}
