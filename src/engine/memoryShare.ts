// How much memory all models may take together, and how much they have taken.
import { totalmem } from 'node:os';
import { withAbort } from './abort.ts';

const GIB = 1024 ** 3;
/** Memory for the service, its database and other programs. */
const RESERVED = GIB;

/** Bytes of memory that this process may use: the machine's, or its container's if that is less. */
export function readMemoryLimit(
  total = totalmem(),
  constrained: number | undefined = process.constrainedMemory(),
): number {
  // 0 or undefined means no limit. Some systems report no limit as an impossibly large number.
  return constrained === undefined || constrained <= 0 ? total : Math.min(total, constrained);
}

/** The part of `memory` that models may take: four fifths, leaving at least 1 GiB; half on a small machine. */
export function toModelShare(memory: number): number {
  return Math.max(memory / 2, Math.min(memory * 0.8, memory - RESERVED));
}

export class MemoryShare {
  readonly #own: number;
  #added = 0;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  /** `own`: bytes. */
  constructor(own: number) {
    this.#own = own;
  }

  /** Bytes that all models may take together. */
  get limit(): number {
    return this.#own + this.#added;
  }

  /** There are so many bytes elsewhere, however often that is said. */
  add(bytes: number): void {
    this.#added = Math.max(this.#added, bytes);
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes `bytes`; false, and takes nothing, if too few are free. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.limit) return false;
    this.#taken += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#taken -= bytes;
    this.notifyWaiters();
  }

  /** Wakes all that wait: memory was freed, or an idle model could be closed now. */
  notifyWaiters(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves at the next `notifyWaiters`; rejects when `signal` is aborted. */
  async waitForChange(signal: AbortSignal): Promise<void> {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    try {
      await withAbort(woken, signal);
    } finally {
      this.#waiting.delete(wake);
    }
  }
}
