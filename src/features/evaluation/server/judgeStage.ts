// Judges stored answers, block by block: those that a check has no verdict of yet.
import { and, eq } from 'drizzle-orm';
import type { Orm } from '#service/database/database.ts';
import { verdicts } from './evaluationTables.ts';
import { readAnswersOf, readCalls, type AnswerRecord } from './answers.ts';
import { BLOCK_ROWS, readBlock } from './rowSets.ts';
import { ModelAway } from './askModel.ts';
import type { AnswerBlock } from './scoring/keptAnswers.ts';
import type { WholeRun } from './runRecords.ts';
import type { ScoreOrder, Scorer } from './scoring/scorers.ts';
import { NONE } from './verdictBlocks.ts';
import { storeBlocks, storeVerdicts, toPlace } from './verdicts.ts';
import { readVerdictTable, type VerdictTable } from './verdictTable.ts';

export interface JudgeDeps {
  readonly orm: Orm;
  readonly scorers: readonly Scorer[];
  readonly signal: AbortSignal;
  /** A transaction that is the holder's alone. */
  readonly write: (work: (transaction: Orm) => Promise<void>) => Promise<void>;
}

/** Scorers that can't judge now, and why: they are left out, and others go on. */
export type AwayScorers = Map<Scorer, ModelAway>;

/** The letters of a block by check. */
async function readLetters(
  orm: Orm,
  runId: string,
  model: number,
  first: number,
): Promise<ReadonlyMap<string, string>> {
  const found = await orm
    .select({ scorer: verdicts.scorer, outcomes: verdicts.outcomes })
    .from(verdicts)
    .where(and(eq(verdicts.run_id, runId), eq(verdicts.model, model), eq(verdicts.first_position, first)));
  return new Map(found.map(({ scorer, outcomes }) => [scorer, outcomes]));
}

/** Whether a check has a verdict on every answer of a model. */
function isJudged(table: VerdictTable, scorer: string, { place, done }: WholeRun['models'][number]): boolean {
  let count = 0;
  for (const letter of table.column(scorer, place).letters) if (letter !== NONE) count += 1;
  return count === done;
}

/**
 * Judges what can be judged at once, because a scorer still has the answers, and gives the places of the models that have answers
 * without a verdict then.
 */
export async function judgeKept({ orm, scorers, write }: JudgeDeps, whole: WholeRun): Promise<readonly number[]> {
  const { run, models, checks } = whole;
  const table = await readVerdictTable(orm, run, []);
  const open = new Set(checks.flatMap(({ id }) => (models.every((own) => isJudged(table, id, own)) ? [] : [id])));
  for (const scorer of scorers) {
    const ids = scorer.ids.filter((id) => open.has(id));
    const order = {
      run: run.id,
      answers: new Map(models.map(({ place, done }) => [place, done])),
      ids,
      size: BLOCK_ROWS * run.repeats,
    };
    // A thread that has no room for all answers at once judges them block by block.
    const blocks = ids.length === 0 ? null : await scorer.scoreKept?.(order).catch(() => null);
    if (!blocks) continue;
    await write((transaction) => storeBlocks(transaction, run, blocks));
    for (const id of ids) open.delete(id);
  }
  return models.flatMap((own) => ([...open].every((id) => isJudged(table, id, own)) ? [] : [own.place]));
}

/**
 * The answers of a model to a block of rows; `onStored` after each part. Gives whether all that are there are judged; `away` grows
 * by who is not there.
 */
export async function judgeBlock(
  deps: JudgeDeps & { readonly onStored: () => Promise<void> },
  { run, models, content }: WholeRun,
  place: number,
  first: number,
  away: AwayScorers,
): Promise<boolean> {
  const { orm, scorers, signal, write, onStored } = deps;
  let isWhole = true;
  const letters = await readLetters(orm, run.id, place, first);
  const stored = await readAnswersOf(orm, run.id, place, first, first + BLOCK_ROWS);
  const rows = new Map((await readBlock(orm, content.row_set_id, first)).map((row) => [row.position, row]));
  const model = models.find((each) => each.place === place)?.model ?? '';
  const base = models.find((each) => each.model === run.baseline)?.place ?? place;
  const given = new Map<string, ScoreOrder['against']>();
  if (base !== place && scorers.some(({ isPairs }) => isPairs))
    for (const { position, repeat, error, text, calls } of await readAnswersOf(
      orm,
      run.id,
      base,
      first,
      first + BLOCK_ROWS,
    ))
      if (error === null) given.set(`${position} ${repeat}`, { model: run.baseline, text, calls: readCalls(calls) });
  const toOrder = (answer: AnswerRecord): ScoreOrder[] => {
    const row = rows.get(answer.position);
    const { repeat, text, reasoning, finish_reason, completion_tokens, ms } = answer;
    if (row === undefined) return [];
    const calls = readCalls(answer.calls);
    const other = given.get(`${answer.position} ${repeat}`) ?? null;
    const isSame = other?.text === text && JSON.stringify(other.calls) === JSON.stringify(calls);
    const against = isSame ? null : other;
    const at = toPlace(answer, run.repeats);
    return [{ at, row, repeat, model, text, reasoning, calls, finish_reason, completion_tokens, ms, against }];
  };
  const block = { run: run.id, model: place, first, key: `${place} ${first}` };
  for (const scorer of scorers) {
    const isOpen = (answer: AnswerRecord): boolean =>
      answer.error === null &&
      scorer.ids.some((id) => (letters.get(id)?.[toPlace(answer, run.repeats)] ?? NONE) === NONE);
    const open = stored
      .filter(isOpen)
      .flatMap(toOrder)
      .filter(({ against }) => !scorer.isPairs || against !== null);
    for (let at = 0; at < open.length; at += scorer.batch) {
      signal.throwIfAborted();
      const orders = open.slice(at, at + scorer.batch);
      const scored = away.has(scorer) ? null : await scoreOrAway(scorer, orders, signal, block, away);
      if (scored === null) {
        isWhole = false;
        break;
      }
      for (const given of scored.values()) if (given.length < orders.length) isWhole = false;
      await write(async (transaction) => {
        for (const [id, given] of scored) await storeVerdicts(transaction, run, id, place, given);
      });
      await onStored();
    }
  }
  return isWhole;
}

async function scoreOrAway(
  scorer: Scorer,
  orders: readonly ScoreOrder[],
  signal: AbortSignal,
  block: AnswerBlock,
  away: AwayScorers,
): Promise<Awaited<ReturnType<Scorer['score']>> | null> {
  try {
    return await scorer.score(orders, signal, block);
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelAway)) throw error;
    away.set(scorer, error);
    return null;
  }
}
