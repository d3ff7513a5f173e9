// The HTTP server: it listens, lets the perimeter judge each request first, and hands it to the app once that is ready.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { toErrorEnvelope } from '#core/contract/errors.ts';
import { StartError } from '#service/database/startError.ts';
import type { toApp } from './app.ts';
import { limitConnections, type ConnectionLimits } from '#service/http/connectionLimits.ts';
import { dropUnread } from '#service/http/body.ts';
import { toHostCheck } from '#service/http/allowedHosts.ts';
import { admit, answerClientError, type Perimeter } from '#service/http/perimeter.ts';
import type { Front } from '#service/http/dashboardFiles.ts';
import { STARTING } from './readiness.ts';

export interface HttpServer {
  readonly server: Server;
  readonly port: number;
  /** The address to open in a browser, without a path: the public one or this machine's. */
  readonly origin: string;
  /** Starts to answer requests; until then they get 503. */
  serve(app: ReturnType<typeof toApp>, front: Front): void;
  /** Takes no new connections and waits for running answers; cuts those that still run after `graceMs`. */
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

/** Throws StartError, whose cause is the code of the failure. */
export function listen(server: Pick<Server, 'once' | 'listen'>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const text =
        LISTEN_ERRORS[code]?.(host, port) ??
        `The studio can't listen on ${host} port ${port}: ${message}. Check --host and --port.`;
      reject(new StartError(text, { cause: code }));
    });
    server.listen(port, host, resolve);
  });
}

/** For a person who opened the page: the browser asks again each second, without a script. */
const STARTING_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="1"><title>Model Studio</title>' +
  '<h1>The studio is starting</h1><p>The page opens by itself in a moment.</p></html>';

function answerStarting(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.method === 'GET' && incoming.headers.accept?.includes('text/html')) {
    outgoing.writeHead(503, {
      'Content-Type': 'text/html; charset=utf-8',
      'Retry-After': '1',
      'Cache-Control': 'no-store',
    });
    outgoing.end(STARTING_PAGE);
    return;
  }
  outgoing.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1', 'Cache-Control': 'no-store' });
  const isReadiness = incoming.url?.split('?')[0] === '/readyz';
  const refusal = toErrorEnvelope(503, 'The studio is starting. Try again in a moment.', { code: 'starting' });
  outgoing.end(JSON.stringify(isReadiness ? STARTING : refusal));
}

/** Links with hundreds of compared runs are longer than Node's default of 16 KiB. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Milliseconds. Honest clients send their headers in one piece. An upload may take hours; who stalls is dropped
 * (connectionLimits.ts). Proxies keep a connection for 60 s and reuse it until they see it closed, so connections are kept
 * longer than that.
 */
const REQUEST_TIMES = {
  keepAliveTimeout: 75_000,
  headersTimeout: 20_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
};

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly random: (bytes: number) => string;
  /** The address that people open; null: the one it listens on. */
  readonly publicUrl?: URL | null;
  readonly limits?: ConnectionLimits;
}

/** Listens at once, so that a port in use is noticed before anything else starts. Throws StartError. */
export async function openServer(options: ServerOptions): Promise<HttpServer> {
  const { publicUrl = null } = options;
  const perimeter: Perimeter = { isHostAllowed: toHostCheck(options.host, publicUrl), random: options.random };
  let handle = answerStarting;
  // The perimeter refuses a missing Host header: its answer carries the security headers, Node's own does not.
  const settings = { requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES, ...REQUEST_TIMES };
  const server = createServer(settings, (incoming, outgoing) => {
    // Without a listener, a write to a closed connection would end the process.
    outgoing.on('error', () => outgoing.destroy());
    dropUnread({ incoming, outgoing });
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
      const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, autoCleanupIncoming: false });
      const intercept = front.intercept;
      handle = (incoming, outgoing) => {
        if (intercept) intercept(incoming, outgoing, () => void answer(incoming, outgoing));
        else void answer(incoming, outgoing);
      };
    },
    close(graceMs) {
      return new Promise((resolve) => {
        const forceClose = setTimeout(() => server.closeAllConnections(), graceMs);
        // A connection becomes idle when its last answer ends, and its client keeps it alive: so check again and again.
        const sweep = setInterval(() => server.closeIdleConnections(), 20);
        server.close(() => {
          clearTimeout(forceClose);
          clearInterval(sweep);
          resolve();
        });
      });
    },
  };
}
