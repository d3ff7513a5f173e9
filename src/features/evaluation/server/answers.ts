// Answers of a run in the database. Each stands there once, whoever stores it and however often.
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { toStorable } from '#core/contract/schemas.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import type { Orm } from '#service/database/database.ts';
import { answers, runModels } from './evaluationTables.ts';

export interface NewAnswer {
  readonly model: number;
  readonly position: number;
  readonly repeat: number;
  /** Why there is none; null: there is one. */
  readonly error: string | null;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly WrittenCall[];
  readonly finish_reason: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** null: unknown. */
  readonly ms: number | null;
  /** In hex digits; empty: the row could not be asked. */
  readonly hash: string;
  readonly fingerprint: string | null;
}

export type AnswerRecord = Omit<typeof answers.$inferSelect, 'request_hash'>;

const columns = {
  run_id: answers.run_id,
  model: answers.model,
  position: answers.position,
  repeat: answers.repeat,
  error: answers.error,
  text: answers.text,
  reasoning: answers.reasoning,
  calls: answers.calls,
  finish_reason: answers.finish_reason,
  prompt_tokens: answers.prompt_tokens,
  completion_tokens: answers.completion_tokens,
  ms: answers.ms,
};

export const readCalls = (text: string | null): readonly WrittenCall[] =>
  text === null ? [] : (JSON.parse(text) as WrittenCall[]);

const BYTES = sql.raw('octet_length(text) + coalesce(octet_length(reasoning), 0) + coalesce(octet_length(calls), 0)');

/** Call it in a transaction: stores answers that are not there yet, and counts them. */
export async function storeAnswers(orm: Orm, run_id: string, given: readonly NewAnswer[]): Promise<void> {
  if (given.length === 0) return;
  const list = given.map(({ text, reasoning, calls, error, fingerprint: _fingerprint, ...rest }) => ({
    ...rest,
    text: toStorable(text),
    error: error === null ? null : toStorable(error),
    reasoning: reasoning === '' ? null : toStorable(reasoning),
    calls: calls.length === 0 ? null : toStorable(JSON.stringify(calls)),
  }));
  await orm.execute(sql`
    with added as (
      insert into ${answers} (run_id, model, position, repeat, error, text, reasoning, calls, finish_reason, prompt_tokens,
        completion_tokens, ms, request_hash)
      select ${run_id}::uuid, model, position, repeat, error, text, reasoning, calls, finish_reason, prompt_tokens,
        completion_tokens, ms, decode(hash, 'hex')
      from json_to_recordset(${JSON.stringify(list)}::json) as given (model smallint, position integer, repeat smallint,
        error text, text text, reasoning text, calls text, finish_reason text, prompt_tokens integer,
        completion_tokens integer, ms real, hash text)
      on conflict do nothing
      returning model, error, prompt_tokens, completion_tokens, ms, ${BYTES} as bytes
    )
    update ${runModels} set
      done = ${runModels.done} + counted.done, failed = ${runModels.failed} + counted.failed,
      prompt_tokens = ${runModels.prompt_tokens} + counted.prompt_tokens,
      completion_tokens = ${runModels.completion_tokens} + counted.completion_tokens,
      ms = ${runModels.ms} + counted.ms, bytes = ${runModels.bytes} + counted.bytes
    from (
      select model, count(*) filter (where error is null) as done, count(*) filter (where error is not null) as failed,
        coalesce(sum(prompt_tokens), 0) as prompt_tokens, coalesce(sum(completion_tokens), 0) as completion_tokens,
        case when not bool_or(ms is null and error is null) then coalesce(sum(ms), 0) end as ms, sum(bytes) as bytes
      from added group by model
    ) as counted
    where ${runModels.run_id} = ${run_id}::uuid and ${runModels.place} = counted.model`);
  const seen = new Map(given.flatMap(({ model, fingerprint }) => (fingerprint === null ? [] : [[model, fingerprint]])));
  for (const [model, fingerprint] of seen)
    await orm
      .update(runModels)
      .set({ fingerprints: sql`${runModels.fingerprints} || ${JSON.stringify([fingerprint])}::jsonb` })
      .where(
        and(
          eq(runModels.run_id, run_id),
          eq(runModels.place, model as number),
          sql`not ${runModels.fingerprints} ? ${fingerprint as string}`,
        ),
      );
}

/** What a model has answered, by `position * repeats + repeat - 1`. */
export async function readAnswered(orm: Orm, runId: string, model: number, repeats: number): Promise<Set<number>> {
  const found = await orm
    .select({ position: answers.position, repeat: answers.repeat })
    .from(answers)
    .where(and(eq(answers.run_id, runId), eq(answers.model, model)));
  return new Set(found.map(({ position, repeat }) => position * repeats + repeat - 1));
}

/** Why a model gave no answer to the last rows that it was asked; null: it gave one, or the answer was imported. */
export async function readLastErrors(orm: Orm, runId: string, model: number, most: number): Promise<(string | null)[]> {
  const found = await orm
    .select({ error: answers.error, isAsked: sql<boolean>`octet_length(${answers.request_hash}) > 0` })
    .from(answers)
    .where(and(eq(answers.run_id, runId), eq(answers.model, model)))
    .orderBy(sql`${answers.position} desc, ${answers.repeat} desc`)
    .limit(most);
  return found.map(({ error, isAsked }) => (isAsked ? error : null));
}

/** Answers of a model to the rows from a position up to another one. */
export const readAnswersOf = (
  orm: Orm,
  runId: string,
  model: number,
  from: number,
  end: number,
): Promise<AnswerRecord[]> =>
  orm
    .select(columns)
    .from(answers)
    .where(
      and(eq(answers.run_id, runId), eq(answers.model, model), gte(answers.position, from), lt(answers.position, end)),
    );

/** All answers to some rows, by model and repeat. */
export const readAnswersAt = (orm: Orm, runId: string, positions: readonly number[]): Promise<AnswerRecord[]> =>
  positions.length === 0
    ? Promise.resolve([])
    : orm
        .select(columns)
        .from(answers)
        .where(and(eq(answers.run_id, runId), inArray(answers.position, [...positions])))
        .orderBy(answers.position, answers.model, answers.repeat);

/** Forgets rows without an answer, so that they are asked again. */
export async function removeFailed(orm: Orm, runId: string): Promise<void> {
  await orm.execute(sql`
    with gone as (
      delete from ${answers} where run_id = ${runId} and error is not null returning model, ${BYTES} as bytes
    )
    update ${runModels} set failed = 0, bytes = ${runModels.bytes}
      - (select coalesce(sum(bytes), 0) from gone where model = ${runModels.place})
    where ${runModels.run_id} = ${runId}`);
}
