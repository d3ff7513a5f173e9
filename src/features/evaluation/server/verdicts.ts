// Verdicts in the database: for each check, model and block of rows a letter for each answer, in one row of the table.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Outcome, Verdict } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Orm } from '#service/database/database.ts';
import { verdicts } from './evaluationTables.ts';
import { BLOCK_ROWS, toFirst } from './rowSets.ts';
import {
  addVerdicts,
  LETTERS,
  NONE,
  readReasons,
  readScores,
  toOutcome,
  USUAL,
  type VerdictBlock,
} from './verdictBlocks.ts';

/** Where an answer stands. */
interface AnswerPlace {
  readonly position: number;
  /** From 1. */
  readonly repeat: number;
}

export type PlacedVerdict = AnswerPlace &
  Omit<Verdict, 'scorer' | 'outcome'> & {
    /** null: there is none any more. */
    readonly outcome: Outcome | null;
  };

/** Whose verdicts. */
export interface VerdictsOf {
  readonly id: string;
  readonly repeats: number;
  readonly row_count: number;
}

/** Call it in a transaction: until its end nobody else stores verdicts of the check, because people and the run itself may. */
export const lockVerdicts = async (orm: Orm, runId: string, scorer: string): Promise<void> =>
  void (await orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`verdicts ${runId} ${scorer}`}, 0))`));

/** The place of an answer in its block. */
export const toPlace = ({ position, repeat }: AnswerPlace, repeats: number): number =>
  (position - toFirst(position)) * repeats + repeat - 1;

/** The verdicts of a check on the answers of a model to a whole block of rows. */
export interface PlacedBlock extends VerdictBlock {
  readonly scorer: string;
  readonly model: number;
  readonly first_position: number;
}

/** Call it in a transaction: stores whole blocks in the place of what was there. */
export async function storeBlocks(
  orm: Orm,
  { id }: Pick<VerdictsOf, 'id'>,
  blocks: readonly PlacedBlock[],
): Promise<void> {
  for (const scorer of new Set(blocks.map((block) => block.scorer))) await lockVerdicts(orm, id, scorer);
  await orm.execute(sql`
    insert into ${verdicts} (run_id, scorer, model, first_position, outcomes, scores, reasons)
    select ${id}::uuid, scorer, model, first_position, outcomes, scores, reasons
    from json_to_recordset(${JSON.stringify(blocks)}::json) as given (scorer text, model smallint, first_position integer,
      outcomes text, scores text, reasons text)
    on conflict (run_id, scorer, model, first_position) do update
      set outcomes = excluded.outcomes, scores = excluded.scores, reasons = excluded.reasons`);
}

/** Call it in a transaction: stores verdicts of one check on answers of one model. Later ones replace earlier ones. */
export async function storeVerdicts(
  orm: Orm,
  { id: run_id, repeats }: VerdictsOf,
  scorer: string,
  model: number,
  added: readonly PlacedVerdict[],
): Promise<void> {
  if (added.length === 0) return;
  await lockVerdicts(orm, run_id, scorer);
  const byBlock = groupByFirst(added);
  const found = await orm
    .select()
    .from(verdicts)
    .where(
      and(
        eq(verdicts.run_id, run_id),
        eq(verdicts.scorer, scorer),
        eq(verdicts.model, model),
        inArray(verdicts.first_position, [...byBlock.keys()]),
      ),
    );
  for (const [first_position, own] of byBlock) {
    const before = found.find((each) => each.first_position === first_position);
    const block = addVerdicts(
      before,
      BLOCK_ROWS * repeats,
      own.map((verdict) => Object.assign({ at: toPlace(verdict, repeats) }, verdict)),
    );
    await orm
      .insert(verdicts)
      .values({ run_id, scorer, model, first_position, ...block })
      .onConflictDoUpdate({
        target: [verdicts.run_id, verdicts.scorer, verdicts.model, verdicts.first_position],
        set: block,
      });
  }
}

function groupByFirst(added: readonly PlacedVerdict[]): Map<number, PlacedVerdict[]> {
  const groups = new Map<number, PlacedVerdict[]>();
  for (const verdict of added) {
    const first = toFirst(verdict.position);
    const group = groups.get(first);
    if (group) group.push(verdict);
    else groups.set(first, [verdict]);
  }
  return groups;
}

/** Answers that scorers could not judge, which have no score, are as if they had not been asked about. */
export async function forgetUnchecked(orm: Orm, runId: string, scorers: readonly string[]): Promise<void> {
  if (scorers.length === 0) return;
  const isOf = and(eq(verdicts.run_id, runId), inArray(verdicts.scorer, [...scorers]));
  const { scorer, model, first_position, outcomes, scores } = verdicts;
  const found = await orm
    .select({ scorer, model, first_position, outcomes, scores })
    .from(verdicts)
    .where(and(isOf, sql`position(${LETTERS.not_checked} in ${outcomes}) > 0`));
  const changed = found.flatMap((block) => {
    const scoreOf = readScores(block.scores);
    const letters = [...block.outcomes].map((letter, at) =>
      letter === LETTERS.not_checked && (scoreOf[at] ?? null) === null ? NONE : letter,
    );
    const outcomes = letters.join('');
    return outcomes === block.outcomes ? [] : [{ ...block, outcomes }];
  });
  if (changed.length === 0) return;
  await orm.execute(sql`
    update ${verdicts} set outcomes = given.outcomes
    from json_to_recordset(${JSON.stringify(changed)}::json) as given (scorer text, model smallint, first_position integer,
      outcomes text)
    where ${verdicts.run_id} = ${runId}::uuid and ${scorer} = given.scorer and ${model} = given.model
      and ${verdicts.first_position} = given.first_position`);
}

/** The verdicts on answers to some rows, by `model position repeat`. */
export async function readVerdictsAt(
  orm: Orm,
  { id, repeats }: VerdictsOf,
  positions: readonly number[],
): Promise<ReadonlyMap<string, Verdict[]>> {
  const firsts = [...new Set(positions.map(toFirst))];
  const given = new Map<string, Verdict[]>();
  if (firsts.length === 0) return given;
  const found = await orm
    .select()
    .from(verdicts)
    .where(and(eq(verdicts.run_id, id), inArray(verdicts.first_position, firsts)));
  for (const { scorer, model, first_position, outcomes, scores, reasons } of found) {
    const [scoreOf, reasonOf] = [readScores(scores), readReasons(reasons)];
    for (const position of positions) {
      if (toFirst(position) !== first_position) continue;
      for (let repeat = 1; repeat <= repeats; repeat += 1) {
        const at = (position - first_position) * repeats + repeat - 1;
        const outcome = toOutcome(outcomes[at]);
        if (outcome === null) continue;
        const key = toAnswerKey(model, position, repeat);
        const own = scoreOf[at];
        const verdict = {
          scorer,
          outcome,
          score: own === undefined ? USUAL[outcome] : own,
          reason: reasonOf[at] ?? null,
        };
        given.set(key, [...(given.get(key) ?? []), verdict]);
      }
    }
  }
  return given;
}

export const toAnswerKey = (model: number, position: number, repeat: number): string =>
  `${model} ${position} ${repeat}`;
