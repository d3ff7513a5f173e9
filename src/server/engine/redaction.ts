// Takes a key out of text that a remote sent, should the remote have repeated it: engines behind --engine and the
// gateway's remote studio. Pure.

const MARK = '…';

/** The JSON text in the one way in which JSON.stringify writes it; null for what is no JSON. */
function toPlainJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Shorter pieces would be found in text that has nothing to do with the key. */
const MIN_ENCODED = 8;

/**
 * The part of base64 that is the same whatever stands around the key: its first and last characters also hold bits of
 * their neighbours, so for each of the three places in a group of bytes it is another text.
 */
function toBase64Cores(key: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const first = Math.ceil((before * 8) / 6);
    return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
  });
}

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Finds the key as it is, with any of its bytes as `%41`, and in base64 (also of a longer text that holds it). */
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

/** Made once for each key: a process has one or two. */
function patternOf(key: string): RegExp {
  const pattern = patterns.get(key) ?? toPattern(key);
  patterns.set(key, pattern);
  return pattern;
}

/**
 * `text` without `key`: plain, URL-encoded, in base64, and where JSON escapes hide any of these (`\/`, `\u0041`);
 * otherwise byte by byte as it was.
 */
export function redactKey(text: string, key: string): string {
  const redacted = text.replaceAll(patternOf(key), MARK);
  if (!redacted.includes('\\')) return redacted;
  const plain = toPlainJson(redacted);
  const escaped = JSON.stringify(key).slice(1, -1);
  const cleaned = plain?.replaceAll(escaped, MARK).replaceAll(patternOf(key), MARK);
  return cleaned === undefined || cleaned === plain ? redacted : cleaned;
}
