// Makes ids in this browser. `crypto.randomUUID` is missing on plain-HTTP hosts; getRandomValues is everywhere.

/** 80 random bits as text. */
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
