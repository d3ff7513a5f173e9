// The browser's locks, shared by all tabs: one holder per name. A lock in `held` is never released. For tests only.

type Hold = (lock: { readonly name: string } | null) => Promise<void> | undefined;

/** A request with a signal waits until the signal aborts. */
export class MemoryLocks {
  readonly held = new Set<string>();
  /** Called when a request waits; its effects happen during the wait. */
  onWait: () => void = () => undefined;

  readonly request = async (name: string, options: LockOptions, hold: Hold): Promise<void> => {
    if (this.held.has(name)) {
      if (options.ifAvailable === true) return hold(null);
      if (!options.signal) throw new Error('waits for ever');
      this.onWait();
      if (this.held.has(name)) throw new DOMException('Time is up.', 'TimeoutError');
    }
    this.held.add(name);
    await hold({ name });
    this.held.delete(name);
    return undefined;
  };

  readonly query = (): Promise<LockManagerSnapshot> =>
    Promise.resolve({ held: [...this.held].map((name) => ({ name })) });
}
