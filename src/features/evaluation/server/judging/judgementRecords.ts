// Judgements of people in the database, and which answers there are to judge.
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { JudgementKind } from '#features/evaluation/shared/contract/judgements.ts';
import type { Orm } from '#service/database/database.ts';
import { answers, judgements } from '../evaluationTables.ts';
import type { JudgedItem } from './itemOrder.ts';

export type JudgementRecord = typeof judgements.$inferSelect;

export const isOf = (runId: string, { kind, position, repeat, first, second }: JudgedItem) =>
  and(
    eq(judgements.run_id, runId),
    eq(judgements.kind, kind),
    eq(judgements.position, position),
    eq(judgements.repeat, repeat),
    eq(judgements.first_model, first),
    eq(judgements.second_model, second),
  );

export const toItem = (record: JudgementRecord): JudgedItem => ({
  kind: record.kind,
  position: record.position,
  repeat: record.repeat,
  first: record.first_model,
  second: record.second_model,
});

/** All judgements of a run, or those of one kind, the oldest first. */
export const readJudgements = (orm: Orm, runId: string, kind?: JudgementKind): Promise<JudgementRecord[]> =>
  orm
    .select()
    .from(judgements)
    .where(and(eq(judgements.run_id, runId), kind && eq(judgements.kind, kind)))
    .orderBy(asc(judgements.at));

/** The answers of a run by row: of each repeat and model a hash of what it says. */
export interface AnswerHashes {
  /** Whether there is something to judge: an answer, or two that differ. */
  has(item: JudgedItem): boolean;
  /** Items of a row. */
  count(kind: JudgementKind, position: number): number;
}

export async function readAnswerHashes(orm: Orm, runId: string, rowCount: number): Promise<AnswerHashes> {
  const found = await orm
    .select({
      position: answers.position,
      repeat: answers.repeat,
      model: answers.model,
      hash: sql<string>`md5(${answers.text} || chr(10) || coalesce(${answers.calls}, ''))`,
    })
    .from(answers)
    .where(and(eq(answers.run_id, runId), isNull(answers.error)));
  const rows = Array.from({ length: rowCount }, () => new Map<number, Map<number, string>>());
  for (const { position, repeat, model, hash } of found) {
    const byRepeat = rows[position];
    const byModel = byRepeat?.get(repeat);
    if (byModel) byModel.set(model, hash);
    else byRepeat?.set(repeat, new Map([[model, hash]]));
  }
  return {
    has({ kind, position, repeat, first, second }) {
      const own = rows[position]?.get(repeat);
      const [one, other] = [own?.get(first), own?.get(second)];
      return kind === 'rating' ? one !== undefined : one !== undefined && other !== undefined && one !== other;
    },
    count(kind, position) {
      return [...(rows[position]?.values() ?? [])].reduce((total, own) => {
        if (kind === 'rating') return total + own.size;
        const same = new Map<string, number>();
        for (const hash of own.values()) same.set(hash, (same.get(hash) ?? 0) + 1);
        const pairsOf = (size: number): number => (size * (size - 1)) / 2;
        return total + [...same.values()].reduce((left, size) => left - pairsOf(size), pairsOf(own.size));
      }, 0);
    },
  };
}
