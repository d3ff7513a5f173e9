// Reads the first line of an exported project's file in the browser.
import { readManifest, type Manifest } from '#features/project-files/shared/transferFile.ts';

const HEAD = 64 * 1024;

async function isPacked(file: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

/** The start of a file's text, unpacked. A part of a packed file ends with an error, after what could be read. */
async function readHead(file: Blob): Promise<string> {
  const head = file.slice(0, HEAD);
  if (!(await isPacked(file))) return head.text();
  const decoder = new TextDecoder();
  const reader = head.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  let text = '';
  try {
    while (!text.includes('\n') && text.length < HEAD) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What was read before counts.
  }
  reader.cancel().catch(() => undefined);
  return text;
}

/** The first line; null: it is no file of a project. Rejects where the browser can't read the file. */
export async function readProjectFile(file: Blob): Promise<Manifest | null> {
  const text = await readHead(file);
  const end = text.indexOf('\n');
  return end < 0 ? null : readManifest(text.slice(0, end));
}
