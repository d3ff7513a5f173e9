// A queue that is fair between callers: they take turns, and each caller's own entries leave in their order.

export class FairQueue<T> {
  /** Callers in the order of their turns; none has an empty set. */
  readonly #callers = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: string, entry: T): void {
    const own = this.#callers.get(caller);
    if (own) own.add(entry);
    else this.#callers.set(caller, new Set([entry]));
    this.#size += 1;
  }

  /** Takes out the first entry of the caller whose turn it is; null when nothing waits. */
  next(): T | null {
    for (const [caller, own] of this.#callers) {
      for (const entry of own) {
        this.remove(caller, entry);
        // To the end of the round, if it has more.
        if (this.#callers.delete(caller)) this.#callers.set(caller, own);
        return entry;
      }
    }
    return null;
  }

  /** Takes out an entry wherever it stands. */
  remove(caller: string, entry: T): void {
    const own = this.#callers.get(caller);
    if (!own?.delete(entry)) return;
    this.#size -= 1;
    if (own.size === 0) this.#callers.delete(caller);
  }

  /** How many entries would leave before one that `caller` added now. */
  countBefore(caller: string): number {
    const own = this.#callers.get(caller)?.size ?? 0;
    let count = own;
    for (const [other, { size }] of this.#callers) if (other !== caller) count += Math.min(size, own + 1);
    return count;
  }
}
