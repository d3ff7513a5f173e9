// Sign-in codes that work once and expire soon. The page that `--open` writes to disk holds one instead of the token.

export interface OpeningCodes {
  make(): string;
  /** True for a valid code, which is then used up. */
  take(code: string): boolean;
}

/** A slow machine may take this long to open its browser. */
const LIFE_MS = 5 * 60_000;

export function openOpeningCodes(now: () => number, random: (bytes: number) => string): OpeningCodes {
  const expiries = new Map<string, number>();
  return {
    make() {
      const code = random(32);
      expiries.set(code, now() + LIFE_MS);
      return code;
    },
    take(code) {
      const expiry = expiries.get(code);
      expiries.delete(code);
      return expiry !== undefined && now() < expiry;
    },
  };
}
