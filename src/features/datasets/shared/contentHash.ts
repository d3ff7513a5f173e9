// A 64-bit hash of texts: MurmurHash3 (x86, 128 bits, seed 0), of which the first 64 bits are used. It needs 32-bit
// steps only, so plain JavaScript is quick. It is no protection against people who make collisions on purpose.
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

const encoder = new TextEncoder();
let bytes = new Uint8Array(64 * 1024);
let view = new DataView(bytes.buffer);
/** A large text doesn't keep its memory. */
const KEPT_BYTES = 1024 * 1024;

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** The last step of MurmurHash3: each bit of the result depends on each bit of `value`. May be negative. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const toHex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** Fills `bytes` with the text in UTF-8. Returns how many there are. */
function fill(text: string): number {
  const needed = text.length * 3;
  if (needed > bytes.length || (bytes.length > KEPT_BYTES && needed < KEPT_BYTES)) {
    bytes = new Uint8Array(Math.max(needed, 64 * 1024));
    view = new DataView(bytes.buffer);
  }
  return encoder.encodeInto(text, bytes).written;
}

const BLOCK = 16;
/** The last bytes, filled with zeros, which leave a hash unchanged. */
const tail = new DataView(new ArrayBuffer(BLOCK));

/** The two halves of a hash, 32 bits each. */
export type HashWords = Int32Array<ArrayBuffer>;

/** Gives `result` the hash of the text whose UTF-8 bytes are from `from` to `to`. */
export function hashBytes(memory: DataView, from: number, to: number, result: HashWords): void {
  const length = to - from;
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  const whole = to - (length % BLOCK);
  for (let at = from; at < whole; at += BLOCK) {
    h1 ^= Math.imul(rotate(Math.imul(memory.getInt32(at, true), C1), 15), C2);
    h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
    h2 ^= Math.imul(rotate(Math.imul(memory.getInt32(at + 4, true), C2), 16), C3);
    h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
    h3 ^= Math.imul(rotate(Math.imul(memory.getInt32(at + 8, true), C3), 17), C4);
    h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
    h4 ^= Math.imul(rotate(Math.imul(memory.getInt32(at + 12, true), C4), 18), C1);
    h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
  }
  for (let at = 0; at < BLOCK; at += 1) tail.setUint8(at, whole + at < to ? memory.getUint8(whole + at) : 0);
  h4 ^= Math.imul(rotate(Math.imul(tail.getInt32(12, true), C4), 18), C1);
  h3 ^= Math.imul(rotate(Math.imul(tail.getInt32(8, true), C3), 17), C4);
  h2 ^= Math.imul(rotate(Math.imul(tail.getInt32(4, true), C2), 16), C3);
  h1 ^= Math.imul(rotate(Math.imul(tail.getInt32(0, true), C1), 15), C2);
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = mix(h1);
  h2 = mix(h2);
  result[0] = h1 + h2 + mix(h3) + mix(h4);
  result[1] = h2 + result[0];
}

const words: HashWords = new Int32Array(2);

/**
 * 16 hexadecimal digits for the UTF-8 bytes of a text. Lone surrogates count as U+FFFD, but the JSON text of a row
 * has them as escapes, so rows that differ in them have different hashes.
 */
export function toContentHash(text: string): string {
  const length = fill(text);
  hashBytes(view, 0, length, words);
  return toHex(words[0] ?? 0) + toHex(words[1] ?? 0);
}

/** White space at the ends of a message asks nothing else. */
const toTrimmed = (message: RowMessage): RowMessage => {
  const trimmed = message.content?.trim() ?? null;
  return trimmed === message.content ? message : { ...message, content: trimmed };
};

/**
 * The hash of all of a row but its last assistant message: rows with the same one ask the same. A row without an
 * answer is all question.
 */
export function toQuestionHash({ messages, tools, chosen, completion }: ChatRow): string {
  // The messages of a pair are its prompt.
  const answer = chosen || completion ? -1 : messages.findLastIndex(({ role }) => role === 'assistant');
  const question = messages
    .flatMap((message, at) => (at === answer ? [] : [JSON.stringify(toTrimmed(message))]))
    .join();
  return toContentHash(tools ? `${question};${JSON.stringify(tools)}` : question);
}
