// The start of a remote answer, held in memory while there is room for it: a body that is held whole gets an ETag here,
// and a failure while it comes still has a status of its own.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '#server/service/problem.ts';
import type { Room } from '#server/service/room.ts';
import { toCut, toSilent } from './upstreamFailure.ts';

/** The tree of 100,000 nodes is 22 MB. What is larger, or comes when others fill the room, is passed on as it comes. */
export const ROOM_BYTES = 64 * 1024 * 1024;
export const MAX_HELD_BYTES = 32 * 1024 * 1024;

export interface HeldBody {
  readonly parts: readonly Buffer[];
  /** What was taken of the room; the caller gives it back. */
  readonly bytes: number;
  /** False: the rest is still to come from the remote, which is held back until someone reads on. */
  readonly isWhole: boolean;
  /** A strong ETag over the parts; of use when they are whole. */
  readonly etag: string;
}

export interface HoldOptions {
  readonly room: Room;
  /** How long the remote may send nothing. */
  readonly silenceMs: number;
  /** The remote's origin, for messages. */
  readonly origin: string;
}

/**
 * Throws HttpProblem 502 when the remote falls silent or closes the connection before the end; nothing is taken then.
 */
export function holdBody(answer: IncomingMessage, { room, silenceMs, origin }: HoldOptions): Promise<HeldBody> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let bytes = 0;
  const toHeld = (isWhole: boolean): HeldBody => ({
    parts,
    bytes,
    isWhole,
    etag: `"${hash.digest('base64url').slice(0, 27)}"`,
  });
  if (Number(answer.headers['content-length'] ?? 0) > MAX_HELD_BYTES) return Promise.resolve(toHeld(false));
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => answer.destroy(toSilent(origin, silenceMs)), silenceMs);
    const settle = (): void => {
      clearTimeout(silence);
      answer.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      // A listener must stay: an abort that comes later is an event of the answer, too.
      answer.on('error', () => undefined);
    };
    const onData = (part: Buffer): void => {
      silence.refresh();
      parts.push(part);
      const isHeld = bytes + part.length <= MAX_HELD_BYTES && room.take(part.length);
      if (isHeld) {
        bytes += part.length;
        hash.update(part);
        return;
      }
      answer.pause();
      settle();
      resolve(toHeld(false));
    };
    const onEnd = (): void => {
      settle();
      resolve(toHeld(true));
    };
    const onError = (error: unknown): void => {
      settle();
      room.giveBack(bytes);
      reject(error instanceof HttpProblem ? error : toCut(origin));
    };
    const onClose = (): void => onError(null);
    answer.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
