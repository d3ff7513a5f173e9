// What the first bytes of a file say about its form, and where bytes stop being UTF-8. Pure.

/** How many first bytes `findRefusal` needs. */
export const HEAD_BYTES = 4;

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte);

/** The texts `{"` and `[{` have a zero beside each letter in UTF-16, and three in UTF-32. */
const isWide = (bytes: Uint8Array): boolean => {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if (bytes.length < 2) return false;
  const isLittle = a !== 0 && b === 0 && (bytes.length < 4 || d === 0);
  const isBig = a === 0 && (b !== 0 || c === 0) && (bytes.length < 4 || d !== 0);
  return isLittle || isBig;
};

const SAVE_AS_UTF8 =
  'Save the file as UTF-8, for example with "iconv -f UTF-16 -t UTF-8 OLD.jsonl > NEW.jsonl", and send the new file.';

/** The first bytes of files that people send by mistake, and what to do instead. */
const OTHER_FILES: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], 'The file is compressed with gzip. Unpack it, for example with gunzip, and send the JSONL file.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'The file is compressed with zstd. Unpack it with unzstd and send the JSONL file.'],
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a ZIP archive or a spreadsheet. Unpack it, or export it as JSONL.'],
  [[0x50, 0x41, 0x52, 0x31], 'The file is in Parquet. Export it as JSONL: one JSON object a line.'],
];

/** Why a file can't be read as lines of UTF-8 text, and what to do; null if it may be one. `head`: its first bytes. */
export function findRefusal(head: Uint8Array): string | null {
  if (startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff]))
    return `The file is UTF-16, and rows are read as UTF-8. ${SAVE_AS_UTF8}`;
  const other = OTHER_FILES.find(([start]) => startsWith(head, start));
  if (other) return other[1];
  return isWide(head) ? `The file looks like UTF-16, and rows are read as UTF-8. ${SAVE_AS_UTF8}` : null;
}

/** The range of the second byte of a sequence, which excludes overlong forms, surrogates and code points too large. */
function toSecondRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

/** How many bytes follow a lead byte; -1: no sequence starts with it. */
function toFollowing(lead: number): number {
  if (lead < 0x80) return 0;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}

/** The place of the first byte that starts no whole UTF-8 sequence; -1 if all bytes are UTF-8 (WHATWG Encoding). */
export function findUtf8Fault(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const following = toFollowing(lead);
    if (following < 0) return at;
    const [low, high] = toSecondRange(lead);
    for (let next = 1; next <= following; next += 1) {
      const byte = bytes[at + next] ?? 0;
      if (byte < (next === 1 ? low : 0x80) || byte > (next === 1 ? high : 0xbf)) return at;
    }
    at += following + 1;
  }
  return -1;
}
