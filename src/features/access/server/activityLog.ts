// Who changed what, in the studio's database: written after each change, bounded, read newest first.
import { desc, lt, sql } from 'drizzle-orm';
import type { ActivityEntry } from '#features/access/shared/activity.ts';
import { lastIdOf } from '#core/contract/uuid.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { activity } from './accessTables.ts';
import { findNodes } from './activityNodes.ts';

export interface Change extends Pick<ActivityEntry, 'who' | 'method' | 'route' | 'path'> {
  /** The node that the change made, or is about, where the path doesn't name it. */
  readonly nodeId?: string | undefined;
  /** false: the database answered too late to say whether it was made. */
  readonly isCertain?: boolean;
}

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
  readonly database: Pick<Database, 'orm' | 'guard' | 'executeSql'>;
  readonly now: () => Date;
  readonly report: (line: string) => void;
  readonly kept?: number;
}

export function openActivityLog({ database, now, report, kept = KEPT }: ActivityOptions): ActivityLog {
  const { orm, guard, executeSql } = database;
  let writing: Promise<void> = Promise.resolve();
  const write = async ({ who, method, route, path, nodeId, isCertain = true }: Change, at: Date): Promise<void> => {
    try {
      const about = { node_id: nodeId ?? null, is_certain: isCertain };
      const row = { at, actor: who, method, route, path: path.slice(0, MAX_PATH), ...about };
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
      const abouts = rows.map(({ node_id, path }) => node_id ?? lastIdOf(path));
      const ids = new Set(abouts.flatMap((about) => about ?? []));
      const nodes = await guard(() => findNodes(executeSql, [...ids]));
      return rows.map((row, index): ActivityEntry => {
        const { id, at, actor, method, route, path, is_certain } = row;
        const node = nodes.get(abouts[index] ?? '') ?? null;
        const entry = { id, at: at.toISOString(), who: actor, method, route, path, node };
        return is_certain ? entry : Object.assign(entry, { is_certain });
      });
    },
    close: () => writing,
  };
}
