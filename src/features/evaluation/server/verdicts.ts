// Verdicts in the database: for each check, model and block of rows a letter for each answer, in one row of the table.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { Outcome, Verdict } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { cutText } from '#core/contract/schemas.ts';
import type { Orm } from '#service/database/database.ts';
import { verdicts } from './evaluationTables.ts';
import { BLOCK_ROWS, toFirst } from './rowSets.ts';

export const LETTERS: Readonly<Record<Outcome, string>> = { pass: 'p', fail: 'f', not_checked: 'n' };
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  (Object.entries(LETTERS) as [Outcome, string][]).map(([outcome, letter]) => [letter, outcome]),
);
/** Nothing has judged it. */
export const NONE = ' ';

const toOutcome = (letter: string | undefined): Outcome | null => OUTCOMES.get(letter ?? NONE) ?? null;

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

/** The score that an outcome has where no other is given. */
const USUAL: Readonly<Record<Outcome, number | null>> = { pass: 1, fail: 0, not_checked: null };

/** By the place of the answer in its block. */
type Sparse<Value> = Record<string, Value>;

const toSparse = <Value>(text: string | null): Sparse<Value> =>
  text === null ? {} : (JSON.parse(text) as Sparse<Value>);
const fromSparse = (values: Sparse<unknown>): string | null =>
  Object.keys(values).length === 0 ? null : JSON.stringify(values);

type Block = Pick<typeof verdicts.$inferSelect, 'outcomes' | 'scores' | 'reasons'>;

/** A block with more verdicts; later ones replace earlier ones. */
function addVerdicts(block: Block | undefined, size: number, repeats: number, added: readonly PlacedVerdict[]): Block {
  const letters = [...(block?.outcomes ?? '').padEnd(size, NONE)];
  const [scores, reasons] = [toSparse<number | null>(block?.scores ?? null), toSparse<string>(block?.reasons ?? null)];
  for (const { position, repeat, outcome, score, reason } of added) {
    const at = (position - toFirst(position)) * repeats + repeat - 1;
    letters[at] = outcome === null ? NONE : LETTERS[outcome];
    delete scores[at];
    delete reasons[at];
    if (outcome !== null && score !== USUAL[outcome]) scores[at] = score;
    if (reason !== null && reason !== '') reasons[at] = cutText(reason, EVALUATION_LIMITS.reasonCharacters);
  }
  return { outcomes: letters.join(''), scores: fromSparse(scores), reasons: fromSparse(reasons) };
}

/** Call it in a transaction: until its end nobody else stores verdicts of the check, because people and the run itself may. */
export const lockVerdicts = async (orm: Orm, runId: string, scorer: string): Promise<void> =>
  void (await orm.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`verdicts ${runId} ${scorer}`}, 0))`));

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
    const block = addVerdicts(before, BLOCK_ROWS * repeats, repeats, own);
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
  for (const block of await orm.select().from(verdicts).where(isOf)) {
    const scores = toSparse<number | null>(block.scores);
    const letters = [...block.outcomes].map((letter, at) =>
      letter === LETTERS.not_checked && (scores[at] ?? null) === null ? NONE : letter,
    );
    const { scorer, model, first_position } = block;
    await orm
      .update(verdicts)
      .set({ outcomes: letters.join('') })
      .where(
        and(
          eq(verdicts.run_id, runId),
          eq(verdicts.scorer, scorer),
          eq(verdicts.model, model),
          eq(verdicts.first_position, first_position),
        ),
      );
  }
}

/** Verdicts of a check on the answers of a model, by the place `position * repeats + repeat - 1`. */
export interface VerdictColumn {
  /** As many letters as the run has answers of a model. */
  readonly letters: string;
  /** Of answers whose score is not what their outcome says: 1, or 0. */
  readonly scores: ReadonlyMap<number, number | null>;
}

export function toScoreAt({ letters, scores }: VerdictColumn, place: number): number | null {
  const score = scores.get(place);
  if (score !== undefined) return score;
  const outcome = toOutcome(letters[place]);
  return outcome === null ? null : USUAL[outcome];
}

/** All verdicts of a run. */
export interface VerdictTable {
  column(scorer: string, model: number): VerdictColumn;
  /** Of all checks that count: fail before not checked before pass; none while one of them has not judged. */
  overall(model: number): string;
}

/** From the weakest to the strongest: one that fails decides. */
const RANKS = `pn${NONE}f`;
const CODES = Buffer.from(RANKS, 'latin1');
const RANK_OF = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, RANKS.indexOf(String.fromCharCode(code))));

function joinLetters(columns: readonly string[], length: number): string {
  const [only] = columns;
  if (columns.length <= 1) return only ?? NONE.repeat(length);
  const ranks = new Uint8Array(length);
  for (const column of columns)
    for (let at = 0; at < length; at += 1) {
      const rank = RANK_OF[column.charCodeAt(at)] ?? 0;
      if (rank > (ranks[at] ?? 0)) ranks[at] = rank;
    }
  return Buffer.from(ranks.map((rank) => CODES[rank] ?? 0)).toString('latin1');
}

const NO_SCORES: VerdictColumn['scores'] = new Map();

export async function readVerdictTable(
  orm: Orm,
  { id, repeats, row_count }: VerdictsOf,
  counting: readonly string[],
): Promise<VerdictTable> {
  const found = await orm
    .select({
      scorer: verdicts.scorer,
      model: verdicts.model,
      first: verdicts.first_position,
      outcomes: verdicts.outcomes,
      scores: verdicts.scores,
    })
    .from(verdicts)
    .where(eq(verdicts.run_id, id));
  const keyOf = (scorer: string, model: number): string => `${model} ${scorer}`;
  const length = row_count * repeats;
  const blocks = new Map<string, Map<number, string>>();
  const scores = new Map<string, Map<number, number | null>>();
  for (const { scorer, model, first, outcomes, scores: sparse } of found) {
    const key = keyOf(scorer, model);
    if (!blocks.has(key)) blocks.set(key, new Map());
    blocks.get(key)?.set(first, outcomes);
    if (sparse === null) continue;
    if (!scores.has(key)) scores.set(key, new Map());
    for (const [at, score] of Object.entries(toSparse<number | null>(sparse)))
      scores.get(key)?.set(first * repeats + Number(at), score);
  }
  const columns = new Map<string, VerdictColumn>();
  function column(scorer: string, model: number): VerdictColumn {
    const key = keyOf(scorer, model);
    const known = columns.get(key);
    if (known !== undefined) return known;
    const [own, given] = [blocks.get(key), scores.get(key)];
    let letters = '';
    for (let first = 0; first < row_count; first += BLOCK_ROWS)
      letters += own?.get(first) ?? NONE.repeat(BLOCK_ROWS * repeats);
    letters = letters.slice(0, length);
    const made: VerdictColumn = { letters, scores: given ?? NO_SCORES };
    columns.set(key, made);
    return made;
  }
  const joined = new Map<number, string>();
  function overall(model: number): string {
    const known = joined.get(model);
    if (known !== undefined) return known;
    const whole = joinLetters(
      counting.map((scorer) => column(scorer, model).letters),
      length,
    );
    joined.set(model, whole);
    return whole;
  }
  return { column, overall };
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
    const [scoreOf, reasonOf] = [toSparse<number | null>(scores), toSparse<string>(reasons)];
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
