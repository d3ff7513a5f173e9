// A budget of bytes in memory that many requests share.

export interface MemoryBudget {
  /** False when the bytes exceed the budget; then nothing is reserved. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  readonly reserved: number;
}

export function openMemoryBudget(limit: number): MemoryBudget {
  let reserved = 0;
  return {
    reserve(bytes) {
      if (reserved + bytes > limit) return false;
      reserved += bytes;
      return true;
    },
    release(bytes) {
      reserved -= bytes;
    },
    get reserved() {
      return reserved;
    },
  };
}
