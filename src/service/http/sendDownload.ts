// Sends a file to save, no faster than their reader takes them.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RouteContext } from './route.ts';

export interface Download {
  readonly name: string;
  readonly type?: string;
  /** Where they are known, an answer that is cut off is seen by its length. */
  readonly bytes?: number;
  /** Called at most once. */
  readonly open: () => AsyncIterable<Uint8Array | string> | readonly string[];
  /** Called at the end, also where nothing was read. */
  readonly close?: () => Promise<void>;
}

/** What fails on the way, or a reader that leaves, cuts the answer off. */
export async function sendDownload(
  context: RouteContext,
  { name, type = 'application/octet-stream', bytes, open, close }: Download,
): Promise<Response> {
  const { outgoing } = context.env;
  try {
    outgoing.writeHead(200, {
      'Content-Type': type,
      ...(bytes !== undefined && { 'Content-Length': bytes }),
      'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-')}"`,
      'Cache-Control': 'private, no-cache',
    });
    if (context.req.method === 'HEAD' || bytes === 0) outgoing.end();
    else await pipeline(Readable.from(open(), { objectMode: false }), outgoing).catch(() => outgoing.destroy());
  } finally {
    await close?.();
  }
  return RESPONSE_ALREADY_SENT;
}
