// Takes a key out of text that a remote sent, should the remote have repeated it. Pure.
// It must not know where the text goes.

const MARK = '…';

/** The JSON text in the one way in which JSON.stringify writes it; null for what is no JSON. */
function toPlainJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

/** `text` without `key`, also where JSON escapes hide it (`\/`, `\u0041`); otherwise byte by byte as it was. */
export function redactKey(text: string, key: string): string {
  const redacted = text.replaceAll(key, MARK);
  if (!redacted.includes('\\')) return redacted;
  const plain = toPlainJson(redacted);
  const escaped = JSON.stringify(key).slice(1, -1);
  return plain?.includes(escaped) ? plain.replaceAll(escaped, MARK) : redacted;
}
