// The memory that models may take together, and what they have taken.
import { totalmem } from 'node:os';
import { withAbort } from './abort.ts';

const GIB = 1024 ** 3;
/** The service, its database and other programs need some, too. */
const LEFT_OVER = GIB;

/** Bytes of memory that this process may use: the machine's, or its container's when that is less. */
export function readMemoryLimit(
  total = totalmem(),
  constrained: number | undefined = process.constrainedMemory(),
): number {
  // 0 or undefined: there is no limit. Without one, some systems name a number that no machine has.
  return constrained === undefined || constrained <= 0 ? total : Math.min(total, constrained);
}

/** The part of `memory` that models may take together: four fifths, but for 1 GiB, or half of a small machine. */
export function toModelShare(memory: number): number {
  return Math.max(memory / 2, Math.min(memory * 0.8, memory - LEFT_OVER));
}

/** 5.2 GB, or 300 MB: as people read it. */
export function toSizeText(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
}

export class MemoryShare {
  readonly limit: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** True when `bytes` are taken; false when they are not there. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.limit) return false;
    this.#taken += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#taken -= bytes;
    this.announce();
  }

  /** Wakes those that wait: something was freed, or could be. */
  announce(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves with the next announcement; rejects when `signal` is aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    let wake = (): void => undefined;
    const announced = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    try {
      await withAbort(announced, signal);
    } finally {
      this.#waiting.delete(wake);
    }
  }
}
