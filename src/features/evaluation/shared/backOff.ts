// How long to wait before the next try. Pure.

const FIRST_MS = 2_000;
const MAX_MS = 60_000;
/** Adds up to this share to the time that the service asked for, so that clients don't return all at once. */
const REQUESTED_JITTER = 0.1;

/** Wait before the next try, if the service doesn't say: doubles with each of `tries`, plus or minus a quarter. */
export const toBackOff = (firstMs: number, tries: number, random: number): number =>
  Math.round(Math.min(MAX_MS, firstMs * 2 ** tries) * (0.75 + 0.5 * random));

/** `tries`: waits in vain so far. `requestedMs`: what the service asked for; null: nothing. `random`: from 0 up to 1. */
export const toHoldMs = (requestedMs: number | null, tries: number, random: number): number =>
  requestedMs === null ? toBackOff(FIRST_MS, tries, random) : Math.round(requestedMs * (1 + REQUESTED_JITTER * random));
