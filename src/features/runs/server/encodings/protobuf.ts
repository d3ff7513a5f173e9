// Protocol buffers by hand: a cursor over the fields of one message. Wrong bytes end the message, and never throw.

/** Wire types. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

export class FieldCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #end: number;
  /** Number of the field that `next` found. */
  field = 0;
  wire = 0;
  /** A field of bytes: where they start and end. */
  start = 0;
  end = 0;
  /** A varint as a signed number. Beyond 2 ** 53 it loses digits. */
  value = 0;
  /** true: the message ended because its bytes are wrong or cut off. */
  isBroken = false;

  constructor(bytes: Uint8Array, view: DataView, start: number, end: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = start;
    this.#end = end;
  }

  /** Goes on with the message between these places. */
  enter(start: number, end: number): void {
    this.#at = start;
    this.#end = end;
  }

  /** Finds the next field. false: the message is over, or wrong from here on. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    this.isBroken = !this.#readField();
    return !this.isBroken;
  }

  /** The double or float of a fixed field. */
  readFixed(): number {
    return this.wire === FIXED64 ? this.#view.getFloat64(this.start, true) : this.#view.getFloat32(this.start, true);
  }

  #readField(): boolean {
    if (!this.#readVarint()) return false;
    this.wire = this.value & 7;
    this.field = this.value >>> 3;
    if (this.wire === VARINT) return this.#readVarint();
    if (this.wire === BYTES) {
      if (!this.#readVarint() || this.value < 0 || this.value > this.#end - this.#at) return false;
      this.start = this.#at;
      this.end = this.#at + this.value;
      this.#at = this.end;
      return true;
    }
    const size = this.wire === FIXED64 ? 8 : this.wire === FIXED32 ? 4 : 0;
    if (size === 0 || size > this.#end - this.#at) return false;
    this.start = this.#at;
    this.end = this.#at + size;
    this.#at = this.end;
    return true;
  }

  #readVarint(): boolean {
    const bytes = this.#bytes;
    let byte = bytes[this.#at] ?? 0;
    if (byte < 128) {
      this.#at += 1;
      this.value = byte;
      return this.#at <= this.#end;
    }
    let factor = 1;
    let value = 0;
    // Counts the zero bits: a negative number is all ones but a few, and a double can't hold so many.
    let inverse = 0;
    for (let count = 0; count < 10 && this.#at < this.#end; count += 1) {
      byte = bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) {
        this.value = count === 9 ? -inverse - 1 : value;
        return true;
      }
      inverse += (~byte & 127) * factor;
      factor *= 128;
    }
    return false;
  }
}
