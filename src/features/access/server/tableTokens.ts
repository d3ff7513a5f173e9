// Named tokens of studios that share a PostgreSQL: rows of a table, read at each request that brings one.
import { asc, eq } from 'drizzle-orm';
import type { Database } from '#service/database/database.ts';
import { tokens } from './accessTables.ts';
import type { NamedToken, TokenStore } from './tokens.ts';

const toToken = ({ name, is_read_only, created_at }: typeof tokens.$inferSelect): NamedToken => ({
  name,
  isReadOnly: is_read_only,
  createdAt: created_at,
});

/** Its functions throw DatabaseUnavailable. */
export function openTableTokens({ orm, guard }: Pick<Database, 'orm' | 'guard'>): TokenStore {
  return {
    async find(hash) {
      const [row] = await guard(() => orm.select().from(tokens).where(eq(tokens.hash, hash)));
      return row ? toToken(row) : null;
    },
    list: async () => (await guard(() => orm.select().from(tokens).orderBy(asc(tokens.created_at)))).map(toToken),
    async add({ name, isReadOnly, createdAt }, hash) {
      const added = await guard(() =>
        orm
          .insert(tokens)
          .values({ name, hash, is_read_only: isReadOnly, created_at: createdAt })
          .onConflictDoNothing()
          .returning(),
      );
      return added.length > 0 ? 'added' : 'taken';
    },
    revoke: async (name) => (await guard(() => orm.delete(tokens).where(eq(tokens.name, name)).returning())).length > 0,
  };
}
