// Buffers a remote answer within a memory budget. A body that is buffered whole gets an ETag here, and a failure
// before its end still gets an HTTP status.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { MemoryBudget } from '#service/http/memoryBudget.ts';
import { toCut, toSilent } from './upstreamFailure.ts';

/** The tree of 100,000 nodes has 22 MB. A larger body, or one that exceeds the shared budget, is piped through. */
export const BUDGET_BYTES = 64 * 1024 * 1024;
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;

export interface BufferedBody {
  readonly parts: readonly Buffer[];
  /** Bytes reserved in the budget; the caller releases them. */
  readonly bytes: number;
  /** False: the rest is still to come; the remote is paused until someone reads on. */
  readonly isWhole: boolean;
  /** A strong ETag over the parts; useful only when they are whole. */
  readonly etag: string;
}

export interface BufferOptions {
  readonly budget: MemoryBudget;
  /** How long the remote may send nothing. */
  readonly silenceMs: number;
  /** The remote's origin, for messages. */
  readonly origin: string;
}

/** Throws HttpProblem 502 when the remote falls silent or closes early, and then gives its bytes back to the budget. */
export function bufferBody(
  answer: IncomingMessage,
  { budget, silenceMs, origin }: BufferOptions,
): Promise<BufferedBody> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let bytes = 0;
  const toBuffered = (isWhole: boolean): BufferedBody => ({
    parts,
    bytes,
    isWhole,
    etag: `"${hash.digest('base64url').slice(0, 27)}"`,
  });
  if (Number(answer.headers['content-length'] ?? 0) > MAX_BUFFERED_BYTES) return Promise.resolve(toBuffered(false));
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => answer.destroy(toSilent(origin, silenceMs)), silenceMs);
    const settle = (): void => {
      clearTimeout(silence);
      answer.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      // Keep an error listener: a later abort emits an error on the answer too.
      answer.on('error', () => undefined);
    };
    const onData = (part: Buffer): void => {
      silence.refresh();
      parts.push(part);
      const fits = bytes + part.length <= MAX_BUFFERED_BYTES && budget.reserve(part.length);
      if (fits) {
        bytes += part.length;
        hash.update(part);
        return;
      }
      answer.pause();
      settle();
      resolve(toBuffered(false));
    };
    const onEnd = (): void => {
      settle();
      resolve(toBuffered(true));
    };
    const onError = (error: unknown): void => {
      settle();
      budget.release(bytes);
      reject(error instanceof HttpProblem ? error : toCut(origin));
    };
    const onClose = (): void => onError(null);
    answer.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
