// Writes a body from memory to Node's own response, without a copy and with back-pressure.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

export interface Body {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly Buffer[];
}

/** Larger parts are written in slices: connectionLimits.ts can then tell a slow reader from one that takes nothing. */
const SLICE_BYTES = 256 * 1024;

function* toSlices(parts: readonly Buffer[]): Generator<Buffer, void> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) yield part.subarray(at, at + SLICE_BYTES);
  }
}

/** Sends the whole body with its length. Resolves when the reader has it or has left. */
export function sendParts(outgoing: ServerResponse, { status, headers, parts }: Body): Promise<void> {
  return new Promise((resolve) => {
    const source = Readable.from(toSlices(parts));
    const finish = (): void => {
      source.destroy();
      resolve();
    };
    outgoing.on('close', finish);
    if (outgoing.destroyed) return finish();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    outgoing.writeHead(status, { ...headers, 'Content-Length': String(length) });
    source.pipe(outgoing);
  });
}
