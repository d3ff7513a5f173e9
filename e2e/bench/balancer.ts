// A bare balancer: requests go to its services in turn. A service that refuses a connection is passed over. A stream whose
// service ends in the middle gets an error event, as the last thing that can be said in it.
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toErrorEnvelope } from '#core/contract/errors.ts';

export interface Balancer {
  readonly url: string;
  /** Ports of this machine that requests go to from now on. */
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** The port of the service that answered. */
export const SERVED_BY = 'x-served-by';

const GONE = toErrorEnvelope(502, 'The service that answered ended in the middle. Send the request again.', {
  code: 'service_gone',
});

function say(response: ServerResponse, isEvents = false): void {
  if (response.writableEnded) return;
  if (!response.headersSent) {
    response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify(GONE));
  } else if (isEvents) {
    response.end(`event: error\ndata: ${JSON.stringify(GONE)}\n\n`);
  } else response.destroy();
}

export async function openBalancer(): Promise<Balancer> {
  // A connection for each request: one that is kept may be closed by its service just when it is used again.
  const agent = new Agent({ keepAlive: false });
  let ports: readonly number[] = [];
  let turn = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const attempt = (left: number): void => {
      const port = ports[(turn += 1) % ports.length] ?? 0;
      const { method, url, headers } = request;
      const outgoing = httpRequest({ host: '127.0.0.1', port, path: url, method, headers, agent }, (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, { ...incoming.headers, [SERVED_BY]: String(port) });
        const isEvents = incoming.headers['content-type']?.startsWith('text/event-stream') === true;
        incoming.on('error', () => say(response, isEvents));
        incoming.pipe(response, { end: false });
        incoming.on('end', () => response.end());
        response.on('close', () => incoming.destroy());
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && left > 1) attempt(left - 1);
        else say(response);
      });
      outgoing.end(Buffer.concat(parts));
    };
    attempt(ports.length);
  }

  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(next) {
      ports = next;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
