// PostgreSQL over the network (`DATABASE_URL`), shared by any number of service processes. A server that is down or
// does not answer fails what was asked within seconds, and is used again once it is back.
import { Socket } from 'node:net';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, Pool, type QueryResult } from 'pg';
import { toReason, type Database } from './database.ts';
import { StartError } from './studio.ts';
import { openOutage } from './unavailable.ts';

/** Any fixed number: it names the studio's advisory lock among those of the database. */
const LOCK_KEY = 7_305_464;
const NAME = 'model-studio';
/** For the start: a hosted database that slept may need a while. */
const FIRST_CONNECT_MS = 10_000;
/** Later: for a new connection, or a free one of the pool. Callers wait a little longer (unavailable.ts). */
const CONNECT_MS = 3_000;
/** No statement of a running studio takes nearly as long; a connection without an answer by then is given up. */
const STATEMENT_MS = 15_000;
const LOCK_POLL_MS = 250;
/** While the studio ends: its last statements take milliseconds, and the process has some seconds in all. */
const LAST_SILENCE_MS = 1_000;

/** Host and database of an address, without user and password. */
function toPublicAddress(databaseUrl: string): string {
  try {
    const { host, pathname } = new URL(databaseUrl);
    return `${host || 'localhost'}${pathname}`;
  } catch {
    return 'the address in DATABASE_URL';
  }
}

/** A connection of its own, without time limits: for the start, whose scripts may take long. */
async function withClient<T>(databaseUrl: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: FIRST_CONNECT_MS,
    application_name: NAME,
  });
  // Whoever waits for a query hears of a broken connection there; without a listener it would end the process.
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

/** Asks again and again instead of waiting in one query, so that no proxy takes the connection for dead. */
async function lock(client: Client, onWait: () => void): Promise<void> {
  for (let round = 0; ; round += 1) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK_KEY]);
    if (rows[0]?.locked === true) return;
    if (round === 0) onWait();
    await new Promise((resolve) => {
      setTimeout(resolve, LOCK_POLL_MS);
    });
  }
}

/** Makes the sockets of the pool, so that those of a silent server can be destroyed. */
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
    // As a statement, because poolers such as PgBouncer refuse it as a parameter of the connection.
    onConnect: (client) => client.query(`set statement_timeout = ${STATEMENT_MS}`),
  });
  // While a connection is in use the pool does not listen, and a break between two queries would end the process.
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
  // An idle connection that breaks is replaced by the pool.
  pool.on('error', (error) => {
    if (!sockets.isEnding) outage.report(error);
  });
  return {
    orm: drizzle(pool),
    isShared: true,
    guard: outage.guard,
    async executeSql(text, values = []) {
      // Several statements in one text give a list of results, which pg's types do not say.
      const result: QueryResult | readonly QueryResult[] = await outage.watch(() => pool.query(text, [...values]));
      const last = Array.isArray(result) ? result.at(-1) : result;
      return { rows: last?.rows ?? [] };
    },
    applyScript: (script) => withClient(databaseUrl, (client) => runScript(client, script)),
    exclusively: (run) =>
      withClient(databaseUrl, async (client) => {
        await lock(client, () =>
          onWarning(`Another Model Studio prepares the database at ${address}. Waiting until it is ready.`),
        );
        // Ending the session gives the lock free, also when `run` failed.
        return run();
      }),
    limitSilence: sockets.limitSilence,
    close() {
      sockets.limitSilence();
      return pool.end();
    },
  };
}
