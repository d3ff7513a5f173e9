// How long a service asks to wait before the next try. Source: the official SDKs' rules. Pure.

/** A longer wait is no help unless a person agrees to it. */
const MAX_WAIT_MS = 60_000;

function toWait(ms: number, maxMs: number): number | null {
  return Number.isFinite(ms) && ms > 0 && ms <= maxMs ? ms : null;
}

function parseSeconds(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Number.NaN;
}

/**
 * Parses `retry-after-ms`, then `Retry-After` in seconds or as an HTTP date. Milliseconds; null if absent, invalid,
 * past, or above `maxMs`, 60 s by default. `now`: Unix time in milliseconds.
 */
export function parseRetryAfter(headers: Headers, now: number, maxMs: number = MAX_WAIT_MS): number | null {
  const ms = headers.get('retry-after-ms')?.trim() ?? '';
  const exact = /^\d+(\.\d+)?$/.test(ms) ? toWait(Number(ms), maxMs) : null;
  if (exact !== null) return exact;
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '') return null;
  const seconds = parseSeconds(text);
  // An HTTP date starts with a day's name; Date.parse alone would take "-5" for a year.
  if (Number.isNaN(seconds) && /^[A-Za-z]/.test(text)) return toWait(Date.parse(text) - now, maxMs);
  return toWait(seconds, maxMs);
}
