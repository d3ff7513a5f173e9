// Sends a file of a finished model, while it is read from the disk.
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { streamFile, type Files } from '#server/files/files.ts';
import { HttpProblem } from '#server/service/problem.ts';
import type { RouteContext } from '#server/service/route.ts';
import type { TakenContent } from '#server/training/takeAway.ts';

/** Of this model's files, whose names are made of letters, digits and `._-`. */
const toHeaders = (name: string, bytes: number): Record<string, string | number> => ({
  'Content-Type': 'application/octet-stream',
  'Content-Length': bytes,
  'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}"`,
  'Cache-Control': 'private, no-cache',
});

/** Reads no further than the reader takes. */
interface Opened {
  readonly bytes: number;
  readonly stream: () => Readable;
  readonly close: () => Promise<void>;
}

/** What is deleted meanwhile is sent whole all the same. null: there is none. */
async function openNear(path: string): Promise<Opened | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  const { size } = await file.stat();
  return { bytes: size, stream: () => file.createReadStream({ end: size - 1 }), close: () => file.close() };
}

async function openFar(path: string, disk: Files): Promise<Opened | null> {
  const found = await disk.find(path);
  if (found?.kind !== 'file') return null;
  const stream = (): Readable => Readable.from(streamFile(disk, found.path, found.bytes), { objectMode: false });
  return { bytes: found.bytes, stream, close: async () => undefined };
}

/**
 * A file that fails on the way cuts the answer off. `disk`: asks about a file that may be on a mount that hangs. Throws
 * HttpProblem 404, and Silence.
 */
export async function sendTaken(context: RouteContext, content: TakenContent, disk?: Files): Promise<Response> {
  const { outgoing } = context.env;
  const isHead = context.req.method === 'HEAD';
  if (content.kind === 'text') {
    const bytes = Buffer.from(content.text);
    outgoing.writeHead(200, toHeaders(content.name, bytes.length));
    outgoing.end(isHead ? undefined : bytes);
    return RESPONSE_ALREADY_SENT;
  }
  // Opened before the headers go out.
  const file = await (disk ? openFar(content.path, disk) : openNear(content.path));
  if (file === null)
    throw new HttpProblem(404, `The file ${content.name} is gone. Somebody has moved or deleted it.`, {
      param: 'name',
      code: 'file_not_found',
    });
  outgoing.writeHead(200, toHeaders(content.name, file.bytes));
  if (isHead || file.bytes === 0) {
    await file.close();
    outgoing.end();
  } else {
    await pipeline(file.stream(), outgoing).catch(() => outgoing.destroy());
  }
  return RESPONSE_ALREADY_SENT;
}
