// Codes that sign in once, shortly after they were made: the page that `--open` writes to disk holds one, not the
// token.

export interface OpeningCodes {
  make(): string;
  /** True for a code that is still good; it is used up by that. */
  take(code: string): boolean;
}

/** A slow machine may take this long to open its browser. */
const LIFE_MS = 5 * 60_000;

export function openOpeningCodes(now: () => number, random: (bytes: number) => string): OpeningCodes {
  const ends = new Map<string, number>();
  return {
    make() {
      const code = random(32);
      ends.set(code, now() + LIFE_MS);
      return code;
    },
    take(code) {
      const end = ends.get(code);
      ends.delete(code);
      return end !== undefined && now() < end;
    },
  };
}
