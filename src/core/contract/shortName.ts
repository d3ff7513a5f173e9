// Shortens names to fit into the address, and keeps different names different. Pure.

/** A name and its value, each of this length, fit into one entry of the address (256 characters). */
const MAX_LENGTH = 100;
/** Room for `~` and the hash. */
const TAIL_LENGTH = 10;

/** These take three characters when escaped (plots/brush, session/plotChoice). */
const ESCAPED = /[%|=:]/g;

const sizeOf = (text: string): number => text.length + 2 * (text.match(ESCAPED)?.length ?? 0);

/** The FNV-1a hash of a text, in a few letters and digits. */
export function toTextHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** A short name stays unchanged. A long one becomes its start and a hash of the whole name. */
export function toShortName(name: string): string {
  const text = name.toWellFormed();
  if (text.length <= MAX_LENGTH && sizeOf(text) <= MAX_LENGTH) return text;
  let start = '';
  let room = MAX_LENGTH - TAIL_LENGTH;
  for (const character of text) {
    room -= sizeOf(character);
    if (room < 0) break;
    start += character;
  }
  return `${start}~${toTextHash(text)}`;
}
