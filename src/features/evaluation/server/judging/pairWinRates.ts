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
import { isFlipped, isOwn, TIE_SCORE } from '../scoring/pairJudgement.ts';
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

interface PairFacts {
  /** How many verdicts changed with the order. */
  readonly flipped: number;
  /** One of the answers was the judge's own, which its aliases hide from who reads the check. */
  readonly is_own: boolean;
}

/** What reasons say of the verdicts of each judge on each model. */
async function readFacts(
  orm: Orm,
  { id }: RunRecord,
  judges: readonly JudgeCheck[],
): Promise<(judge: string, place: number) => PairFacts> {
  const scorers = judges.map((judge) => judge.id);
  const found = await orm
    .select({ scorer: verdicts.scorer, model: verdicts.model, reasons: verdicts.reasons })
    .from(verdicts)
    .where(and(eq(verdicts.run_id, id), inArray(verdicts.scorer, scorers)));
  return (judge, place) => {
    const said = found
      .filter(({ scorer, model }) => scorer === judge && model === place)
      .flatMap(({ reasons }) => Object.values(readReasons(reasons)));
    return { flipped: said.filter(isFlipped).length, is_own: said.some(isOwn) };
  };
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
  const factsOf = await readFacts(orm, run, judges);
  return judges.map(({ id, model: judge }) => {
    const compared = models
      .filter(({ place }) => place !== base.place)
      .map(({ place, model }) => ({
        place,
        model,
        wins: toJudgeWins(table.column(id, place)),
        people: toPeopleWins(records, place, base.place, run.repeats),
        facts: factsOf(id, place),
      }));
    const pairs = compared.reduce((sum, { wins }) => sum + wins.size, 0);
    return {
      scorer: id,
      judge,
      decides_by_position: compared.reduce((sum, { facts }) => sum + facts.flipped, 0) > pairs / 2,
      agreement: toAgreement(
        compared.map(({ wins, people }) => [wins, people]),
        run.repeats,
      ),
      models: compared.map(({ model, wins, people, facts }) =>
        Object.assign(toWinRate(wins, run), facts, {
          model,
          ties: [...wins.values()].filter((win) => win === TIE_SCORE).length,
          people: people.size === 0 ? null : toWinRate(people, run),
        }),
      ),
    };
  });
}
