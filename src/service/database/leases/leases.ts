// Leases: which of several services does what only one may do at a time. Whoever is silent until a lease is over has lost it. All
// times are the database's, and each taking has a number of its own, the fence: a holder that slept while somebody else took
// over can't write any more, whatever its clock says.
import { hostname } from 'node:os';
import { and, eq, isNull, notInArray, or, sql, type Column, type SQL } from 'drizzle-orm';
import { bigserial, jsonb, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Database, Orm } from '#service/database/database.ts';
import { SCHEMA } from '#service/database/tables.ts';
import { holdLease, LeaseLost, type Hold } from './holdLease.ts';

type LeaseKind =
  | 'correction'
  | 'evaluation'
  | 'import'
  | 'launcher'
  | 'recommendation'
  | 'service'
  | 'training'
  | 'transfer'
  | 'webhook';
type LeaseDetail = Readonly<Record<string, unknown>>;

export const leases = pgSchema(SCHEMA).table('leases', {
  kind: text().$type<LeaseKind>().notNull(),
  id: uuid().notNull(),
  /** Host and process, for people; null: given up. */
  owner: text(),
  fence: bigserial({ mode: 'number' }).notNull(),
  until: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  detail: jsonb().$type<LeaseDetail>(),
});

export interface Lease {
  readonly id: string;
  readonly fence: number;
  /** `performance.now()` before it was taken. */
  readonly askedAt: number;
}

export interface HeldLease extends Hold {
  /** Until the end of the transaction nobody else takes the lease. Throws LeaseLost. */
  assertHeld(transaction: Orm): Promise<void>;
  /** Runs a transaction that is the holder's alone. Throws LeaseLost, and then nothing was written. */
  write<Value>(work: (transaction: Orm) => Promise<Value>): Promise<Value>;
  /** The lease ends with the transaction. */
  release(transaction: Orm): Promise<void>;
  /** It is over `ms` after the transaction. */
  leave(transaction: Orm, ms: number): Promise<void>;
}

/** The leases of one kind, as one service sees them. */
export interface Leases {
  /** null: somebody has it. `isOpen`: which leases may be taken, by default those that are over. */
  take(orm: Orm, id: string, detail?: LeaseDetail | null, isOpen?: SQL): Promise<Lease | null>;
  /** false: it is lost. */
  renew(orm: Orm, lease: Lease, detail?: LeaseDetail): Promise<boolean>;
  release(orm: Orm, lease: Lease): Promise<void>;
  /** Renews it until `stop` is called, which must happen. `onRenewed` is called each time; it may fail. */
  hold(lease: Lease, onRenewed?: () => Promise<void>): HeldLease;
  /** Joins each row with its lease. */
  isOf(id: Column): SQL | undefined;
  /** Of a row of `leases`, or of none: nobody has the lease. */
  isFree(): SQL | undefined;
  /** Takes those that are over, whose holders have fallen silent, gives their ids to `end`, and releases them. */
  endOver(end: (id: string) => Promise<void>): Promise<void>;
  /** Where nothing is to be done about them. */
  removeOver(): Promise<void>;
  /**
   * Call it before any is taken. An embedded database has one service at a time, so leases from before are over; but for those
   * with a detail, because machines elsewhere go on with them.
   */
  endFormer(): Promise<void>;
}

const fromNow = (ms: number): SQL => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;

export function openLeases({ orm: outer, isShared }: Database, kind: LeaseKind, ms: number): Leases {
  const owner = `${hostname()} (process ${process.pid})`;
  /** This service may have slept for longer than they last: whether they are lost is for their holders to find out. */
  const held = new Set<number>();
  const isKind = eq(leases.kind, kind);
  const isIts = ({ id, fence }: Lease): SQL | undefined => and(isKind, eq(leases.id, id), eq(leases.fence, fence));
  const isOver = (): SQL => sql`${leases.until} < clock_timestamp() and ${notInArray(leases.fence, [...held])}`;

  const self: Leases = {
    async take(orm, id, detail = null, isOpen = isOver()) {
      const askedAt = performance.now();
      const values = { owner, detail, until: fromNow(ms) };
      const [taken] = await orm
        .insert(leases)
        .values({ kind, id, ...values })
        .onConflictDoUpdate({
          target: [leases.kind, leases.id],
          set: { ...values, fence: sql`excluded.fence` },
          setWhere: isOpen,
        })
        .returning({ fence: leases.fence });
      return taken ? { id, fence: taken.fence, askedAt } : null;
    },
    async renew(orm, lease, detail) {
      const kept = await orm
        .update(leases)
        .set({ until: fromNow(ms), ...(detail && { detail }) })
        .where(isIts(lease))
        .returning({ fence: leases.fence });
      return kept.length > 0;
    },
    async release(orm, lease) {
      await orm.delete(leases).where(isIts(lease));
    },
    hold(lease, onRenewed) {
      held.add(lease.fence);
      const hold = holdLease({
        ms,
        isShared,
        askedAt: lease.askedAt,
        async renew() {
          const isKept = await self.renew(outer, lease);
          if (isKept) void onRenewed?.().catch(() => undefined);
          return isKept;
        },
      });
      const stop = (): void => {
        hold.stop();
        held.delete(lease.fence);
      };
      async function assertHeld(orm: Orm): Promise<void> {
        const found = await orm.select({ fence: leases.fence }).from(leases).where(isIts(lease)).for('key share');
        if (found.length === 0) throw new LeaseLost();
      }
      return {
        ...hold,
        stop,
        assertHeld,
        write: (work) =>
          outer.transaction(async (orm) => {
            await assertHeld(orm);
            return work(orm);
          }),
        async release(orm) {
          stop();
          await self.release(orm, lease);
        },
        async leave(orm, inMs) {
          stop();
          await orm
            .update(leases)
            .set({ owner: null, until: fromNow(inMs) })
            .where(isIts(lease));
        },
      };
    },
    isOf: (id) => and(isKind, eq(leases.id, id)),
    isFree: () => or(isNull(leases.id), isOver()),
    async endOver(end) {
      const over = await outer.select({ id: leases.id }).from(leases).where(and(isKind, isOver()));
      for (const { id } of over) {
        const lease = await self.take(outer, id);
        if (lease === null) continue;
        await end(id);
        await self.release(outer, lease);
      }
    },
    async removeOver() {
      await outer.delete(leases).where(and(isKind, isOver()));
    },
    async endFormer() {
      if (isShared) return;
      await outer
        .update(leases)
        .set({ until: sql`'-infinity'` })
        .where(and(isKind, isNull(leases.detail)));
    },
  };
  return self;
}
