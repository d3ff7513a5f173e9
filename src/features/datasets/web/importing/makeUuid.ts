// Ids for what the service is asked to make. `crypto.randomUUID` is missing on plain-HTTP hosts; getRandomValues is everywhere.

/** A random UUID, version 4 (RFC 9562). */
export function makeUuid(bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(16))): string {
  const hex = Array.from(bytes, (byte, at) => {
    const value = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
