// All verdicts of a run as letters, kept in memory for the runs that are looked at: after a change only the checks that it
// touched are read again.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Orm } from '#service/database/database.ts';
import { verdicts } from './evaluationTables.ts';
import { openKeptVerdicts, type KeptCheck } from './keptVerdicts.ts';
import { BLOCK_ROWS } from './rowSets.ts';
import { NONE, readScores, toOutcome, USUAL } from './verdictBlocks.ts';
import type { VerdictsOf } from './verdicts.ts';

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
  /** Another one for other verdicts. */
  readonly stamp: string;
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

const kept = openKeptVerdicts(128 * 1024 ** 2);

/** Of each check. Whoever writes a row of the table, in whichever service, gives it the number of another transaction. */
async function readStamps(orm: Orm, runId: string): Promise<ReadonlyMap<string, string>> {
  const found = await orm
    .select({
      scorer: verdicts.scorer,
      stamp: sql<string>`count(*)::text || ' ' || sum(${verdicts}.xmin::text::bigint)::text`,
    })
    .from(verdicts)
    .where(eq(verdicts.run_id, runId))
    .groupBy(verdicts.scorer);
  return new Map(found.map(({ scorer, stamp }) => [scorer, stamp]));
}

async function readColumns(
  orm: Orm,
  { id, repeats, row_count }: VerdictsOf,
  scorers: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, VerdictColumn>>> {
  const found = await orm
    .select({
      scorer: verdicts.scorer,
      model: verdicts.model,
      first: verdicts.first_position,
      outcomes: verdicts.outcomes,
      scores: verdicts.scores,
    })
    .from(verdicts)
    .where(and(eq(verdicts.run_id, id), inArray(verdicts.scorer, [...scorers])));
  const parts = new Map<string, Map<number, { blocks: string[]; scores: Map<number, number | null> }>>();
  for (const { scorer, model, first, outcomes, scores } of found) {
    const models = parts.get(scorer) ?? new Map<number, { blocks: string[]; scores: Map<number, number | null> }>();
    parts.set(scorer, models);
    const own = models.get(model) ?? { blocks: [], scores: new Map<number, number | null>() };
    models.set(model, own);
    own.blocks[first / BLOCK_ROWS] = outcomes;
    for (const [at, score] of Object.entries(readScores(scores))) own.scores.set(first * repeats + Number(at), score);
  }
  const empty = NONE.repeat(BLOCK_ROWS * repeats);
  const toLetters = (blocks: readonly string[]): string =>
    Array.from({ length: Math.ceil(row_count / BLOCK_ROWS) }, (_, at) => blocks[at] ?? empty)
      .join('')
      .slice(0, row_count * repeats);
  return new Map(
    [...parts].map(([scorer, models]) => [
      scorer,
      new Map([...models].map(([model, { blocks, scores }]) => [model, { letters: toLetters(blocks), scores }])),
    ]),
  );
}

/** The verdicts of each check as they are now. */
async function readChecks(orm: Orm, run: VerdictsOf): Promise<ReadonlyMap<string, KeptCheck>> {
  const before = kept.find(run.id);
  const stamps = await readStamps(orm, run.id);
  const changed = [...stamps].flatMap(([scorer, stamp]) => (before?.get(scorer)?.stamp === stamp ? [] : [scorer]));
  const read = changed.length === 0 ? new Map<string, never>() : await readColumns(orm, run, changed);
  const checks = new Map(
    [...stamps].map(([scorer, stamp]): [string, KeptCheck] => {
      const columns = read.get(scorer);
      return [scorer, columns ? { stamp, columns } : (before?.get(scorer) ?? { stamp, columns: new Map() })];
    }),
  );
  kept.keep(run.id, checks);
  return checks;
}

export async function readVerdictTable(orm: Orm, run: VerdictsOf, counting: readonly string[]): Promise<VerdictTable> {
  const checks = await readChecks(orm, run);
  const length = run.row_count * run.repeats;
  const none: VerdictColumn = { letters: NONE.repeat(length), scores: new Map() };
  const column = (scorer: string, model: number): VerdictColumn => checks.get(scorer)?.columns.get(model) ?? none;
  const joined = new Map<number, string>();
  const stamp = [...checks]
    .map(([scorer, each]) => `${scorer} ${each.stamp}`)
    .toSorted()
    .join(', ');
  return {
    stamp,
    column,
    overall(model) {
      const known = joined.get(model);
      if (known !== undefined) return known;
      const whole = joinLetters(
        counting.map((scorer) => column(scorer, model).letters),
        length,
      );
      joined.set(model, whole);
      return whole;
    },
  };
}
