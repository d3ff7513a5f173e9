// Names of any length as names that fit into an address and still tell themselves apart. Pure.

/** A name and one of its values, both at their longest, fit into one entry of the address (256 characters). */
const MOST = 100;
const TAIL = 10;

/** These take three characters once they are escaped (plots/brush, session/plotChoice). */
const ESCAPED = /[%|=:]/g;

const sizeOf = (text: string): number => text.length + 2 * (text.match(ESCAPED)?.length ?? 0);

/** A number over all of a text (FNV-1a), in a few letters and digits. */
export function toTextSum(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return sum.toString(36);
}

/** The name itself where it is short; else its start and a sum over all of it. A short name's short name is itself. */
export function toShortName(name: string): string {
  const text = name.toWellFormed();
  if (text.length <= MOST && sizeOf(text) <= MOST) return text;
  let start = '';
  let room = MOST - TAIL;
  for (const character of text) {
    room -= sizeOf(character);
    if (room < 0) break;
    start += character;
  }
  return `${start}~${toTextSum(text)}`;
}
