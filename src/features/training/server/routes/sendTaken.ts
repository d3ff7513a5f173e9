// Sends a file of a finished model, while it is read from the disk.
import { open } from 'node:fs/promises';
import { streamFile, type Files } from '#service/files/files.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { RouteContext } from '#service/http/route.ts';
import { sendDownload, type Download } from '#service/http/sendDownload.ts';
import type { TakenContent } from '#features/training/server/serveElsewhere.ts';

type Opened = Omit<Download, 'name'>;

/** What is deleted meanwhile is sent whole all the same. null: there is none. */
async function openNear(path: string): Promise<Opened | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  const { size } = await file.stat();
  return { bytes: size, open: () => file.createReadStream({ end: size - 1 }), close: () => file.close() };
}

async function openFar(path: string, disk: Files): Promise<Opened | null> {
  const found = await disk.find(path);
  if (found?.kind !== 'file') return null;
  return { bytes: found.bytes, open: () => streamFile(disk, found.path, found.bytes) };
}

/** `disk`: asks about a file that may be on a mount that hangs. Throws HttpProblem 404, and Silence. */
export async function sendTaken(context: RouteContext, content: TakenContent, disk?: Files): Promise<Response> {
  const { name } = content;
  if (content.kind === 'text') {
    const { text } = content;
    return sendDownload(context, { name, bytes: Buffer.byteLength(text), open: () => [text] });
  }
  // Opened before the headers go out.
  const file = await (disk ? openFar(content.path, disk) : openNear(content.path));
  if (file !== null) return sendDownload(context, { name, ...file });
  throw new HttpProblem(404, `The file ${name} is gone. Somebody has moved or deleted it.`, {
    param: 'name',
    code: 'file_not_found',
  });
}
