// The presets and training examples that people keep in the studio's database.
import { and, count, eq, ne, sql, sum } from 'drizzle-orm';
import { integer, pgSchema, text, timestamp } from 'drizzle-orm/pg-core';
import type { ItemChange, LibraryItem, LibraryKind } from '#features/playground/shared/library.ts';
import { LIBRARY_LIMITS } from '#features/playground/shared/libraryLimits.ts';
import { toAuthorColumn, toAuthorField } from '#service/database/author.ts';
import type { Orm } from '#service/database/database.ts';
import { SCHEMA } from '#service/database/tables.ts';

const moment = () => timestamp({ withTimezone: true, mode: 'date' });

const library = pgSchema(SCHEMA).table('library', {
  kind: text().$type<LibraryKind>().notNull(),
  id: text().notNull(),
  name: text(),
  content: text().notNull(),
  revision: integer().notNull(),
  created_at: moment().notNull(),
  updated_at: moment().notNull(),
  updated_by: text().notNull(),
});

/** `changed`: the revision was another; `item` is what stands now, null: nothing. */
export type ItemResult =
  | { readonly kind: 'saved'; readonly item: LibraryItem }
  | { readonly kind: 'changed'; readonly item: LibraryItem | null }
  | { readonly kind: 'full' }
  | { readonly kind: 'deleted' };

type Row = typeof library.$inferSelect;

const toItem = ({ id, name, content, revision, created_at, updated_at, updated_by }: Row): LibraryItem => ({
  id,
  name,
  content,
  revision,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
  ...toAuthorField(updated_by),
});

const isItem = (kind: LibraryKind, id: string) => and(eq(library.kind, kind), eq(library.id, id));

/** One writer of a kind at a time, so that limits hold and no change is lost. */
const lock = (transaction: Orm, kind: LibraryKind) =>
  transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`library ${kind}`}, 0))`);

async function findItem(orm: Orm, kind: LibraryKind, id: string): Promise<Row | null> {
  const [row] = await orm.select().from(library).where(isItem(kind, id));
  return row ?? null;
}

/** The oldest first. */
export async function listItems(orm: Orm, kind: LibraryKind): Promise<readonly LibraryItem[]> {
  const rows = await orm.select().from(library).where(eq(library.kind, kind)).orderBy(library.created_at, library.id);
  return rows.map(toItem);
}

/** Whether an item has room beside all others of its kind. */
async function hasRoom(orm: Orm, kind: LibraryKind, id: string, content: string): Promise<boolean> {
  const measure = async (unit: 'octet_length' | 'length') => {
    const size = sum(sql`${sql.raw(unit)}(${library.content})`).mapWith(Number);
    const others = and(eq(library.kind, kind), ne(library.id, id));
    const [found] = await orm.select({ items: count(), size }).from(library).where(others);
    return { items: found?.items ?? 0, isWithin: (found?.size ?? 0) + content.length <= LIBRARY_LIMITS.all };
  };
  // PostgreSQL knows bytes without reading a long text, and a text never has more characters. A browser that sends thousands
  // of items would have all read again for each one.
  const { items, isWithin } = await measure('octet_length');
  return items < LIBRARY_LIMITS.items && (isWithin || (await measure('length')).isWithin);
}

/** Saves an item unless another change came first. `who`: the name of a token; null is the owner. */
export async function saveItem(
  orm: Orm,
  kind: LibraryKind,
  id: string,
  { name, content, revision }: ItemChange,
  { now, who }: { readonly now: Date; readonly who: string | null },
): Promise<Exclude<ItemResult, { kind: 'deleted' }>> {
  return orm.transaction(async (transaction) => {
    await lock(transaction, kind);
    const old = await findItem(transaction, kind, id);
    if ((old?.revision ?? 0) !== revision) return { kind: 'changed', item: old && toItem(old) };
    if (!(await hasRoom(transaction, kind, id, content))) return { kind: 'full' };
    const fields = { name, content, revision: revision + 1, updated_at: now, updated_by: toAuthorColumn(who) };
    const [saved] = await transaction
      .insert(library)
      .values({ kind, id, created_at: now, ...fields })
      .onConflictDoUpdate({ target: [library.kind, library.id], set: fields })
      .returning();
    if (!saved) throw new Error('The database saved nothing.');
    return { kind: 'saved', item: toItem(saved) };
  });
}

/** Deletes an item unless it was changed since; null: there is none. */
export async function deleteItem(
  orm: Orm,
  kind: LibraryKind,
  id: string,
  revision: number,
): Promise<Extract<ItemResult, { kind: 'changed' | 'deleted' }> | null> {
  return orm.transaction(async (transaction) => {
    await lock(transaction, kind);
    const old = await findItem(transaction, kind, id);
    if (old === null) return null;
    if (old.revision !== revision) return { kind: 'changed', item: toItem(old) };
    await transaction.delete(library).where(isItem(kind, id));
    return { kind: 'deleted' };
  });
}
