// Reports a started answer that receives no data: a half-open connection looks like a model that thinks. It is only
// reported, never stopped, because a model may take its time. Pure.
import { formatDuration } from '#ui/kit/format.ts';

/** Services send a keep-alive every 15 s, which is no part of the answer. Silence is reported after twice that time. */
const QUIET_MS = 30_000;

/** "Nothing for 34 s"; null while data arrives. `arrivals`: when data of each answer last arrived, in Unix milliseconds. */
export function toQuietText(arrivals: readonly number[], now: number): string | null {
  const quiet = arrivals.map((at) => now - at).filter((ms) => ms >= QUIET_MS);
  if (quiet.length === 0) return null;
  const time = formatDuration(Math.floor(Math.min(...quiet) / 1000) * 1000);
  return quiet.length === arrivals.length
    ? `Nothing for ${time}`
    : `${quiet.length} of ${arrivals.length}: nothing for ${time}`;
}
