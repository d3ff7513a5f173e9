// Numbers, durations and ids as people read them. Pure; the locale is fixed so that columns line up everywhere.
import { toNumberText } from '#core/contract/numberNotation.ts';

/**
 * A formatter or collator of the language that is made at its first use, not while code loads: the first one of a page
 * takes as long as all of the page's code to start.
 */
export function makeOnce<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

const THOUSANDS = /\B(?=(?:\d{3})+$)/g;
const fractions = makeOnce(() => new Intl.NumberFormat('en-US'));

/** 2200 -> "2,200". Fractions are kept: a service may send any number. */
export function formatCount(n: number): string {
  if (Number.isSafeInteger(n)) return String(n).replace(THOUSANDS, ',');
  return fractions().format(n);
}

const GROUPED_BELOW = 1e9;

/** "2,200"; a fraction or a number too long to read keeps its own shortest form, so that no digit is lost. */
export function toCountText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < GROUPED_BELOW ? formatCount(value) : String(value);
}

/** 1 -> "1 row", 2200 -> "2,200 rows"; for nouns whose plural is made with an s. */
export function formatCounted(n: number, noun: string): string {
  return `${formatCount(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** A rate or multiplier: 0.00002 -> "2e-5", 0.25 -> "0.25". */
export const formatRate = (rate: number): string => toNumberText(rate);

/** Milliseconds -> "21 ms", "1.2 s", "48 s", "3 min 05 s", "2 h 07 min". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** How long ago, in one unit: "now", "2 s ago", "5 min ago", "3 h ago", "4 d ago". */
export function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

const toTwo = (n: number): string => String(n).padStart(2, '0');

/** `14:02` in the person's own time zone; 24 hours so that the width stays. `at`: Unix milliseconds. */
export function formatMinute(at: number): string {
  if (Number.isNaN(at)) return 'unknown';
  const time = new Date(at);
  return `${toTwo(time.getHours())}:${toTwo(time.getMinutes())}`;
}

/** `14:02:10`, like formatMinute. */
export const formatClock = (at: number): string =>
  Number.isNaN(at) ? 'unknown' : `${formatMinute(at)}:${toTwo(new Date(at).getSeconds())}`;

/** `2026-11-28 14:02`, like formatMinute. */
export function formatMoment(at: number): string {
  if (Number.isNaN(at)) return 'unknown';
  const day = new Date(at);
  return `${day.getFullYear()}-${toTwo(day.getMonth() + 1)}-${toTwo(day.getDate())} ${formatMinute(at)}`;
}

/** "6f0c4a12-…-91ab" -> "6f0c…91ab"; an id that is short already stays. */
export function shortId(uuid: string): string {
  return uuid.length > 12 ? `${uuid.slice(0, 4)}…${uuid.slice(-4)}` : uuid;
}
