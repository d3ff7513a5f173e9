// The HTTP server: it listens, lets the perimeter judge each request first, and hands it to what is ready to answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { toErrorEnvelope } from '#shared/contract/errors.ts';
import { ROUTES } from '#shared/contract/routes.ts';
import { StartError } from '#server/studio/studio.ts';
import type { toApp } from './app.ts';
import { limitConnections, type ConnectionLimits } from './connectionLimits.ts';
import { toHostCheck } from './hosts.ts';
import { admit, answerClientError, type Perimeter } from './perimeter.ts';
import type { Front } from './front.ts';
import { STARTING } from './readiness.ts';

export interface HttpServer {
  readonly server: Server;
  readonly port: number;
  /** The address to open in a browser, without a path: the public one, or that of this machine. */
  readonly origin: string;
  /** From now on requests are answered; before it they get 503. */
  serve(app: ReturnType<typeof toApp>, front: Front): void;
  /** Takes no new connections and waits for running answers; after `graceMs` what is left is cut. */
  close(graceMs: number): Promise<void>;
}

const LISTEN_ERRORS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is already in use. Stop the program that uses it, or choose another port with --port (0 takes ` +
    'a free one).',
  EACCES: (_, port) => `Port ${port} may not be opened by this user. Choose a port from 1024 on with --port.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}. Give one of its own with --host.`,
  ENOTFOUND: (host) =>
    `The host name ${host} is not known. --host is the address to listen on; the name that people open goes into ` +
    '--public-url.',
};

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const known = LISTEN_ERRORS[error.code ?? ''];
      reject(
        new StartError(
          known
            ? known(host, port)
            : `The studio can't listen on ${host} port ${port}: ${error.message}. Check --host and --port.`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

function answerStarting(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1', 'Cache-Control': 'no-store' });
  const isReadiness = incoming.url?.split('?')[0] === ROUTES.ready;
  const refusal = toErrorEnvelope(503, 'The studio is starting. Try again in a moment.', { code: 'starting' });
  outgoing.end(JSON.stringify(isReadiness ? STARTING : refusal));
}

/** Links with hundreds of compared runs are longer than the 16 KiB that Node takes by default. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Milliseconds. Headers come in one piece from honest clients; a proxy keeps its connections, and asks on them as long
 * as it does not see them closed, so they are kept longer than the 60 s that proxies keep theirs.
 */
const REQUEST_TIMES = { keepAliveTimeout: 75_000, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 };

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly random: (bytes: number) => string;
  /** Where people open the studio; null: at the address it listens on. */
  readonly publicUrl?: URL | null;
  readonly limits?: ConnectionLimits;
}

/** Listens at once, so that a port in use is known before anything else is done. Throws StartError. */
export async function openServer(options: ServerOptions): Promise<HttpServer> {
  const { publicUrl = null } = options;
  const perimeter: Perimeter = { isHostAllowed: toHostCheck(options.host, publicUrl), random: options.random };
  let handle = answerStarting;
  // A missing Host header is the perimeter's business: its answer carries the headers, Node's own does not.
  const settings = { requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES, ...REQUEST_TIMES };
  const server = createServer(settings, (incoming, outgoing) => {
    // Without a listener, a write that comes too late would end the process.
    outgoing.on('error', () => outgoing.destroy());
    if (admit(perimeter, incoming, outgoing)) handle(incoming, outgoing);
  });
  server.on('clientError', answerClientError);
  limitConnections(server, options.limits);
  await listen(server, options.host.replace(/^\[|\]$/g, ''), options.port);
  const { port } = server.address() as AddressInfo;
  const isAny = options.host === '0.0.0.0' || options.host === '::';
  return {
    server,
    port,
    origin: publicUrl?.origin ?? `http://${isAny ? '127.0.0.1' : bracketed(options.host)}:${port}`,
    serve(app, front) {
      const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
      const intercept = front.intercept;
      handle = (incoming, outgoing) => {
        if (intercept) intercept(incoming, outgoing, () => void answer(incoming, outgoing));
        else void answer(incoming, outgoing);
      };
    },
    close(graceMs) {
      return new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        // Connections whose last answer ends only now are kept alive by their clients: looked for again and again.
        const sweep = setInterval(() => server.closeIdleConnections(), 20);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          resolve();
        });
      });
    },
  };
}
