// What a person is asked next, and what they say of it.
import { and, eq } from 'drizzle-orm';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { toStorable } from '#core/contract/schemas.ts';
import { EVALUATION_LIMITS, PEOPLE } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { EvaluationRun, Outcome } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type {
  JudgementItem,
  JudgementKind,
  JudgementQueue,
  NewJudgement,
} from '#features/evaluation/shared/contract/judgements.ts';
import { toAuthorColumn } from '#service/database/author.ts';
import type { Orm } from '#service/database/database.ts';
import { found, HttpProblem } from '#service/http/httpProblem.ts';
import { toRowMessages } from '../answerRequest.ts';
import { readAnswersAt, readCalls, type AnswerRecord } from '../answers.ts';
import { judgements } from '../evaluationTables.ts';
import { readRowsAt } from '../rowSets.ts';
import { readWholeRun, type WholeRun } from '../runRecords.ts';
import { lockVerdicts, storeVerdicts } from '../verdicts.ts';
import { findItem, toItemKey, toRowItems, toRowOrder, type JudgedItem, type ShownItem } from './itemOrder.ts';
import {
  isOf,
  readAnswerHashes,
  readJudgements,
  toItem,
  type AnswerHashes,
  type JudgementRecord,
} from './judgementRecords.ts';

/** Such a run gives more answers by itself. */
const GOING_ON: ReadonlySet<EvaluationRun['status']> = new Set(['queued', 'running', 'waiting']);

const toItemsOf = ({ run, models }: WholeRun, rater: string) => ({
  runId: run.id,
  rater,
  models: models.length,
  repeats: run.repeats,
});

/** The next items that are not judged: of each row one, then of each another one. */
function findNext(
  whole: WholeRun,
  kind: JudgementKind,
  own: readonly JudgementRecord[],
  hashes: AnswerHashes,
  rater: string,
  limit: number,
): readonly ShownItem[] {
  const of = { ...toItemsOf(whole, rater), kind };
  const judged = new Set(own.map((record) => toItemKey(toItem(record))));
  const judgedOfRow = new Map<number, number>();
  for (const { position } of own) judgedOfRow.set(position, (judgedOfRow.get(position) ?? 0) + 1);
  const open = toRowOrder(of, whole.run.row_count).filter(
    (position) => hashes.count(kind, position) > (judgedOfRow.get(position) ?? 0),
  );
  const known = new Map<number, readonly ShownItem[]>();
  const itemsAt = (position: number): readonly ShownItem[] => {
    const items = known.get(position) ?? toRowItems(of, position);
    known.set(position, items);
    return items;
  };
  const next: ShownItem[] = [];
  const rounds = itemsAt(open[0] ?? 0).length;
  for (let round = 0; round < rounds; round += 1)
    for (const position of open) {
      const item = itemsAt(position)[round];
      if (item === undefined || judged.has(toItemKey(item)) || !hashes.has(item)) continue;
      next.push(item);
      if (next.length === limit) return next;
    }
  return next;
}

/** What was asked, or of a row that can't be asked (answers may be imported) what it has. */
function toShownMessages(content: WholeRun['content'], row: PlacedEvaluationRow): ChatMessage[] {
  const asked = toRowMessages(content, row);
  if (asked.ok) return asked.value;
  const variables = Object.entries(row.variables ?? {}).map(([name, value]) => `${name}: ${value}`);
  return row.messages ?? (variables.length === 0 ? [] : [{ role: 'user', content: variables.join('\n') }]);
}

/** Items with what a person sees of them, each: one that is left out would never be judged. */
async function showItems(orm: Orm, { run, content }: WholeRun, items: readonly ShownItem[]): Promise<JudgementItem[]> {
  const positions = [...new Set(items.map(({ position }) => position))];
  const rows = new Map((await readRowsAt(orm, content.row_set_id, positions)).map((row) => [row.position, row]));
  const given = await readAnswersAt(orm, run.id, positions);
  return items.map((item) => {
    const row = rows.get(item.position);
    const places = item.kind === 'rating' ? [item.first] : [item.first, item.second];
    const answers = (item.isSwapped ? places.toReversed() : places).flatMap((place) =>
      given
        .filter(
          ({ position, repeat, model }) => position === item.position && repeat === item.repeat && model === place,
        )
        .map(({ text, calls }) => ({
          text,
          tool_calls: readCalls(calls).map(({ name, arguments: args }) => ({ name, arguments: args })),
        })),
    );
    const messages = row ? toShownMessages(content, row) : [];
    return { id: item.id, position: item.position, messages, expected: row?.expected ?? null, answers };
  });
}

/** Throws HttpProblem 404. */
export async function readQueue(
  orm: Orm,
  runId: string,
  who: string | null,
  { kind, limit = EVALUATION_LIMITS.judgementPageDefault }: { readonly kind: JudgementKind; readonly limit?: number },
): Promise<JudgementQueue> {
  const whole = await readWholeRun(orm, runId);
  const { row_count } = whole.run;
  const rater = toAuthorColumn(who);
  const hashes = await readAnswerHashes(orm, runId, row_count);
  const all = await readJudgements(orm, runId, kind);
  const own = all.filter((record) => record.rater === rater);
  const last = own.at(-1);
  const lastItem = last && toItem(last);
  const ofLast = lastItem && toRowItems({ ...toItemsOf(whole, rater), kind }, lastItem.position);
  return {
    has_ended: !GOING_ON.has(whole.run.status),
    total: Array.from({ length: row_count }, (_, position) => hashes.count(kind, position)).reduce((a, b) => a + b, 0),
    judged: own.length,
    people: new Set(all.map((record) => record.rater)).size,
    last: (lastItem && ofLast?.find((item) => toItemKey(item) === toItemKey(lastItem))?.id) ?? null,
    items: await showItems(orm, whole, findNext(whole, kind, own, hashes, rater, limit)),
  };
}

interface JudgedAnswer {
  readonly item: ShownItem;
  /** Of a pair the first one. */
  readonly answer: AnswerRecord;
}

/** Throws HttpProblem 404. */
async function findJudged(orm: Orm, whole: WholeRun, rater: string, id: string): Promise<JudgedAnswer> {
  const item = found(findItem(toItemsOf(whole, rater), id), 'item', id, 'item');
  const given = await readAnswersAt(orm, whole.run.id, [item.position]);
  const answerOf = (place: number): AnswerRecord | undefined =>
    given.find(({ repeat, model, error }) => repeat === item.repeat && model === place && error === null);
  const answer = answerOf(item.first);
  const isThere = answer !== undefined && (item.kind === 'rating' || answerOf(item.second) !== undefined);
  return found(isThere ? { item, answer } : null, 'item', id, 'item');
}

const refuse = (param: string, message: string): never => {
  throw new HttpProblem(400, message, { param, code: 'invalid_judgement' });
};

/** Throws HttpProblem 400 for what does not fit the item. */
function toOutcome({ kind, isSwapped }: ShownItem, { outcome, correction }: NewJudgement): JudgementRecord['outcome'] {
  if (kind === 'pair' && typeof correction === 'string')
    refuse('correction', 'A correction belongs to one answer. Judge the answer by itself, with pass or fail.');
  if (outcome === 'pass' || outcome === 'fail')
    return kind === 'rating' ? outcome : refuse('outcome', 'Of two answers say left, right or tie.');
  if (kind === 'rating') return refuse('outcome', 'Of one answer say pass or fail.');
  if (outcome === 'tie') return outcome;
  return (outcome === 'left') === isSwapped ? 'second' : 'first';
}

const toText = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text.trim() === '' ? null : toStorable(text);

/** null: nothing is corrected. Throws HttpProblem 400 for an answer with calls, which a text can't stand for. */
function toCorrection(answer: AnswerRecord, correction: NewJudgement['correction']): string | null {
  const text = toText(correction);
  if (text === null || text === answer.text) return null;
  return readCalls(answer.calls).length === 0
    ? text
    : refuse('correction', 'The answer calls tools, so a text can’t correct it. Say pass or fail, with a comment.');
}

/** What people say of one answer together: the majority. Comments are its reason. */
function toPeopleVerdict(records: readonly JudgementRecord[]): {
  readonly outcome: Outcome | null;
  readonly score: number | null;
  readonly reason: string | null;
} {
  if (records.length === 0) return { outcome: null, score: null, reason: null };
  const passes = records.filter(({ outcome }) => outcome === 'pass').length;
  const fails = records.length - passes;
  const isTie = passes === fails;
  const count = `${passes} of ${records.length}`;
  const tally = isTie
    ? [`People disagree: ${count} passed it.`]
    : records.length > 1
      ? [`${count} people passed it.`]
      : [];
  const comments = records.flatMap(({ rater, comment }) =>
    comment === null ? [] : [`${rater === '' ? 'Owner' : rater}: ${comment}`],
  );
  const reason = [...tally, ...comments].join(' ');
  return {
    outcome: isTie ? 'not_checked' : passes > fails ? 'pass' : 'fail',
    score: passes / records.length,
    reason: reason === '' ? null : reason,
  };
}

/** Changes what is judged of an item, and of an answer the verdict of people with it. */
const changeItem = (
  orm: Orm,
  { run }: WholeRun,
  item: JudgedItem,
  change: (transaction: Orm) => Promise<unknown>,
): Promise<void> =>
  orm.transaction(async (transaction) => {
    await lockVerdicts(transaction, run.id, PEOPLE);
    await change(transaction);
    if (item.kind !== 'rating') return;
    const records = await transaction.select().from(judgements).where(isOf(run.id, item)).orderBy(judgements.at);
    const { position, repeat, first } = item;
    await storeVerdicts(transaction, run, PEOPLE, first, [{ position, repeat, ...toPeopleVerdict(records) }]);
  });

/** Throws HttpProblem 400, 404. */
export async function storeJudgement(
  orm: Orm,
  runId: string,
  id: string,
  given: NewJudgement,
  { who, now }: { readonly who: string | null; readonly now: Date },
): Promise<void> {
  const whole = await readWholeRun(orm, runId);
  const rater = toAuthorColumn(who);
  const { item, answer } = await findJudged(orm, whole, rater, id);
  const said = {
    outcome: toOutcome(item, given),
    comment: toText(given.comment),
    correction: toCorrection(answer, given.correction),
    at: now,
  };
  const { kind, position, repeat, first: first_model, second: second_model } = item;
  await changeItem(orm, whole, item, (transaction) =>
    transaction
      .insert(judgements)
      .values({ run_id: runId, kind, position, repeat, first_model, second_model, rater, ...said })
      .onConflictDoUpdate({
        target: [
          judgements.run_id,
          judgements.kind,
          judgements.position,
          judgements.repeat,
          judgements.first_model,
          judgements.second_model,
          judgements.rater,
        ],
        set: said,
      }),
  );
}

/** Throws HttpProblem 404. */
export async function removeJudgement(orm: Orm, runId: string, id: string, who: string | null): Promise<void> {
  const whole = await readWholeRun(orm, runId);
  const rater = toAuthorColumn(who);
  const item = found(findItem(toItemsOf(whole, rater), id), 'item', id, 'item');
  await changeItem(orm, whole, item, async (transaction) => {
    const removed = await transaction
      .delete(judgements)
      .where(and(isOf(runId, item), eq(judgements.rater, rater)))
      .returning({ at: judgements.at });
    found(removed[0] ?? null, 'judgement', id, 'item');
  });
}
