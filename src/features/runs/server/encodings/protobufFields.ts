// The fields of a small protobuf message, all at once: for records of trackers, of which there are few.
import { Unreadable } from '#features/runs/server/reader.ts';
import { BYTES, FieldCursor, VARINT } from './protobuf.ts';

const EMPTY = new Uint8Array();
const decoder = new TextDecoder();

export interface ProtoField {
  readonly number: number;
  /** The value of a number of any width; 0 for bytes. Numbers beyond 2^53 lose digits. */
  readonly value: number;
  /** A text, message or packed list; empty for numbers. */
  readonly bytes: Uint8Array;
}

/** The fields of a message in their order. Throws Unreadable if the bytes are no message. */
export function readFields(message: Uint8Array): readonly ProtoField[] {
  const fields: ProtoField[] = [];
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const cursor = new FieldCursor(message, view, 0, message.length);
  while (cursor.next()) {
    const { field: number, wire } = cursor;
    if (wire === BYTES) fields.push({ number, value: 0, bytes: message.subarray(cursor.start, cursor.end) });
    else fields.push({ number, value: wire === VARINT ? cursor.value : cursor.readFixed(), bytes: EMPTY });
  }
  if (cursor.isBroken) throw new Unreadable('A record of the file is damaged or cut off');
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
