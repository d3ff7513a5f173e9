// Writes a body that is already in memory to Node's own response: not copied, with back-pressure, and with an end
// for a reader that takes nothing.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

export interface Body {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly Buffer[];
  /** After how long a reader that takes nothing is dropped. */
  readonly stallMs: number;
}

/** Larger parts are written in slices, so that a slow reader is told from one that takes nothing. */
const SLICE_BYTES = 256 * 1024;

function* toSlices(parts: readonly Buffer[]): Generator<Buffer, void> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) yield part.subarray(at, at + SLICE_BYTES);
  }
}

/**
 * Drops a reader that takes nothing for `stallMs` while bytes wait for it; a silent remote is not that.
 * Looks now and then instead of setting the socket's timeout, which would be set anew at every chunk.
 */
export function dropStalled(outgoing: ServerResponse, stallMs: number): () => void {
  let seen = -1;
  const timer = setInterval(() => {
    const sent = outgoing.socket?.bytesWritten ?? 0;
    // Not `writableNeedDrain`: that is false once the last part has been handed over.
    if (outgoing.writableLength > 0 && sent === seen) outgoing.destroy();
    seen = sent;
  }, stallMs);
  return () => clearInterval(timer);
}

/** Sends the whole body with its length. Resolves when the reader has it, or has gone. */
export function sendParts(outgoing: ServerResponse, { status, headers, parts, stallMs }: Body): Promise<void> {
  return new Promise((resolve) => {
    const source = Readable.from(toSlices(parts));
    const stopWatching = dropStalled(outgoing, stallMs);
    const finish = (): void => {
      source.destroy();
      stopWatching();
      resolve();
    };
    outgoing.on('close', finish);
    if (outgoing.destroyed) return finish();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    outgoing.writeHead(status, { ...headers, 'Content-Length': String(length) });
    source.pipe(outgoing);
  });
}
