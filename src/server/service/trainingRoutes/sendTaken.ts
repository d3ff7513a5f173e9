// Sends a file of a finished model, while it is read from the disk.
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
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

/** Reads no further than the reader takes. A file that fails on the way cuts the answer off. Throws HttpProblem 404. */
export async function sendTaken(context: RouteContext, content: TakenContent): Promise<Response> {
  const { outgoing } = context.env;
  const isHead = context.req.method === 'HEAD';
  if (content.kind === 'text') {
    const bytes = Buffer.from(content.text);
    outgoing.writeHead(200, toHeaders(content.name, bytes.length));
    outgoing.end(isHead ? undefined : bytes);
    return RESPONSE_ALREADY_SENT;
  }
  // Opened before the headers go out. What is deleted meanwhile is sent whole all the same.
  const file = await open(content.path).catch(() => null);
  if (file === null)
    throw new HttpProblem(404, `The file ${content.name} is gone. Somebody has moved or deleted it.`, {
      param: 'name',
      code: 'file_not_found',
    });
  const { size } = await file.stat();
  outgoing.writeHead(200, toHeaders(content.name, size));
  if (isHead || size === 0) {
    await file.close();
    outgoing.end();
  } else {
    const bytes = file.createReadStream({ end: size - 1 });
    await pipeline(bytes, outgoing).catch(() => outgoing.destroy());
  }
  return RESPONSE_ALREADY_SENT;
}
