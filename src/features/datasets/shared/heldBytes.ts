// The bytes of a line or element that is not whole yet. Memory holds at most `limit` of them. Pure.
import { START_BYTES } from '#core/rows/lineText.ts';

const FIRST_MEMORY = 4096;

export interface HeldBytes {
  /** Copies them. */
  push(bytes: Uint8Array): void;
  /** Those that are held: all of them, or only their start once they are more than `limit`. */
  readonly bytes: Uint8Array;
  /** How many there are, with those that are no longer held. */
  readonly total: number;
  /** The last of all; -1: there is none. */
  readonly last: number;
  clear(): void;
}

export function openHeldBytes(limit: number): HeldBytes {
  let memory = new Uint8Array(FIRST_MEMORY);
  let held = 0;
  let total = 0;
  let last = -1;
  return {
    push(bytes) {
      total += bytes.length;
      last = bytes.at(-1) ?? last;
      const isTooLong = total > limit;
      const most = isTooLong ? START_BYTES : total;
      const added = bytes.subarray(0, Math.max(0, most - held));
      if (isTooLong && memory.length > FIRST_MEMORY) memory = memory.slice(0, START_BYTES);
      held = Math.min(held, memory.length);
      if (held + added.length > memory.length) {
        const grown = new Uint8Array(Math.max(held + added.length, memory.length * 2));
        grown.set(memory.subarray(0, held));
        memory = grown;
      }
      memory.set(added, held);
      held += added.length;
    },
    get bytes() {
      return memory.subarray(0, held);
    },
    get total() {
      return total;
    },
    get last() {
      return last;
    },
    clear() {
      held = 0;
      total = 0;
      last = -1;
    },
  };
}
