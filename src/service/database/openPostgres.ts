// PostgreSQL over the network (`DATABASE_URL`), shared by any number of service processes. When the server is down or
// silent, queries fail within seconds; once it is back, it is used again.
import { Socket } from 'node:net';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, Pool, type QueryResult } from 'pg';
import { toReason, type Database } from './database.ts';
import { StartError } from './startError.ts';
import { openOutage } from './unavailable.ts';

/** The studio's advisory lock in the database. Any fixed number does. */
const LOCK_KEY = 7_305_464;
const NAME = 'model-studio';
/** At the start: a hosted database may have to wake up. */
const FIRST_CONNECT_MS = 10_000;
/** Later: for a new connection or a free one of the pool. Callers wait a little longer (unavailable.ts). */
const CONNECT_MS = 3_000;
/** No statement of a running studio takes nearly as long; a connection without an answer by then is closed. */
const STATEMENT_MS = 15_000;
const LOCK_POLL_MS = 250;
/** During shutdown: the last statements take milliseconds, and the process has only some seconds in all. */
const LAST_SILENCE_MS = 1_000;

/** Host and database of an address, without user and password. */
export function toPublicAddress(databaseUrl: string): string {
  try {
    const { host, pathname } = new URL(databaseUrl);
    return `${host || 'localhost'}${pathname}`;
  } catch {
    return 'the address in DATABASE_URL';
  }
}

/** A separate connection without time limits, for the start, whose scripts may take long. */
async function withClient<T>(databaseUrl: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: FIRST_CONNECT_MS,
    application_name: NAME,
  });
  // The running query reports a broken connection; without a listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function runScript(client: Client, script: string): Promise<void> {
  await client.query('begin');
  await client.query(script);
  await client.query('commit');
}

/** Polls instead of waiting in one query, so that no proxy takes the connection for dead. */
async function takeLock(client: Client, onWait: () => void): Promise<void> {
  for (let round = 0; ; round += 1) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK_KEY]);
    if (rows[0]?.locked === true) return;
    if (round === 0) onWait();
    await new Promise((resolve) => {
      setTimeout(resolve, LOCK_POLL_MS);
    });
  }
}

/** Makes and tracks the pool's sockets, so that shutdown can destroy those of a silent server. */
function openSockets() {
  const open = new Set<Socket>();
  let isEnding = false;
  const limit = (socket: Socket): void => void socket.setTimeout(LAST_SILENCE_MS, () => socket.destroy());
  return {
    make(): Socket {
      const socket = new Socket();
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      if (isEnding) limit(socket);
      return socket;
    },
    limitSilence(): void {
      if (isEnding) return;
      isEnding = true;
      for (const socket of open) limit(socket);
    },
    get isEnding() {
      return isEnding;
    },
  };
}

function openPool(databaseUrl: string, makeSocket: () => Socket): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: NAME,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    stream: makeSocket,
    // Statements, because poolers such as PgBouncer refuse them as connection parameters. A transaction whose service has fallen
    // silent ends, too: nobody could take over what it has locked.
    onConnect: (client) =>
      client.query(
        `set statement_timeout = ${STATEMENT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_MS}`,
      ),
  });
  // The pool doesn't listen to a connection in use, so a break between two queries would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** Connects to PostgreSQL 13 or later. Throws StartError when it does not answer. */
export async function openPostgres(databaseUrl: string, onWarning: (text: string) => void): Promise<Database> {
  const address = toPublicAddress(databaseUrl);
  try {
    await withClient(databaseUrl, (client) => client.query('select 1'));
  } catch (error) {
    throw new StartError(
      `PostgreSQL at ${address} can't be used (${toReason(error)}). Start it, or correct DATABASE_URL; without ` +
        'DATABASE_URL the embedded database is used.',
      { cause: error },
    );
  }
  const sockets = openSockets();
  const pool = openPool(databaseUrl, sockets.make);
  const outage = openOutage(`PostgreSQL at ${address}`, onWarning);
  // The pool replaces an idle connection that breaks.
  pool.on('error', (error) => {
    if (!sockets.isEnding) outage.report(error);
  });
  return {
    orm: drizzle(pool),
    isShared: true,
    guard: outage.guard,
    async executeSql(text, values = []) {
      // Several statements in one text return a list of results, which pg's types don't include.
      const result: QueryResult | readonly QueryResult[] = await outage.watch(() => pool.query(text, [...values]));
      const last = Array.isArray(result) ? result.at(-1) : result;
      return { rows: last?.rows ?? [] };
    },
    applyScript: (script) => withClient(databaseUrl, (client) => runScript(client, script)),
    exclusively: (run) =>
      withClient(databaseUrl, async (client) => {
        await takeLock(client, () =>
          onWarning(`Another Model Studio prepares the database at ${address}. Waiting until it is ready.`),
        );
        // Ending the database session releases the lock, also when `run` failed.
        return run();
      }),
    limitSilence: sockets.limitSilence,
    close() {
      sockets.limitSilence();
      return pool.end();
    },
  };
}
