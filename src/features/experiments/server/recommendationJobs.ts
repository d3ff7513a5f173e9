// Computes recommendations in the background, in the order in which they were asked for. A record that is processing and that
// no service has is work for the next one that looks: none stays so for ever, whatever ends a process.
import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import type { Recommendation } from '#core/contract/recommendation.ts';
import { toReason, type Database, type Orm } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import { leases, openLeases, type HeldLease, type Lease, type Leases } from '#service/database/leases/leases.ts';
import { openWorkLoop } from '#service/database/leases/workLoop.ts';
import {
  beginRecord,
  completeRecord,
  countAttempt,
  failRecord,
  findShownRecord,
  hasSnapshot,
  restartRecord,
  toRecommendation,
  type RecommendationRecord,
} from './recommendations.ts';
import { recommendations, type RecommendationBody } from '#service/database/tables.ts';

/** After so many attempts it has failed for good. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;
/** After so long without a word a service has ended, and another one computes what it had. */
const LEASE_MS = 15_000;
/** How often a service looks for what others began. What it begins itself it begins at once. */
const POLL_MS = 500;
/** The same where there are no others: each look costs milliseconds, all day. */
const ALONE_POLL_MS = 30_000;
/** Longer than any statement takes. */
const DATABASE_MS = 20_000;

export interface RecommendationJobsOptions {
  readonly database: Database;
  readonly now: () => Date;
  /** Computes a recommendation from the snapshot's rows. Throws an error whose message people read. */
  readonly compute: (snapshotId: string) => Promise<RecommendationBody>;
  readonly onWarning: (text: string) => void;
  readonly leaseMs?: number | undefined;
}

export interface RecommendationJobs {
  /** The recommendation; starts it when there is none. Null when there is no such snapshot (SPEC 4.2). */
  find(snapshotId: string): Promise<Recommendation | null>;
  /** Starts it, or starts it again once it has ended. Null when there is no such snapshot. */
  generate(snapshotId: string): Promise<Recommendation | null>;
  /** Waits for the one that is computed now. */
  close(): Promise<void>;
}

interface Attempt {
  readonly record: RecommendationRecord;
  readonly lease: Lease;
}

/** The next one, for this service alone; null: there is none. */
async function takeNext({ database, now }: RecommendationJobsOptions, own: Leases): Promise<Attempt | null> {
  for (;;) {
    const [next] = await database.orm
      .select({ record: recommendations })
      .from(recommendations)
      .leftJoin(leases, own.isOf(recommendations.job_id))
      .where(and(eq(recommendations.status, 'processing'), own.isFree()))
      .orderBy(asc(recommendations.started_at))
      .limit(1);
    if (!next) return null;
    const { job_id, attempts, error } = next.record;
    const taken = await database.orm.transaction(async (orm) => {
      const lease = await own.take(orm, job_id);
      if (lease === null) return null;
      if (attempts < MAX_ATTEMPTS) {
        const record = await countAttempt(orm, job_id);
        if (record) return { record, lease };
      } else {
        const stopped = `The studio stopped in each of ${MAX_ATTEMPTS} attempts to compute this recommendation.`;
        await failRecord(orm, next.record, { reason: error ?? stopped, isFinal: true, now: now() });
      }
      await own.release(orm, lease);
      return null;
    });
    if (taken) return taken;
  }
}

/** Opens the room, and begins with what earlier processes left. */
export async function openRecommendationJobs(options: RecommendationJobsOptions): Promise<RecommendationJobs> {
  const { database, now, compute, onWarning, leaseMs = LEASE_MS } = options;
  const own = openLeases(database, 'recommendation', leaseMs);
  await own.endFormer();
  // Those of records that are gone.
  await own.removeOver();
  // The queue of versions before these leases. On a shared database such a version may still run.
  if (!database.isShared) await database.executeSql('drop schema if exists studio_jobs cascade');
  let retriesUntil = 0;

  const write = (held: HeldLease, work: (orm: Orm) => Promise<void>): Promise<void> =>
    database.guard(() => held.write(work), DATABASE_MS);
  async function attempt({ record, lease }: Attempt): Promise<void> {
    const held = own.hold(lease);
    try {
      const body = await compute(record.snapshot_id);
      await write(held, async (orm) => {
        await completeRecord(orm, record, body, now());
        await held.release(orm);
      });
    } catch (error) {
      // Another service computes it.
      if (error instanceof LeaseLost) return;
      const isFinal = record.attempts >= MAX_ATTEMPTS;
      retriesUntil = performance.now() + 2 * RETRY_MS;
      await write(held, async (orm) => {
        await failRecord(orm, record, { reason: toReason(error), isFinal, now: now() });
        await (isFinal ? held.release(orm) : held.leave(orm, RETRY_MS));
      });
    } finally {
      held.stop();
    }
  }

  const loop = openWorkLoop({
    async work() {
      const next = await database.guard(() => takeNext(options, own), DATABASE_MS);
      if (next === null) return database.isShared || performance.now() < retriesUntil ? POLL_MS : ALONE_POLL_MS;
      await attempt(next);
      return 0;
    },
    onFailure: (reason) => onWarning(`A recommendation could not be recorded: ${reason}`),
  });

  async function find(snapshotId: string): Promise<Recommendation | null> {
    const known = await findShownRecord(database.orm, snapshotId);
    if (known) return toRecommendation(known);
    const begun = await beginRecord(database.orm, { snapshotId, jobId: randomUUID(), now: now() });
    if (!begun) return null;
    if (begun.isNew) loop.wake();
    return toRecommendation(begun.record);
  }

  return {
    find,
    async generate(snapshotId) {
      if (!(await hasSnapshot(database.orm, snapshotId))) return null;
      const again = await restartRecord(database.orm, { snapshotId, jobId: randomUUID(), now: now() });
      if (!again) return find(snapshotId);
      loop.wake();
      return toRecommendation(again);
    },
    close: loop.close,
  };
}
