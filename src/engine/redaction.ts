// Removes a key from text that a remote server sent: the server may repeat the key that it received. For engines behind
// --engine and for the gateway's remote studio. Pure.

import { parseJson } from '#core/contract/readJson.ts';
const MARK = '…';

/** The JSON text as JSON.stringify writes it; null if it is not JSON. */
function toPlainJson(text: string): string | null {
  return JSON.stringify(parseJson(text)) ?? null;
}

/** Shorter pieces would match text that has nothing to do with the key. */
const MIN_ENCODED = 8;

/**
 * The part of the key's base64 that doesn't depend on the text around the key. The first and last characters also have
 * bits of their neighbours, and each of the three positions in a group of bytes gives another text.
 */
function toBase64Cores(key: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const first = Math.ceil((before * 8) / 6);
    return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
  });
}

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Finds the key as plain text, with any of its bytes as `%41`, and in base64 (also within a longer text). */
function toPattern(key: string): RegExp {
  const bytes = [...Buffer.from(key)].map((byte) => {
    const hex = byte
      .toString(16)
      .padStart(2, '0')
      .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return byte < 0x80 ? `(?:${escapeRegExp(String.fromCharCode(byte))}|%${hex})` : `%${hex}`;
  });
  const cores = toBase64Cores(key)
    .filter((core) => core.length >= MIN_ENCODED)
    .map((core) => escapeRegExp(core).replaceAll('\\+', '[+\\-]').replaceAll('\\/', '[\\/_]'));
  return new RegExp([escapeRegExp(key), bytes.join(''), ...cores].join('|'), 'g');
}

const patterns = new Map<string, RegExp>();

/** Each pattern is made once: a process has one or two keys. */
function findPattern(key: string): RegExp {
  const pattern = patterns.get(key) ?? toPattern(key);
  patterns.set(key, pattern);
  return pattern;
}

/**
 * `text` without `key`: plain, URL-encoded, in base64, and where JSON escapes hide any of these (`\/`, `\u0041`).
 * The rest stays unchanged, byte by byte.
 */
export function redactKey(text: string, key: string): string {
  const redacted = text.replaceAll(findPattern(key), MARK);
  if (!redacted.includes('\\')) return redacted;
  const plain = toPlainJson(redacted);
  const escaped = JSON.stringify(key).slice(1, -1);
  const cleaned = plain?.replaceAll(escaped, MARK).replaceAll(findPattern(key), MARK);
  return cleaned === undefined || cleaned === plain ? redacted : cleaned;
}
