// Servers on free ports for tests of requests, for any HTTP server that a test brings. For tests only.
import { afterEach } from 'vitest';
import type { Connection } from './request.ts';

/** The part of Node's HTTP server that is used. */
export interface Listening {
  listen: (port: number, host: string, onListening: () => void) => unknown;
  address: () => unknown;
  closeAllConnections: () => void;
  close: (onClosed: () => void) => unknown;
}

export interface TestServer {
  readonly connection: Connection;
  close(): Promise<void>;
}

export async function openTestServer(server: Listening): Promise<TestServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    connection: { baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}`, now: () => 0 },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Opens servers for the tests of a file, and closes them after each test. */
export function keepServers(): (server: Listening) => Promise<Connection> {
  const open: TestServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  return async (server) => {
    const opened = await openTestServer(server);
    open.push(opened);
    return opened.connection;
  };
}
