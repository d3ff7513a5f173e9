// Who changed what, in the studio's database: written after each change, bounded, read newest first.
import { desc, lt, sql } from 'drizzle-orm';
import type { ActivityEntry } from '#shared/contract/access/activity.ts';
import { toReason, type Database } from '#server/studio/database.ts';
import { DatabaseUnavailable } from '#server/studio/unavailable.ts';
import { activity } from './accessTables.ts';

export type Change = Pick<ActivityEntry, 'who' | 'method' | 'route' | 'path'>;

export interface ActivityLog {
  /** Never throws and is not waited for: a change that was made is not undone because the log failed. */
  record(change: Change): void;
  /** Newest first. `before`: only entries with a smaller id. Throws DatabaseUnavailable. */
  list(limit: number, before: number | null): Promise<readonly ActivityEntry[]>;
  /** Resolves when everything recorded so far is stored, or was given up. */
  close(): Promise<void>;
}

/** Some months of a busy team, and a few megabytes. */
const KEPT = 10_000;
/** How often the oldest are removed: each time means a delete. */
const TIDY_EVERY = 100;
const MAX_PATH = 300;

export interface ActivityOptions {
  readonly database: Pick<Database, 'orm' | 'guard'>;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  readonly kept?: number;
}

export function openActivityLog({ database, now, report, kept = KEPT }: ActivityOptions): ActivityLog {
  const { orm, guard } = database;
  let writing: Promise<void> = Promise.resolve();
  const write = async ({ who, method, route, path }: Change, at: Date): Promise<void> => {
    try {
      const row = { at, actor: who, method, route, path: path.slice(0, MAX_PATH) };
      const [added] = await guard(() => orm.insert(activity).values(row).returning({ id: activity.id }));
      if (added && added.id % Math.min(TIDY_EVERY, kept) === 0)
        await guard(() => orm.delete(activity).where(lt(activity.id, added.id - kept + 1)));
    } catch (error) {
      // An outage of the database is reported once by itself.
      if (!(error instanceof DatabaseUnavailable)) report(`An entry of the activity was lost (${toReason(error)}).`);
    }
  };
  return {
    record(change) {
      const at = now();
      writing = writing.then(() => write(change, at));
    },
    async list(limit, before) {
      const rows = await guard(() =>
        orm
          .select()
          .from(activity)
          .where(before === null ? sql`true` : lt(activity.id, before))
          .orderBy(desc(activity.id))
          .limit(limit),
      );
      return rows.map(({ id, at, actor, method, route, path }) => ({
        id,
        at: at.toISOString(),
        who: actor,
        method,
        route,
        path,
      }));
    },
    close: () => writing,
  };
}
