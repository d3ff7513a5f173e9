// Servers on free ports for tests of requests, for any HTTP server that a test brings. For tests only.
import { createServer, type RequestListener, type Server } from 'node:http';
import { keep } from '#service/files/keep.fixture.ts';
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

/** A connection to what answers so, or to this server, until the test ends. */
export async function connect(answer: RequestListener | Server): Promise<Connection> {
  const opened = await keep(openTestServer(typeof answer === 'function' ? createServer(answer) : answer));
  return opened.connection;
}

/** A connection to what answers each request alike; `asked` collects "METHOD path body". */
export async function connectAlike(status: number, body: unknown) {
  const asked: string[] = [];
  const connection = await connect(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    asked.push(`${request.method} ${request.url} ${text}`.trim());
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { asked, connection };
}
