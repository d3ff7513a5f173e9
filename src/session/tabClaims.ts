// Which of the things stored under one key this tab goes on with: each tab has its own, so that two never overwrite each
// other. A reload keeps the tab's; a new tab takes the newest that no open tab holds. It must not know what is stored.

/** On a reload the page before may hold its lock a moment longer. */
const RELOAD_WAIT_MS = 500;

export interface Claim {
  /** What this tab writes to. */
  readonly id: string;
  /** What to start from; another one only in a duplicated tab. */
  readonly from: string;
}

const hasLocks = (): boolean => 'locks' in navigator;

/** The claims of this tab on what is stored under `key`, which also names the tab's own entry in session storage. */
export class TabClaims {
  private readonly prefix: string;
  /** Locks of this tab, with what lets each go. */
  private readonly releases = new Map<string, () => void>();

  constructor(private readonly key: string) {
    this.prefix = `${key}.`;
  }

  /** This tab has been here before: it goes on with one of its own. */
  get hasOwn(): boolean {
    return this.readOwn() !== null;
  }

  /** Claims one for this tab. `known`: those that are stored, the newest first. */
  async claim(known: readonly string[], makeId: () => string): Promise<Claim> {
    const own = this.readOwn();
    // Locks need a secure page; a plain-HTTP host has none.
    if (!hasLocks()) return this.keep(own ?? makeId());
    if (own !== null && (await this.lock(own, RELOAD_WAIT_MS))) return this.keep(own);
    if (own === null) {
      for (const id of known) if (await this.lock(id)) return this.keep(id);
    }
    const fresh = await this.claimFresh(makeId);
    return own === null ? fresh : { ...fresh, from: own };
  }

  /** Gives this tab one that nobody has used, in the place of the one it claimed. */
  async claimFresh(makeId: () => string): Promise<Claim> {
    const id = makeId();
    if (hasLocks()) await this.lock(id);
    return this.keep(id);
  }

  /** Claims one more; false if another tab has it. */
  async hold(id: string): Promise<boolean> {
    return !hasLocks() || this.releases.has(id) || this.lock(id);
  }

  release(id: string): void {
    this.releases.get(id)?.();
    this.releases.delete(id);
  }

  /** From now on a reload of this tab goes on with `id`, which it holds; the one before is free for others. */
  move(from: string, id: string): void {
    this.keep(id);
    if (from !== id) this.release(from);
  }

  /** Those that some other tab has open. */
  async readElsewhere(): Promise<ReadonlySet<string>> {
    if (!hasLocks()) return new Set();
    const { held = [] } = await navigator.locks.query();
    const ids = held.flatMap(({ name = '' }) => (name.startsWith(this.prefix) ? [name.slice(this.prefix.length)] : []));
    return new Set(ids.filter((id) => !this.releases.has(id)));
  }

  /** Runs `act` while no tab holds `id`, and none can take it. Without locks nobody knows: then it does not run. */
  async ifUnclaimed(id: string, act: () => Promise<void>): Promise<void> {
    if (!hasLocks()) return;
    await navigator.locks.request(`${this.prefix}${id}`, { ifAvailable: true }, (held) => (held === null ? undefined : act()));
  }

  private readOwn(): string | null {
    try {
      return sessionStorage.getItem(this.key);
    } catch {
      return null;
    }
  }

  private keep(id: string): Claim {
    try {
      sessionStorage.setItem(this.key, id);
    } catch {
      // Without session storage a reload takes the newest that is free, which is this one.
    }
    return { id, from: id };
  }

  /** Holds the lock until the tab closes or lets go; false if another tab has it. */
  private lock(id: string, waitMs = 0): Promise<boolean> {
    return new Promise((resolve) => {
      const options: LockOptions = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
      const hold = (held: Lock | null): Promise<void> | undefined => {
        resolve(held !== null);
        return held === null ? undefined : new Promise<void>((release) => void this.releases.set(id, release));
      };
      navigator.locks.request(`${this.prefix}${id}`, options, hold).catch(() => resolve(false));
    });
  }
}
