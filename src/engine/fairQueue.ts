// A queue that is fair to callers: they take turns, and the entries of one caller leave in their order.

export class FairQueue<T> {
  /** Callers in the order of their turns; none has an empty set. */
  readonly #callers = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: string, entry: T): void {
    const entries = this.#callers.get(caller);
    if (entries) entries.add(entry);
    else this.#callers.set(caller, new Set([entry]));
    this.#size += 1;
  }

  /** Takes out the first entry of the caller whose turn it is; null if there is none. `isAllowed`: others are passed over. */
  next(isAllowed: (caller: string) => boolean = () => true): T | null {
    for (const [caller, entries] of this.#callers) {
      if (!isAllowed(caller)) continue;
      for (const entry of entries) {
        this.remove(caller, entry);
        // A caller with more entries moves to the end.
        if (this.#callers.delete(caller)) this.#callers.set(caller, entries);
        return entry;
      }
    }
    return null;
  }

  /** Takes out an entry at any position. */
  remove(caller: string, entry: T): void {
    const entries = this.#callers.get(caller);
    if (!entries?.delete(entry)) return;
    this.#size -= 1;
    if (entries.size === 0) this.#callers.delete(caller);
  }

  countOf(caller: string): number {
    return this.#callers.get(caller)?.size ?? 0;
  }

  /** How many entries would leave before one that `caller` added now. */
  countBefore(caller: string): number {
    const ownCount = this.countOf(caller);
    let count = ownCount;
    for (const [other, { size }] of this.#callers) if (other !== caller) count += Math.min(size, ownCount + 1);
    return count;
  }
}
