// Identifiers that are the same on every machine: RFC 9562 UUIDs of version 5.
import { createHash } from 'node:crypto';

/** Any fixed value: it separates these names from those of other programs. */
const NAMESPACE = Buffer.from('5f1c0d6ab0f64f8e9d5d6c3f8b7a2e41', 'hex');

/** The same name gives the same UUID, in every data folder. */
export function toUuid(name: string, namespace = NAMESPACE): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
