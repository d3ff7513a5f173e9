// The fields of a protocol buffer in a list: for small records, whose numbers must be exact also below zero.
import { Unreadable } from '#server/runs/reader.ts';

export interface ProtoField {
  readonly number: number;
  /** The value of a number of any width; 0 for bytes. Numbers beyond 2^53 lose digits. */
  readonly value: number;
  /** A text, message or packed list; empty for numbers. */
  readonly bytes: Uint8Array;
}

const EMPTY = new Uint8Array();
const decoder = new TextDecoder();

/** The fields of a message in their order. Throws Unreadable if the bytes are no message. */
export function readFields(message: Uint8Array): readonly ProtoField[] {
  const fields: ProtoField[] = [];
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const readVarint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at];
      if (byte === undefined) throw new Unreadable('A record of the file is cut off');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new Unreadable('A record of the file is damaged');
  };
  const take = (length: number): number => {
    if (length < 0 || at + length > message.length) throw new Unreadable('A record of the file is cut off');
    at += length;
    return at - length;
  };
  while (at < message.length) {
    const tag = readVarint();
    const number = Math.floor(tag / 8);
    const wire = tag & 7;
    if (wire === 0) fields.push({ number, value: readVarint(), bytes: EMPTY });
    else if (wire === 1) fields.push({ number, value: view.getFloat64(take(8), true), bytes: EMPTY });
    else if (wire === 5) fields.push({ number, value: view.getFloat32(take(4), true), bytes: EMPTY });
    else if (wire === 2) {
      const length = readVarint();
      const start = take(length);
      fields.push({ number, value: 0, bytes: message.subarray(start, start + length) });
    } else throw new Unreadable('A record of the file is damaged');
  }
  return fields;
}

export const toProtoText = (field: ProtoField): string => decoder.decode(field.bytes);

/** The text of the last field with this number; '' if there is none, which is how the format writes an empty text. */
export const findText = (fields: readonly ProtoField[], number: number): string => {
  const found = fields.findLast((field) => field.number === number);
  return found ? toProtoText(found) : '';
};

/** The number of the last field with this number; 0 if there is none. */
export const findNumber = (fields: readonly ProtoField[], number: number): number =>
  fields.findLast((field) => field.number === number)?.value ?? 0;

/** The messages in all fields with this number. */
export const findMessages = (fields: readonly ProtoField[], number: number): readonly (readonly ProtoField[])[] =>
  fields.filter((field) => field.number === number).map((field) => readFields(field.bytes));
