// GPT-2's byte map: byte-level BPE vocabularies write each byte of a piece as one printable character.

function toByteTable(): ReadonlyMap<string, number> {
  const isPrintable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  const table = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    if (isPrintable(byte)) {
      table.set(String.fromCharCode(byte), byte);
    } else {
      table.set(String.fromCharCode(next), byte);
      next += 1;
    }
  }
  return table;
}

const BYTES = toByteTable();

/** The bytes of a vocabulary entry. A character outside the map is encoded as UTF-8. */
export function toPieceBytes(entry: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of entry) {
    const byte = BYTES.get(char);
    if (byte === undefined) bytes.push(...Buffer.from(char, 'utf8'));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
