// A budget of bytes in memory that many requests share.

export interface Room {
  /** False when the bytes exceed the budget; then nothing is taken. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
  readonly taken: number;
}

export function openRoom(limit: number): Room {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > limit) return false;
      taken += bytes;
      return true;
    },
    giveBack(bytes) {
      taken -= bytes;
    },
    get taken() {
      return taken;
    },
  };
}
