// Limits the number of connections, how long a reader may take nothing, or little, of an answer that waits for it, and how
// long a sender may be silent within a body. No other file limits these: this covers every request, whoever answers it.
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /**
   * Milliseconds. Node checks at this interval: a reader is dropped after one to two intervals, a sender after two
   * without a byte.
   */
  readonly stallMs: number;
  /** Bytes that a reader has to take while an answer waits for it in ten intervals, one after the other. */
  readonly paceBytes?: number;
}

/** Before it has sent a request, a connection costs a file descriptor and up to 64 KiB of headers. */
const LIMITS: ConnectionLimits = { maxConnections: 1000, stallMs: 30_000 };
/** A kilobyte a second: the slowest mobile networks give several. */
const PACE_BYTES = 300 * 1024;
const PACE_ROUNDS = 10;

/** What is known of a connection that has sent a request. */
interface Work {
  /** Requests that are being answered. */
  running: number;
  latest: IncomingMessage;
  /** The bytes that had come when the sender was last found silent. */
  silentAt: number | null;
  /** For how many rounds an answer has waited for its reader, and what that had taken at the first. */
  behind: { rounds: number; readonly taken: number } | null;
}

/** The rest of a body is waited for. A full buffer means that the service is slow, and the sender can't go on. */
const isSenderAwaited = ({ latest }: Work): boolean =>
  !latest.complete && latest.readableLength < latest.readableHighWaterMark;

/** Whether an answer waits for a reader who took too little in the last rounds. Call it once a round. */
function isTooSlow({ bytesWritten, writableLength }: Socket, work: Work, paceBytes: number): boolean {
  const taken = bytesWritten - writableLength;
  if (writableLength === 0) work.behind = null;
  else if (work.behind === null) work.behind = { rounds: 0, taken };
  else work.behind.rounds += 1;
  if (work.behind === null || work.behind.rounds < PACE_ROUNDS) return false;
  const isSlow = taken - work.behind.taken < paceBytes;
  work.behind = null;
  return isSlow;
}

export function limitConnections(
  server: Server,
  { maxConnections, stallMs, paceBytes = PACE_BYTES }: ConnectionLimits = LIMITS,
): void {
  server.maxConnections = maxConnections;
  // Idle connections make room for new ones.
  server.on('drop', () => server.closeIdleConnections());
  const known = new Map<Socket, Work>();
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    const work = known.get(socket) ?? { running: 0, latest: incoming, silentAt: null, behind: null };
    if (!known.has(socket)) socket.once('close', () => known.delete(socket));
    known.set(socket, work);
    work.latest = incoming;
    work.running += 1;
    outgoing.on('close', () => (work.running -= 1));
  });
  const rounds = setInterval(() => {
    for (const [socket, work] of known) if (isTooSlow(socket, work, paceBytes)) socket.destroy();
  }, stallMs);
  rounds.unref();
  server.once('close', () => clearInterval(rounds));
  /** Whether a connection without a byte in either direction may stay for another interval. */
  const mayStay = (socket: Socket): boolean => {
    const work = known.get(socket);
    // Bytes that wait: the reader takes none of them.
    if (!work || work.running === 0 || socket.writableLength > 0) return false;
    const wasSilent = work.silentAt === socket.bytesRead;
    const isSilent = isSenderAwaited(work);
    work.silentAt = isSilent ? socket.bytesRead : null;
    return !(isSilent && wasSilent);
  };
  // Node calls this after `stallMs` without a byte in either direction; progress of a large write counts as bytes.
  server.setTimeout(stallMs, (socket) => {
    if (mayStay(socket)) socket.setTimeout(stallMs);
    else socket.destroy();
  });
}
