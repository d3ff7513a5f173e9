// How much of a disk the database takes, and how much of that holds nothing.
import type { Database } from '#service/database/database.ts';

export interface DatabaseSizes {
  /** All of it but its log. */
  readonly bytes: number;
  /** null: a server does not tell. */
  readonly logBytes: number | null;
  /** Of `bytes`: what removed rows have left in the files. Later rows use it. */
  readonly unusedBytes: number;
}

/**
 * The tables of long values, where rows are, hold four pieces of a value in a page. What has changed since the last vacuum is
 * counted; of a table that was never vacuumed nothing is known.
 */
const toQuery = (whole: string): string => `select ${whole} as bytes, coalesce(sum(greatest(0, pg_relation_size(oid) -
    ceil(greatest(0, reltuples + pg_stat_get_ins_since_vacuum(oid) - pg_stat_get_dead_tuples(oid)) / 4) * 8192)), 0) as unused
  from pg_class where relkind = 't' and reltuples >= 0`;

/** On a server there are others. The embedded one has some that PostgreSQL makes new ones from. */
const OWN = 'pg_database_size(current_database())';
const ALL = '(select sum(pg_database_size(oid)) from pg_database)';
const LOG = 'select coalesce(sum(size), 0) as bytes from pg_ls_waldir()';

const toNumber = ({ rows }: { readonly rows: readonly unknown[] }, name: string): number =>
  Number((rows[0] as Record<string, unknown> | undefined)?.[name] ?? 0);

/** Throws what the database throws. */
export async function readDatabaseSizes({
  executeSql,
  isShared,
}: Pick<Database, 'executeSql' | 'isShared'>): Promise<DatabaseSizes> {
  const sizes = await executeSql(toQuery(isShared ? OWN : ALL));
  return {
    bytes: toNumber(sizes, 'bytes'),
    logBytes: isShared ? null : toNumber(await executeSql(LOG), 'bytes'),
    unusedBytes: Math.round(toNumber(sizes, 'unused')),
  };
}
