// How long a service asks to wait before the next try. Source: the official SDKs' rules. Pure.

/** Above this, waiting without a person's say is no help. */
const MAX_WAIT_MS = 60_000;

function toWait(ms: number, most: number): number | null {
  return Number.isFinite(ms) && ms > 0 && ms <= most ? ms : null;
}

function parseSeconds(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Number.NaN;
}

/**
 * Reads `retry-after-ms`, then `Retry-After` in seconds or as an HTTP date. Milliseconds; null when absent, not
 * understood, past, or above `most`, 60 s by default. `now`: Unix time in milliseconds.
 */
export function parseRetryAfter(headers: Headers, now: number, most: number = MAX_WAIT_MS): number | null {
  const ms = headers.get('retry-after-ms')?.trim() ?? '';
  const exact = /^\d+(\.\d+)?$/.test(ms) ? toWait(Number(ms), most) : null;
  if (exact !== null) return exact;
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '') return null;
  const seconds = parseSeconds(text);
  // An HTTP date starts with a day's name; Date.parse alone would take "-5" for a year.
  if (Number.isNaN(seconds) && /^[A-Za-z]/.test(text)) return toWait(Date.parse(text) - now, most);
  return toWait(seconds, most);
}
