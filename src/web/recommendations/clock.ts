// Times of day as shown.

/** `14:02:10` in the person's own time zone; 24 hours so that the width stays. */
export function toClock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
