// Traces in the database: added, found, changed and removed, with the number of each group.
import { randomUUID } from 'node:crypto';
import { and, eq, getTableColumns, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { toStorable } from '#core/contract/schemas.ts';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import { toBand, TRACE_LIMITS, type Band } from '#features/traces/shared/traceLimits.ts';
import {
  NO_SETTINGS,
  type NewTrace,
  type StoredSettings,
  type Trace,
  type TraceChange,
  type TraceCounts,
  type TraceSettings,
} from '#features/traces/shared/traces.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import type { Orm } from '#service/database/database.ts';
import { projects } from '#service/database/tables.ts';
import { found } from '#service/http/httpProblem.ts';
import { Refusal } from '#service/http/refusal.ts';
import { toTrace, traceGroups, traces, traceSettings, type GroupedRow } from './traceTables.ts';

/** A trace to store, with its conversation where that is more than the input. */
export type StoredTrace = NewTrace & { readonly messages?: readonly ChatMessage[] | null };

interface GroupKey {
  readonly projectId: string | null;
  readonly modelId: string;
  readonly band: Band;
}

/** Throws HttpProblem 404. */
export async function checkProject(orm: Orm, id: string): Promise<void> {
  const [project] = await orm
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deleted_at)));
  found(project ?? null, 'project', id);
}

/** The id of a group once `by` traces are added to its number. Throws Refusal 409 for one group too many. */
async function countInto(orm: Orm, { projectId, modelId, band }: GroupKey, by: number): Promise<number> {
  const isIt = and(
    projectId === null ? isNull(traceGroups.project_id) : eq(traceGroups.project_id, projectId),
    eq(traceGroups.model_id, modelId),
    eq(traceGroups.band, band),
  );
  const added = sql`${traceGroups.traces} + ${by}`;
  const [known] = await orm.update(traceGroups).set({ traces: added }).where(isIt).returning({ id: traceGroups.id });
  if (known) return known.id;
  const [all] = await orm.select({ count: sql<number>`count(*)::integer` }).from(traceGroups);
  if ((all?.count ?? 0) >= TRACE_LIMITS.groups)
    throw new Refusal(
      409,
      `The studio keeps traces of as many models as it can (${TRACE_LIMITS.groups} groups of project, model and score). ` +
        'Delete those of some models, or send the same model id for the same model.',
      'too_many_models',
      'modelId',
    );
  // Another request may have made it in between.
  const [made] = await orm
    .insert(traceGroups)
    .values({ project_id: projectId, model_id: modelId, band, traces: by })
    .onConflictDoNothing()
    .returning({ id: traceGroups.id });
  return made?.id ?? countInto(orm, { projectId, modelId, band }, by);
}

const keyOf = ({ projectId, modelId, band }: GroupKey): string => JSON.stringify([projectId, modelId, band]);

/** Adds all or none, in their order. Throws HttpProblem 404 for a project that is not there, Refusal 409. */
export async function addTraces(orm: Orm, added: readonly StoredTrace[], now: Date): Promise<Trace[]> {
  return orm.transaction(async (transaction) => {
    const projectIds = new Set(added.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])));
    for (const id of projectIds) await checkProject(transaction, id);
    const sent = added.map((trace) => ({
      ...trace,
      modelId: toStorable(trace.modelId),
      band: toBand(trace.score),
    }));
    const byKey = toGroups(sent, keyOf);
    const groups = new Map<string, number>();
    // Always in the same order, so that two requests don't wait for each other.
    for (const [key, [first, ...others]] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (first) groups.set(key, await countInto(transaction, first, 1 + others.length));
    const rows = await transaction
      .insert(traces)
      .values(
        sent.map((trace) => ({
          id: randomUUID(),
          group_id: groups.get(keyOf(trace)) ?? 0,
          created_at: now,
          input: toStorable(trace.input),
          output: toStorable(trace.output),
          messages: trace.messages ? toStorable(JSON.stringify(trace.messages)) : null,
          score: trace.score,
          feedback: trace.feedback === null ? null : toStorable(trace.feedback),
          processing: 'none' as const,
          attempts: 0,
        })),
      )
      .returning();
    return rows.map((row, at) =>
      toTrace({ ...row, project_id: sent[at]?.projectId ?? null, model_id: sent[at]?.modelId ?? '' }),
    );
  });
}

const groupedColumns = {
  ...getTableColumns(traces),
  project_id: traceGroups.project_id,
  model_id: traceGroups.model_id,
};

/** Traces with their groups, in no order. */
export const selectTraces = (orm: Orm, where: SQL | undefined): Promise<GroupedRow[]> =>
  orm.select(groupedColumns).from(traces).innerJoin(traceGroups, eq(traces.group_id, traceGroups.id)).where(where);

/** Throws HttpProblem 404. `lock`: until the end of the transaction nobody else changes it. */
export async function findTrace(orm: Orm, id: string, lock = false): Promise<GroupedRow> {
  if (lock) await orm.execute(sql`select 1 from ${traces} where ${traces.id} = ${id} for update`);
  const [row] = await selectTraces(orm, eq(traces.id, id));
  return found(row ?? null, 'trace', id);
}

/** Throws HttpProblem 404. */
export async function changeTrace(orm: Orm, id: string, change: TraceChange): Promise<Trace> {
  return orm.transaction(async (transaction) => {
    const row = await findTrace(transaction, id, true);
    const { score = row.score, feedback = row.feedback } = change;
    const projectId = change.projectId === undefined ? row.project_id : (change.projectId?.toLowerCase() ?? null);
    if (projectId !== null && projectId !== row.project_id) await checkProject(transaction, projectId);
    const [before, after] = [
      { projectId: row.project_id, modelId: row.model_id, band: toBand(row.score) },
      { projectId, modelId: row.model_id, band: toBand(score) },
    ];
    let group = row.group_id;
    if (keyOf(before) !== keyOf(after)) {
      const moves = [
        [before, -1],
        [after, 1],
      ] as const;
      for (const [key, by] of moves.toSorted(([a], [b]) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
        const counted = await countInto(transaction, key, by);
        if (by > 0) group = counted;
      }
    }
    const changed = { score, feedback: feedback === null ? null : toStorable(feedback), group_id: group };
    await transaction.update(traces).set(changed).where(eq(traces.id, id));
    return toTrace({ ...row, ...changed, project_id: projectId });
  });
}

/** Removes those that fit, and takes them out of the numbers. Returns how many. */
export async function removeTraces(orm: Orm, where: SQL | undefined): Promise<number> {
  return orm.transaction(async (transaction) => {
    const removed = await transaction.delete(traces).where(where).returning({ group: traces.group_id });
    const counts = toGroups(removed, ({ group }) => group);
    for (const [group, of] of [...counts].sort(([a], [b]) => a - b))
      await transaction
        .update(traceGroups)
        .set({ traces: sql`${traceGroups.traces} - ${of.length}` })
        .where(eq(traceGroups.id, group));
    return removed.length;
  });
}

/** By model, in their order. */
export async function countTraces(orm: Orm, projectId: string | null): Promise<TraceCounts> {
  const groups = await orm
    .select({
      model: traceGroups.model_id,
      band: traceGroups.band,
      count: sql<number>`sum(${traceGroups.traces})::integer`,
    })
    .from(traceGroups)
    .where(projectId === null ? undefined : eq(traceGroups.project_id, projectId))
    .groupBy(traceGroups.model_id, traceGroups.band)
    .orderBy(traceGroups.model_id);
  const byModel = toGroups(groups, ({ model }) => model);
  const models = [...byModel].map(([modelId, of]) => {
    const countOf = (band: Band): number => of.find((each) => each.band === band)?.count ?? 0;
    return { modelId, unscored: countOf('unscored'), weak: countOf('weak'), good: countOf('good') };
  });
  return { models: models.filter(({ unscored, weak, good }) => unscored + weak + good > 0) };
}

export async function findSettings(orm: Orm, projectId: string): Promise<StoredSettings> {
  const [row] = await orm.select().from(traceSettings).where(eq(traceSettings.project_id, projectId));
  if (!row) return NO_SETTINGS;
  const { keeps_chats, keep_days, corrector, left_out } = row;
  return { keeps_chats, keep_days, corrector, left_out };
}

/** Counts a chat that was too large to be kept. */
export async function countLeftOut(orm: Orm, projectId: string): Promise<void> {
  const left_out = sql`${traceSettings.left_out} + 1`;
  await orm.update(traceSettings).set({ left_out }).where(eq(traceSettings.project_id, projectId));
}

/** Throws HttpProblem 404. */
export async function saveSettings(orm: Orm, projectId: string, settings: TraceSettings): Promise<StoredSettings> {
  await checkProject(orm, projectId);
  await orm
    .insert(traceSettings)
    .values({ project_id: projectId, ...settings })
    .onConflictDoUpdate({ target: traceSettings.project_id, set: settings });
  return findSettings(orm, projectId);
}

/** Traces and settings of projects that are gone for good, some at a time. Returns how many traces were removed. */
export async function removeStray(orm: Orm, most: number): Promise<number> {
  const isGone = (column: typeof traceGroups.project_id | typeof traceSettings.project_id): SQL =>
    sql`${column} is not null and not exists (select 1 from ${projects} where ${projects.id} = ${column})`;
  await orm.delete(traceSettings).where(isGone(traceSettings.project_id));
  const groups = await orm.select({ id: traceGroups.id }).from(traceGroups).where(isGone(traceGroups.project_id));
  if (groups.length === 0) return 0;
  const ids = groups.map(({ id }) => id);
  const some = orm.select({ id: traces.id }).from(traces).where(inArray(traces.group_id, ids)).limit(most);
  return removeTraces(orm, inArray(traces.id, some));
}

/** Groups without a trace, which would count for ever. Returns how many were removed. */
export async function removeEmptyGroups(orm: Orm, most: number): Promise<number> {
  // One that is added to now is left: waiting for it could end in a deadlock.
  const empty = orm
    .select({ id: traceGroups.id })
    .from(traceGroups)
    .where(eq(traceGroups.traces, 0))
    .limit(most)
    .for('update', { skipLocked: true });
  const removed = await orm.delete(traceGroups).where(inArray(traceGroups.id, empty)).returning({ id: traceGroups.id });
  return removed.length;
}

/** The oldest traces of projects that keep them for some days, some of each group at a time. Returns how many were removed. */
export async function removeOld(orm: Orm, most: number): Promise<number> {
  const limited = await orm
    .select({ group: traceGroups.id, days: traceSettings.keep_days })
    .from(traceSettings)
    .innerJoin(traceGroups, eq(traceGroups.project_id, traceSettings.project_id))
    .where(sql`${traceSettings.keep_days} is not null and ${traceGroups.traces} > 0`);
  let removed = 0;
  for (const { group, days } of limited) {
    const oldest = orm
      .select({ id: traces.id })
      .from(traces)
      .where(eq(traces.group_id, group))
      .orderBy(traces.position)
      .limit(most);
    const isOld = sql`${traces.created_at} < clock_timestamp() - ${days} * interval '1 day'`;
    removed += await removeTraces(orm, and(inArray(traces.id, oldest), isOld));
  }
  return removed;
}
