// A budget of bytes that many requests share: what is held in memory for all of them together stays within it.

export interface Room {
  /** False when there is no room for them: then nothing was taken. */
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
