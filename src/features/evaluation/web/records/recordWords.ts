// What the pages of evaluations say. Pure.
import { formatShare, toPercent } from '#core/contract/numberNotation.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type {
  EvaluationRun,
  FieldScores,
  Outcome,
  Rate,
  RunStatus,
  Scores,
  Verdict,
} from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation, RowSource } from '#features/evaluation/shared/contract/evaluations.ts';
import { toPText } from '#features/evaluation/shared/pairedTest.ts';
import { toBasisText } from '#features/evaluation/shared/scoreText.ts';
import { isPairJudge } from '#features/evaluation/shared/wireChecks.ts';
import { formatCount, formatCounted, formatDuration, formatMoment } from '#ui/kit/format.ts';

const OUTCOMES: Readonly<Record<Outcome, string>> = { pass: 'passed', fail: 'failed', not_checked: 'not checked' };
const PAIR_OUTCOMES: Readonly<Record<Outcome, string>> = {
  pass: 'preferred',
  fail: 'not preferred',
  not_checked: 'undecided',
};

/** What a verdict says of an answer. */
export function toOutcomeWord(checks: readonly EvaluationCheck[], { scorer, outcome }: Verdict): string {
  const check = checks.find(({ id }) => id === scorer);
  return (check && isPairJudge(check) ? PAIR_OUTCOMES : OUTCOMES)[outcome];
}

const SOURCES: Readonly<Record<RowSource['kind'], string>> = {
  rows: 'own rows',
  snapshot: 'held-out rows',
  run: 'rows that models failed',
  playground: 'conversations of the playground',
  traces: 'traces',
};

/** What is lost when rows of an evaluation are trained; null: they are not held out. */
export function toHeldOutWarning({ source, name }: Pick<Evaluation, 'source' | 'name'>): string | null {
  const after = `A model trained on them can’t be measured by ${name} any more: it would have seen the questions.`;
  if (source.kind === 'snapshot') return `These rows are held out of training. ${after}`;
  if (source.kind === 'run')
    return `These rows are those that models failed in another evaluation, and may be held out of training. ${after}`;
  return null;
}

export function toSourceText({ source, row_count: rows }: Pick<Evaluation, 'source' | 'row_count'>): string {
  const name = 'name' in source && source.name !== undefined ? `, ${source.name}` : '';
  return `${formatCounted(rows, 'row')} (${SOURCES[source.kind]}${name})`;
}

/** "82 % (69.2–90.2)"; null: nothing was judged. */
export const toRateText = ({ rate, low, high }: Rate): string | null =>
  rate === null ? null : `${formatShare(rate)} (${toPercent(low)}–${toPercent(high)})`;

export const toRateTitle = (rate: Rate): string =>
  `${formatCount(rate.passed)} of ${formatCounted(rate.total, 'answer')} passed${toBasisText(rate)}, with the 95 % interval`;

const STATES: Readonly<Record<RunStatus, string>> = {
  queued: 'waits for its turn',
  running: 'goes on',
  waiting: 'waits',
  completed: 'done',
  cancelled: 'cancelled',
  failed: 'failed',
};

/** Whether checks still judge while every answer is there. */
export const isJudging = ({
  status,
  answers,
  done,
  failed,
}: Pick<EvaluationRun, 'status' | 'answers' | 'done' | 'failed'>) =>
  status === 'running' && done > 0 && done + failed >= answers;

/** "goes on · 1,200 of 4,800 answers · 31 a second · about 2 min left", or "judging 120 of 400 answers". */
export function toProgressText(
  run: Pick<
    EvaluationRun,
    | 'status'
    | 'answers'
    | 'done'
    | 'failed'
    | 'judged'
    | 'reason'
    | 'next_try_at'
    | 'answers_per_second'
    | 'seconds_left'
  >,
): string {
  const { status, answers, done, failed, reason, answers_per_second: speed, seconds_left: left } = run;
  const next = run.next_try_at;
  const settled = done + failed;
  const failures = failed > 0 ? [`${formatCount(failed)} without an answer`] : [];
  // Checks that do not count go on when the others are done.
  if (isJudging(run)) {
    const count = run.judged > 0 && run.judged < done ? `${formatCount(run.judged)} of ` : '';
    return [`judging ${count}${formatCounted(done, 'answer')}`, ...failures].join(' · ');
  }
  const parts = [
    `${STATES[status]}${reason === null ? '' : `: ${reason}`}`,
    ...(next === null ? [] : [`tries again ${formatMoment(Date.parse(next))}, others go on`]),
    settled < answers
      ? `${formatCount(settled)} of ${formatCounted(answers, 'answer')}`
      : formatCounted(answers, 'answer'),
    ...failures,
    ...(status === 'running' && speed !== null
      ? [`${speed >= 10 ? Math.round(speed) : speed.toFixed(1)} a second`]
      : []),
    ...(status === 'running' && left !== null ? [`about ${formatDuration(left * 1000)} left`] : []),
  ];
  return parts.join(' · ');
}

type Difference = NonNullable<Scores['models'][number]['difference']>;
type ScoreDifference = NonNullable<NonNullable<Scores['models'][number]['by_check'][number]['score']>['difference']>;

const signed = (value: number, digits: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(digits)}`;
const toPoints = (value: number): string => signed(value, 1);

const VERDICTS: Readonly<Record<Difference['verdict'], string>> = {
  better: 'better',
  worse: 'worse',
  undecided: 'can’t tell yet',
};

/** "p 0.06 corrected for 3 comparisons"; of one comparison nothing is corrected. */
const toTestText = (adjusted: number | null, comparisons: number): readonly string[] =>
  adjusted === null
    ? []
    : [comparisons > 1 ? `${toPText(adjusted)} corrected for ${comparisons} comparisons` : toPText(adjusted)];

/** "better: +3.3 points (+0.4 to +6.2), p 0.02 corrected for 3 comparisons, same 465 rows". */
export function toDifferenceText(
  { value, low, high, adjusted_p: p, rows, verdict }: Omit<Difference, 'improved' | 'regressed' | 'p'>,
  comparisons: number,
): string {
  return [
    `${VERDICTS[verdict]}: ${toPoints(value)} points (${toPoints(low)} to ${toPoints(high)})`,
    ...toTestText(p, comparisons),
    `same ${formatCounted(rows, 'row')}`,
  ].join(', ');
}

/** "better: +0.03 (+0.01 to +0.05), p 0.02, same 465 rows". */
export function toScoreDifferenceText(
  { value, low, high, adjusted_p: p, rows, verdict }: ScoreDifference,
  comparisons: number,
): string {
  const bounds = low === null || high === null ? '' : ` (${signed(low, 2)} to ${signed(high, 2)})`;
  return [
    `${VERDICTS[verdict]}: ${signed(value, 2)}${bounds}`,
    ...toTestText(p, comparisons),
    `same ${formatCounted(rows, 'row')}`,
  ].join(', ');
}

/** The checks that have a column. One that counts alone, and only passes or fails, says what the column of all says. */
export function toShownScorers(
  checks: readonly EvaluationCheck[],
  { models }: { readonly models: readonly Pick<Scores['models'][number], 'by_check'>[] },
): readonly string[] {
  const scorers = models[0]?.by_check.map(({ scorer }) => scorer) ?? [];
  const [only] = scorers;
  const saysMore = models.some(({ by_check: own }) => own.some(({ score, agreement }) => score ?? agreement));
  const counts = checks.find(({ id }) => id === only)?.counts !== false;
  return scorers.length > 1 || saysMore || !counts ? scorers : [];
}

/** Which fields of the answers have no rate; empty: all have one. */
export function toLeftOutText({ fields_left_out: count }: Pick<FieldScores, 'fields_left_out'>): string {
  if (count === 0) return '';
  const number = `${formatCount(count)}${count >= EVALUATION_LIMITS.fieldsLeftOut ? ' or more' : ''}`;
  return `The first ${EVALUATION_LIMITS.fields} fields are shown, ${number} left out. A check of JSON fields can name those that count.`;
}

/** One sentence on a model beside the baseline. */
export function toVerdictSentence(model: string, baseline: string, { verdict }: Pick<Difference, 'verdict'>): string {
  if (verdict === 'undecided') return `These rows can’t tell ${model} from ${baseline} yet.`;
  return `${model} is ${verdict} than ${baseline}.`;
}

interface Agreement {
  readonly items: number;
  readonly kappa: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** "agrees with people: kappa 0.61 (0.45–0.77), 50 answers of all models"; until people have judged 30, that it is not measured. */
export function toAgreementText({ items, kappa, low, high }: Agreement): string {
  if (kappa === null || low === null || high === null)
    return items < EVALUATION_LIMITS.agreement
      ? `agreement not measured: people judged ${items} of ${EVALUATION_LIMITS.agreement} answers`
      : 'agreement not measured: all verdicts are the same';
  return `agrees with people: kappa ${kappa.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}), ${formatCounted(items, 'answer')} of all models`;
}
