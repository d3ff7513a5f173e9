// How often a judge, and people, prefer each model's answer to the baseline's, and how far they agree.
import { and, eq, inArray } from 'drizzle-orm';
import type { JudgeCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { isPairJudge } from '#features/evaluation/shared/wireChecks.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { addValue, toEmptyRows, toEstimate } from '#features/evaluation/shared/statistics/estimate.ts';
import { toCohensKappa } from '#features/evaluation/shared/statistics/raterAgreement.ts';
import type { Orm } from '#service/database/database.ts';
import { verdicts } from '../evaluationTables.ts';
import type { RunRecord, WholeRun } from '../runRecords.ts';
import { isFlipped, TIE_SCORE } from '../scoring/pairJudgement.ts';
import { readReasons } from '../verdictBlocks.ts';
import { readVerdictTable, toScoreAt, type VerdictColumn } from '../verdictTable.ts';
import type { JudgementRecord } from './judgementRecords.ts';

type JudgeResults = JudgementResults['judges'][number];

/** Shares of a win for the model, by the place `position * repeats + repeat - 1`. */
type Wins = ReadonlyMap<number, number>;

function toJudgeWins(column: VerdictColumn): Wins {
  const wins = new Map<number, number>();
  for (let at = 0; at < column.letters.length; at += 1) {
    const score = toScoreAt(column, at);
    if (score !== null) wins.set(at, score);
  }
  return wins;
}

/** Of each pair what most people say. */
function toPeopleWins(records: readonly JudgementRecord[], place: number, base: number, repeats: number): Wins {
  const votes = new Map<number, number>();
  for (const { kind, first_model, second_model, position, repeat, outcome } of records) {
    const isOf = first_model === Math.min(place, base) && second_model === Math.max(place, base);
    if (kind !== 'pair' || !isOf) continue;
    const at = position * repeats + repeat - 1;
    const vote = outcome === 'tie' ? 0 : (outcome === 'first') === (first_model === place) ? 1 : -1;
    votes.set(at, (votes.get(at) ?? 0) + vote);
  }
  return new Map([...votes].map(([at, vote]) => [at, (Math.sign(vote) + 1) / 2]));
}

/** Repeats of a row are one observation. Half wins only narrow the spread: the interval of a rate is wide enough for them. */
function toWinRate(wins: Wins, { repeats, row_count }: RunRecord) {
  const rows = toEmptyRows(row_count);
  for (const [at, win] of wins) addValue(rows, Math.floor(at / repeats), win);
  const { answers: pairs, value: win_rate, low, high } = toEstimate(rows, 'rate');
  return { pairs, win_rate, low, high };
}

function toAgreement(
  pairs: readonly (readonly [judge: Wins, people: Wins])[],
  repeats: number,
): JudgeResults['agreement'] {
  const both = pairs.flatMap(([judge, people]) =>
    [...people].flatMap(([at, win]) => {
      const own = judge.get(at);
      return own === undefined ? [] : [{ row: Math.floor(at / repeats), own, win }];
    }),
  );
  const rows = new Set(both.map(({ row }) => row)).size;
  const { items, kappa, low, high } = toCohensKappa(
    both.map(({ own }) => own),
    both.map(({ win }) => win),
  );
  return rows < EVALUATION_LIMITS.agreement
    ? { rows, pairs: items, kappa: null, low: null, high: null }
    : { rows, pairs: items, kappa, low, high };
}

/** How many verdicts of a judge changed with the order, by the place of the model. */
async function countFlips(
  orm: Orm,
  { id }: RunRecord,
  judges: readonly JudgeCheck[],
): Promise<ReadonlyMap<string, number>> {
  const scorers = judges.map((judge) => judge.id);
  const found = await orm
    .select({ scorer: verdicts.scorer, model: verdicts.model, reasons: verdicts.reasons })
    .from(verdicts)
    .where(and(eq(verdicts.run_id, id), inArray(verdicts.scorer, scorers)));
  const counts = new Map<string, number>();
  for (const { scorer, model, reasons } of found) {
    const flips = Object.values(readReasons(reasons)).filter(isFlipped).length;
    counts.set(`${scorer} ${model}`, (counts.get(`${scorer} ${model}`) ?? 0) + flips);
  }
  return counts;
}

/** One for each judge of the run that compares with the baseline. */
export async function readPairJudges(
  orm: Orm,
  { run, models, checks }: WholeRun,
  records: readonly JudgementRecord[],
): Promise<JudgeResults[]> {
  const judges = checks.filter(isPairJudge);
  const base = models.find(({ model }) => model === run.baseline);
  if (judges.length === 0 || base === undefined) return [];
  const table = await readVerdictTable(orm, run, []);
  const flips = await countFlips(orm, run, judges);
  return judges.map(({ id, model: judge }) => {
    const compared = models
      .filter(({ place }) => place !== base.place)
      .map(({ place, model }) => ({
        place,
        model,
        wins: toJudgeWins(table.column(id, place)),
        people: toPeopleWins(records, place, base.place, run.repeats),
      }));
    const flippedOf = (place: number): number => flips.get(`${id} ${place}`) ?? 0;
    const pairs = compared.reduce((sum, { wins }) => sum + wins.size, 0);
    return {
      scorer: id,
      judge,
      decides_by_position: compared.reduce((sum, { place }) => sum + flippedOf(place), 0) > pairs / 2,
      agreement: toAgreement(
        compared.map(({ wins, people }) => [wins, people]),
        run.repeats,
      ),
      models: compared.map(({ place, model, wins, people }) =>
        Object.assign(toWinRate(wins, run), {
          model,
          is_own: judge === model || judge === run.baseline,
          ties: [...wins.values()].filter((win) => win === TIE_SCORE).length,
          flipped: flippedOf(place),
          people: people.size === 0 ? null : toWinRate(people, run),
        }),
      ),
    };
  });
}
