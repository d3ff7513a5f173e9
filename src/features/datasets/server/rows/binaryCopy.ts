// PostgreSQL's binary form of COPY: a head, tuples of fields with their lengths, an end. Pure.

/** Signature, flags, length of the extension. */
const HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);

function toField(value: number | Uint8Array): Uint8Array {
  if (typeof value !== 'number') return value;
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export const toUuidBytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Numbers are integers of 32 bits. */
export function toCopyTuple(values: readonly (number | Uint8Array)[]): readonly Uint8Array[] {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  return [
    count,
    ...values.flatMap((value) => {
      const field = toField(value);
      return [toField(field.length), field];
    }),
  ];
}

export const toCopyParts = (tuples: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] => [
  HEAD,
  ...tuples.flat(),
  END,
];

/** The fields of each tuple; null where there is none. Throws for bytes that end early. */
export function readCopy(bytes: Buffer): (Buffer | null)[][] {
  const tuples: (Buffer | null)[][] = [];
  let at = HEAD.length + bytes.readInt32BE(HEAD.length - 4);
  for (let count = bytes.readInt16BE(at); count >= 0; count = bytes.readInt16BE(at)) {
    at += 2;
    const fields: (Buffer | null)[] = [];
    for (let field = 0; field < count; field += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      fields.push(length < 0 ? null : bytes.subarray(at, at + length));
      at += Math.max(0, length);
    }
    tuples.push(fields);
  }
  return tuples;
}
