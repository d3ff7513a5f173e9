// When an answer that has begun brings nothing more: a connection that is half gone looks like one that thinks.
// Said, and never acted on: a model may take its time. Pure.
import { formatDuration } from '#web/ui/format.ts';

/** Services send a sign of life each 15 s that is no part of the answer; twice that without a word is worth telling. */
const QUIET_MS = 30_000;

/**
 * "Nothing for 34 s"; null while something comes. `heard`: when each answer was last heard of, in Unix milliseconds.
 */
export function toQuietText(heard: readonly number[], now: number): string | null {
  const quiet = heard.map((at) => now - at).filter((ms) => ms >= QUIET_MS);
  if (quiet.length === 0) return null;
  const time = formatDuration(Math.floor(Math.min(...quiet) / 1000) * 1000);
  return quiet.length === heard.length
    ? `Nothing for ${time}`
    : `${quiet.length} of ${heard.length}: nothing for ${time}`;
}
