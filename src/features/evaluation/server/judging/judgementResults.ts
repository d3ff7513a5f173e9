// What people judged in a run together: strengths, agreement, comments; and judges that compared as they do.
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { JudgementKind, JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { toStrengths, type JudgedPair } from '#features/evaluation/shared/statistics/bradleyTerry.ts';
import { toKrippendorffAlpha } from '#features/evaluation/shared/statistics/raterAgreement.ts';
import type { Orm } from '#service/database/database.ts';
import { readWholeRun, type WholeRun } from '../runRecords.ts';
import { toItemKey } from './itemOrder.ts';
import { readPairJudges } from './pairWinRates.ts';
import { readJudgements, toItem, type JudgementRecord } from './judgementRecords.ts';

const toWho = (rater: string): string | null => (rater === '' ? null : rater);

/** Judgements by item. */
export function groupByItem(records: readonly JudgementRecord[]): ReadonlyMap<string, readonly JudgementRecord[]> {
  const groups = new Map<string, JudgementRecord[]>();
  for (const record of records) {
    const key = `${record.kind} ${toItemKey(toItem(record))}`;
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return groups;
}

function toKindFields(records: readonly JudgementRecord[]) {
  const ratings = [...groupByItem(records).values()].map((group) => group.map(({ outcome }) => outcome));
  const shared = ratings.filter(({ length }) => length > 1);
  const agreed = shared.filter((own) => own.every((rating) => rating === own[0])).length;
  return {
    items: ratings.length,
    judgements: records.length,
    shared: shared.length,
    agreed: shared.length === 0 ? null : agreed / shared.length,
    alpha: toKrippendorffAlpha(shared, 'nominal'),
  };
}

type ModelName = (place: number) => string;

const toModelName =
  ({ models }: Pick<WholeRun, 'models'>): ModelName =>
  (place) =>
    models.find((each) => each.place === place)?.model ?? '';

function toPair(record: JudgementRecord, nameOf: ModelName): JudgedPair {
  const { outcome, position } = record;
  return {
    first: nameOf(record.first_model),
    second: nameOf(record.second_model),
    winner: outcome === 'first' || outcome === 'second' ? outcome : 'tie',
    row: position,
  };
}

/** The baseline, or where nobody was asked about it another model. */
function toReference(pairs: readonly JudgedPair[], baseline: string): string {
  const isAsked = pairs.some(({ first, second }) => first === baseline || second === baseline);
  return isAsked ? baseline : (pairs[0]?.first ?? baseline);
}

const countOf = (records: readonly JudgementRecord[], kind: JudgementKind): number =>
  records.filter((record) => record.kind === kind).length;

function toPeople(records: readonly JudgementRecord[]): JudgementResults['people'] {
  return [...new Set(records.map(({ rater }) => rater))].map((rater) => {
    const own = records.filter((record) => record.rater === rater);
    return {
      who: toWho(rater),
      pairs: countOf(own, 'pair'),
      ratings: countOf(own, 'rating'),
      last_at: own.at(-1)?.at.toISOString() ?? '',
    };
  });
}

const toComments = (records: readonly JudgementRecord[], nameOf: ModelName): JudgementResults['comments'] =>
  records
    .filter(({ comment, correction }) => comment !== null || correction !== null)
    .toReversed()
    .slice(0, EVALUATION_LIMITS.comments)
    .map(({ kind, rater, position, outcome, comment, correction, at, first_model, second_model }) => {
      const models = (kind === 'pair' ? [first_model, second_model] : [first_model]).map(nameOf);
      const said =
        outcome === 'first' || outcome === 'second' ? `prefers ${models[outcome === 'first' ? 0 : 1]}` : outcome;
      return { who: toWho(rater), position, models, outcome: said, comment, correction, at: at.toISOString() };
    });

/** `records`: the oldest first. */
function toResults(
  records: readonly JudgementRecord[],
  nameOf: ModelName,
  baseline: string,
): Omit<JudgementResults, 'judges'> {
  const [pairs, ratings] = [
    records.filter(({ kind }) => kind === 'pair'),
    records.filter(({ kind }) => kind === 'rating'),
  ];
  const games = pairs.map((record) => toPair(record, nameOf));
  const reference = toReference(games, baseline);
  return {
    reference,
    pairs: {
      ...toKindFields(pairs),
      ties: games.filter(({ winner }) => winner === 'tie').length,
      strengths: (games.length === 0 ? [] : toStrengths(games, reference)).map(
        ({ model, pairs: count, winRate, strength, low, high }) => ({
          model,
          pairs: count,
          win_rate: winRate,
          strength,
          low,
          high,
        }),
      ),
    },
    ratings: {
      ...toKindFields(ratings),
      corrections: ratings.filter(({ correction }) => correction !== null).length,
    },
    people: toPeople(records),
    comments: toComments(records, nameOf),
  };
}

/** Throws HttpProblem 404. */
export async function readResults(orm: Orm, runId: string): Promise<JudgementResults> {
  const whole = await readWholeRun(orm, runId);
  const records = await readJudgements(orm, runId);
  const judges = await readPairJudges(orm, whole, records);
  return { ...toResults(records, toModelName(whole), whole.run.baseline), judges };
}
