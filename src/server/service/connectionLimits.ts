// How many connections there may be, and how long a reader may take nothing of an answer that waits for it. It is
// the one such limit, and holds for every answer, whoever writes it.
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Milliseconds. Node looks at this pace, so a reader is dropped after once to twice this time. */
  readonly stallMs: number;
}

/** A connection costs up to 64 KiB of headers before anything is known of it, and a file descriptor. */
const LIMITS: ConnectionLimits = { maxConnections: 1000, stallMs: 30_000 };

export function limitConnections(server: Server, { maxConnections, stallMs }: ConnectionLimits = LIMITS): void {
  server.maxConnections = maxConnections;
  // Connections that only wait for a next request make room.
  server.on('drop', () => server.closeIdleConnections());
  const running = new WeakMap<Socket, number>();
  const count = (socket: Socket, step: 1 | -1): void => void running.set(socket, (running.get(socket) ?? 0) + step);
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    count(socket, 1);
    outgoing.on('close', () => count(socket, -1));
  });
  // Node calls this after `stallMs` without a byte in either direction; a large write that moves on counts as bytes.
  server.setTimeout(stallMs, (socket) => {
    const isWorking = (running.get(socket) ?? 0) > 0;
    // Nothing waits for the reader: the answer is being made, which may take longer.
    if (isWorking && socket.writableLength === 0) socket.setTimeout(stallMs);
    else socket.destroy();
  });
}
