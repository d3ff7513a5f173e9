// For tests: the embedded database behind PostgreSQL's own protocol on a port, so that a server that freezes, goes away
// and comes back can be tried on machines without PostgreSQL. All connections share one session.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';

export interface TestPostgres {
  readonly url: string;
  /** Takes connections and messages from now on, and answers none of them, as a stopped process does. */
  freeze(): void;
  /** Answers what came meanwhile, and all later messages. */
  thaw(): void;
  /** Breaks all connections and refuses new ones. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
  /** Whether another session holds every advisory lock. */
  isLocked: boolean;
  close(): Promise<void>;
}

const SSL_REQUEST = 80_877_103;
const LENGTH_BYTES = 4;
/** AuthenticationOk, and ReadyForQuery outside of a transaction. */
const WELCOME = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);
const PARSE = 80;
const SYNC = 83;
const SIMPLE_QUERY = 81;
const TERMINATE = 88;

/** `pg_try_advisory_lock` with the answer of a session that does not get the lock. */
function refuseLock(message: Buffer): Buffer {
  if (message[0] !== PARSE) return message;
  const text = message
    .subarray(1 + LENGTH_BYTES)
    .toString('latin1')
    .replace('pg_try_advisory_lock($1)', '($1::bigint is null)');
  const changed = Buffer.concat([Buffer.alloc(1 + LENGTH_BYTES), Buffer.from(text, 'latin1')]);
  changed[0] = PARSE;
  changed.writeInt32BE(changed.length - 1, 1);
  return changed;
}

export async function openTestPostgres(folder?: string): Promise<TestPostgres> {
  const database = await PGlite.create(folder);
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;
  let thawed: Promise<void> = Promise.resolve();
  let thaw = (): void => undefined;
  let running: Promise<unknown> = Promise.resolve();
  const self = { isLocked: false };

  /** One request of one connection at a time: from its first message to Sync. */
  const run = (socket: Socket, messages: readonly Buffer[]): void => {
    const before = running;
    const answer = async (): Promise<void> => {
      await before;
      await thawed;
      if (socket.destroyed) return;
      for (const message of messages) {
        const bytes = await database.execProtocolRaw(self.isLocked ? refuseLock(message) : message);
        if (bytes.length > 0) socket.write(bytes);
      }
    };
    running = answer();
  };

  function serve(socket: Socket): void {
    sockets.add(socket);
    // A frozen server says no goodbye either.
    const end = (): void => void thawed.then(() => socket.end());
    socket
      .on('error', () => undefined)
      .on('end', end)
      .on('close', () => sockets.delete(socket));
    let isWelcome = false;
    let bytes: Buffer = Buffer.alloc(0);
    let request: Buffer[] = [];
    socket.on('data', (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      for (;;) {
        const head = isWelcome ? 1 : 0;
        if (bytes.length < head + LENGTH_BYTES) return;
        const length = head + bytes.readInt32BE(head);
        if (bytes.length < length) return;
        const message = Buffer.from(bytes.subarray(0, length));
        bytes = bytes.subarray(length);
        if (!isWelcome) {
          const isSsl = message.readInt32BE(LENGTH_BYTES) === SSL_REQUEST;
          isWelcome = !isSsl;
          void thawed.then(() => socket.write(isSsl ? 'N' : WELCOME));
        } else if (message[0] === TERMINATE) {
          end();
        } else {
          request.push(message);
          if (message[0] !== SYNC && message[0] !== SIMPLE_QUERY) continue;
          run(socket, request);
          request = [];
        }
      }
    });
  }

  const start = async (): Promise<void> => {
    server = createServer({ allowHalfOpen: true }, serve);
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => void server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
    await running;
  };
  await start();
  return Object.assign(self, {
    url: `postgres://studio:secret@127.0.0.1:${port}/studio`,
    freeze() {
      thawed = new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw: () => thaw(),
    stop,
    start,
    async close() {
      thaw();
      await stop();
      await database.close();
    },
  });
}
