// PostgreSQL over the network (`DATABASE_URL`), shared by any number of service processes.
// It must not know the studio's tables, and never shows the address's password.
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool, type QueryResult } from 'pg';
import { toReason, type Database } from './database';
import { StartError } from './studio';

/** Any fixed number: it names the studio's advisory lock among those of the database. */
const LOCK_KEY = 7_305_464;

/** Host and database of an address, without user and password. */
function toPublicAddress(databaseUrl: string): string {
  try {
    const { host, pathname } = new URL(databaseUrl);
    return `${host || 'localhost'}${pathname}`;
  } catch {
    return 'the address in DATABASE_URL';
  }
}

async function runScript(pool: Pool, script: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(script);
    await client.query('commit');
    client.release();
  } catch (error) {
    // A connection in a broken transaction does not go back to the pool.
    client.release(true);
    throw error;
  }
}

async function runExclusively<T>(pool: Pool, run: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    return await run();
  } finally {
    // Ending the session gives the lock free, also when `run` failed.
    client.release(true);
  }
}

/** Connects to PostgreSQL 13 or later. Throws StartError when it does not answer. */
export async function openPostgres(databaseUrl: string, onWarning: (text: string) => void): Promise<Database> {
  const address = toPublicAddress(databaseUrl);
  const pool = new Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, application_name: 'model-studio' });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => onWarning(`A connection to PostgreSQL at ${address} broke (${error.message}); it will be replaced.`));
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw new StartError(
      `PostgreSQL at ${address} can't be used (${toReason(error)}). Start it, or correct DATABASE_URL; without DATABASE_URL the embedded database is used.`,
      { cause: error },
    );
  }
  return {
    orm: drizzle(pool),
    isShared: true,
    async executeSql(text, values = []) {
      // Several statements in one text give a list of results, which pg's types do not say.
      const result: QueryResult | readonly QueryResult[] = await pool.query(text, [...values]);
      const last = Array.isArray(result) ? result.at(-1) : result;
      return { rows: last?.rows ?? [] };
    },
    applyScript: (script) => runScript(pool, script),
    exclusively: (run) => runExclusively(pool, run),
    close: () => pool.end(),
  };
}
