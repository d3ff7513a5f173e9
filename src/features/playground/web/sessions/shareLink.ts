// Encodes a session as compressed JSON in the hash of a link, which browsers never send, and decodes it. The decoder
// doesn't trust the data.
import { failRead, isObject, type Read } from '#core/contract/readJson.ts';
import { SHARE_MARK } from '#ui/address/sharedLink.ts';
import type { Desk, Pane } from '#features/playground/web/desk/desk.ts';
import { parseForeignDesk, toForeignDesk, withoutParked } from '#features/playground/web/storage/sharedSession.ts';
import { writeClipboard } from '#ui/kit/clipboard.ts';
import { showToast } from '#ui/kit/toast.ts';

/** Chat and mail programs cut longer links. In characters, the whole link. */
export const MAX_LINK_CHARACTERS = 32_000;
/** A small link can decompress to a huge text, so reading stops here. */
const MAX_BYTES = 8 * 1024 * 1024;
const VERSION = 1;
const PIECE = 8192;

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return null;
  }
}

/** All bytes of a stream; null as soon as there are more than `most`. Rejects if the stream is damaged. */
async function readBounded(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return null;
    }
    pieces.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The JSON text of a link: the session without closed panes. */
export function toShareText(desk: Desk, hasMessages: boolean): string {
  return JSON.stringify({ v: VERSION, ...toForeignDesk(withoutParked(desk), hasMessages) });
}

/** The hash of the link that holds this text, beginning with `#`. */
export async function toShareHash(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `${SHARE_MARK}${toBase64Url(new Uint8Array(await new Response(packed).arrayBuffer()))}`;
}

const DAMAGED = 'The link is damaged or was cut off. Ask for it again, or for a file.';
async function unpack(hash: string): Promise<Read<unknown>> {
  const packed = fromBase64Url(hash.slice(SHARE_MARK.length));
  if (!packed) return failRead(DAMAGED);
  try {
    const bytes = await readBounded(
      new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')),
      MAX_BYTES,
    );
    if (!bytes) return failRead('The link contains more than 8 MB. Nothing was imported.');
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return failRead(DAMAGED);
  }
}

/** Parses the session in the hash of a link and gives it new ids, or says why it can't. Never rejects. */
export async function parseShareHash(hash: string, makeId: () => string): Promise<Read<Desk>> {
  const json = await unpack(hash);
  if (!json.ok) return json;
  if (!isObject(json.value) || json.value['v'] !== VERSION)
    return failRead('The link comes from another version of the studio. Ask for a file instead.');
  const desk = parseForeignDesk(json.value, '', makeId);
  return desk.ok ? desk : failRead(`The link contains something that can’t be used. ${desk.reason}`);
}

// Words about a link: what it holds, and who can open it. Pure.

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Why a link with this host opens on no other machine, and what to do; null: it may. */
export function toReachNotice(hostname: string): string | null {
  if (!LOOPBACK.test(hostname)) return null;
  return (
    `${hostname} means “this machine”, so nobody can open the link on another one. For others, open this same studio ` +
    'under an address that they can reach (start it with --public-url) and copy the link there, or send a file.'
  );
}

/** The models of the panes by the names that the page shows; a model without a name by its id. */
export const toPaneNames = (panes: readonly Pane[], names: ReadonlyMap<string, string>): string =>
  panes.map(({ model }) => names.get(model) ?? (model || 'no model')).join(', ');

/** Copies a link and says so. False: the browser did not allow it. */
export async function copyLink(link: string): Promise<boolean> {
  const isCopied = await writeClipboard(link);
  if (isCopied) showToast('Copied the link.', { tone: 'success' });
  else
    showToast('The browser did not allow copying. Select the link and copy it with the keyboard.', { tone: 'error' });
  return isCopied;
}
