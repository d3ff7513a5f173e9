// How long a service asks to wait before the next try. Source: the official SDKs' rules.
// Pure; it must not know what is tried again.

const MAX_WAIT_MS = 60_000;

function toWait(ms: number): number | null {
  return Number.isFinite(ms) && ms > 0 && ms <= MAX_WAIT_MS ? ms : null;
}

function parseSeconds(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Number.NaN;
}

/**
 * Reads `retry-after-ms`, then `Retry-After` in seconds or as an HTTP date. Milliseconds; null when absent, not
 * understood, past, or above 60 s, where waiting without a person's say is no help. `now`: Unix time in milliseconds.
 */
export function parseRetryAfter(headers: Headers, now: number): number | null {
  const ms = headers.get('retry-after-ms')?.trim() ?? '';
  const exact = /^\d+(\.\d+)?$/.test(ms) ? toWait(Number(ms)) : null;
  if (exact !== null) return exact;
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '') return null;
  const seconds = parseSeconds(text);
  // An HTTP date starts with a day's name; Date.parse alone would take "-5" for a year.
  if (Number.isNaN(seconds) && /^[A-Za-z]/.test(text)) return toWait(Date.parse(text) - now);
  return toWait(seconds);
}
