// The recommendation records: how one begins and ends, and what the API sends of it (SPEC 2.2, 4.2).
import { and, eq, ne, sql } from 'drizzle-orm';
import type { ProposedExperiment, Recommendation } from '#core/contract/recommendation.ts';
import type { Orm } from '#service/database/database.ts';
import {
  datasets,
  notDeleted,
  projects,
  recommendations,
  snapshots,
  type RecommendationBody,
} from '#service/database/tables.ts';

export type RecommendationRecord = typeof recommendations.$inferSelect;

const toSent = (proposed: ProposedExperiment): Recommendation['recommended_experiments'][number] =>
  Object.assign({}, proposed, { training_type: proposed.lora ? ('lora' as const) : ('full' as const) });

/** ASSUMED: the lists are empty, not null, while there is nothing to recommend (SPEC 2.2 calls them arrays). */
export function toRecommendation(
  record: Pick<RecommendationRecord, 'snapshot_id' | 'status' | 'body' | 'error'>,
): Recommendation {
  const { recommended_models, recommended_experiments } = record.body ?? {
    recommended_models: [],
    recommended_experiments: [],
  };
  const answer = {
    snapshot_id: record.snapshot_id,
    status: record.status,
    recommended_models,
    recommended_experiments: recommended_experiments.map(toSent),
  };
  return record.status === 'failed' && record.error !== null ? { ...answer, error: record.error } : answer;
}

async function findRecord(orm: Orm, snapshotId: string): Promise<RecommendationRecord | null> {
  const [record] = await orm.select().from(recommendations).where(eq(recommendations.snapshot_id, snapshotId));
  return record ?? null;
}

/**
 * The record of a snapshot that is there. That of a deleted one stays, because it can be restored, and is not shown.
 */
export async function findShownRecord(orm: Orm, snapshotId: string): Promise<RecommendationRecord | null> {
  const [found] = await orm
    .select({ record: recommendations })
    .from(recommendations)
    .innerJoin(snapshots, eq(recommendations.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(eq(recommendations.snapshot_id, snapshotId), notDeleted(snapshots, datasets, projects)));
  return found?.record ?? null;
}

/** Whether there is such a snapshot: nothing deleted, nor below anything deleted. */
export async function hasSnapshot(orm: Orm, snapshotId: string): Promise<boolean> {
  const [snapshot] = await orm
    .select({ id: snapshots.id })
    .from(snapshots)
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(and(eq(snapshots.id, snapshotId), notDeleted(snapshots, datasets, projects)));
  return snapshot !== undefined;
}

/**
 * Begins a record for an existing snapshot; null when there is no such snapshot. Of several callers at the same time,
 * in this process or another, exactly one gets `isNew`.
 */
export async function beginRecord(
  orm: Orm,
  begin: { readonly snapshotId: string; readonly jobId: string; readonly now: Date },
): Promise<{ readonly record: RecommendationRecord; readonly isNew: boolean } | null> {
  const { snapshotId, jobId, now } = begin;
  if (!(await hasSnapshot(orm, snapshotId))) return null;
  const [created] = await orm
    .insert(recommendations)
    .values({ snapshot_id: snapshotId, status: 'processing', job_id: jobId, attempts: 0, started_at: now })
    .onConflictDoNothing()
    .returning();
  if (created) return { record: created, isNew: true };
  const record = await findRecord(orm, snapshotId);
  return record && { record, isNew: false };
}

/** Begins an ended record again; null: there is none, or it has not ended. */
export async function restartRecord(
  orm: Orm,
  begin: { readonly snapshotId: string; readonly jobId: string; readonly now: Date },
): Promise<RecommendationRecord | null> {
  const { snapshotId, jobId, now } = begin;
  const [record] = await orm
    .update(recommendations)
    .set({
      status: 'processing',
      job_id: jobId,
      attempts: 0,
      error: null,
      body: null,
      started_at: now,
      finished_at: null,
    })
    .where(and(eq(recommendations.snapshot_id, snapshotId), ne(recommendations.status, 'processing')))
    .returning();
  return record ?? null;
}

/** Counts an attempt of a job; null: it has ended, or its record was begun again with another job. */
export async function countAttempt(orm: Orm, jobId: string): Promise<RecommendationRecord | null> {
  const [record] = await orm
    .update(recommendations)
    .set({ attempts: sql`${recommendations.attempts} + 1` })
    .where(and(eq(recommendations.job_id, jobId), eq(recommendations.status, 'processing')))
    .returning();
  return record ?? null;
}

/**
 * Completes the record of this job. If the record was deleted and begun again meanwhile, as after the choice of another
 * measure, it has another job, and what this one computed is out of date.
 */
export async function completeRecord(
  orm: Orm,
  { snapshot_id, job_id }: RecommendationRecord,
  body: RecommendationBody,
  now: Date,
): Promise<void> {
  await orm
    .update(recommendations)
    .set({ status: 'completed', body, error: null, finished_at: now })
    .where(and(eq(recommendations.snapshot_id, snapshot_id), eq(recommendations.job_id, job_id)));
}

/** Stores the reason of a failed attempt; `isFinal` makes the record failed. A completed record never changes. */
export async function failRecord(
  orm: Orm,
  { snapshot_id, job_id }: RecommendationRecord,
  failure: { readonly reason: string; readonly isFinal: boolean; readonly now: Date },
): Promise<void> {
  const { reason, isFinal, now } = failure;
  await orm
    .update(recommendations)
    .set(isFinal ? { status: 'failed', error: reason, finished_at: now } : { error: reason })
    .where(
      and(
        eq(recommendations.snapshot_id, snapshot_id),
        eq(recommendations.job_id, job_id),
        eq(recommendations.status, 'processing'),
      ),
    );
}
