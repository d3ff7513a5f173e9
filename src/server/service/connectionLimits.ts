// Limits the number of connections, and how long a reader may take nothing of an answer that waits for it. No other
// file limits such readers: this covers every answer, whoever writes it.
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Milliseconds. Node checks at this interval, so a reader is dropped after one to two intervals. */
  readonly stallMs: number;
}

/** Before it has sent a request, a connection costs a file descriptor and up to 64 KiB of headers. */
const LIMITS: ConnectionLimits = { maxConnections: 1000, stallMs: 30_000 };

export function limitConnections(server: Server, { maxConnections, stallMs }: ConnectionLimits = LIMITS): void {
  server.maxConnections = maxConnections;
  // Idle connections make room for new ones.
  server.on('drop', () => server.closeIdleConnections());
  const running = new WeakMap<Socket, number>();
  const count = (socket: Socket, step: 1 | -1): void => void running.set(socket, (running.get(socket) ?? 0) + step);
  server.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    count(socket, 1);
    outgoing.on('close', () => count(socket, -1));
  });
  // Node calls this after `stallMs` without a byte in either direction; progress of a large write counts as bytes.
  server.setTimeout(stallMs, (socket) => {
    const isWorking = (running.get(socket) ?? 0) > 0;
    // No bytes wait for the reader: the answer is still being made, which may take longer.
    if (isWorking && socket.writableLength === 0) socket.setTimeout(stallMs);
    else socket.destroy();
  });
}
