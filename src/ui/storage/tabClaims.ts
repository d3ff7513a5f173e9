// Chooses the stored item that this tab works on: each tab has its own, so tabs never overwrite each other. A reload
// keeps the tab's item; a new tab takes the newest that no open tab has. Locks need a secure page: on plain HTTP a tab
// takes what it asks for and says so, and the tab that had it continues with a copy.
import { keep, readKept } from './keptText.ts';

/** After a reload the previous page may hold its lock a moment longer. */
const RELOAD_WAIT_MS = 500;

export interface Claim {
  /** The item that this tab writes to. */
  readonly id: string;
  /** The item that it starts from; it differs from `id` only in a duplicated tab. */
  readonly from: string;
}

interface TabLock {
  /** Number of places in this tab that need the lock. */
  users: number;
  /** False: another tab has it. */
  readonly isGranted: Promise<boolean>;
  readonly release: () => void;
}

const findLocks = (): LockManager | null => ('locks' in navigator ? navigator.locks : null);

/** This tab's claims on items stored under `key`, which also names the tab's entry in session storage. */
export class TabClaims {
  private readonly prefix: string;
  /** By id: locks that this tab has or has requested. */
  private readonly locks = new Map<string, TabLock>();
  /** The tab's own item. Its lock stays, even without users. */
  private own: string | null = null;
  private channel: BroadcastChannel | null = null;

  /** Called when another tab takes this tab's own item: this tab has to claim a fresh one. */
  onLost: () => void = () => undefined;

  constructor(private readonly key: string) {
    this.prefix = `${key}.`;
  }

  /** Claims an item for this tab. `known`: the stored items, newest first. */
  async claim(known: readonly string[], makeId: () => string): Promise<Claim> {
    const own = readKept('sessionStorage', this.key);
    if (own !== null && (await this.hold(own, RELOAD_WAIT_MS))) return this.keepClaimed(own);
    if (own === null) {
      for (const id of known) if (await this.hold(id)) return this.keepClaimed(id);
    }
    const fresh = await this.claimFresh(makeId);
    return own === null ? fresh : { ...fresh, from: own };
  }

  /** Claims a new id, which replaces the tab's own item. */
  async claimFresh(makeId: () => string): Promise<Claim> {
    const id = makeId();
    await this.hold(id);
    return this.keepClaimed(id);
  }

  /** Locks an item until it is released as often as it was held; false if another tab has it. */
  async hold(id: string, waitMs = 0): Promise<boolean> {
    const locks = findLocks();
    if (!locks) return this.takeOver(id);
    const lock = this.locks.get(id) ?? this.request(locks, id, waitMs);
    lock.users += 1;
    return lock.isGranted;
  }

  release(id: string): void {
    const lock = this.locks.get(id);
    if (!lock) return;
    lock.users = Math.max(0, lock.users - 1);
    this.releaseIfUnused(id);
  }

  /** Makes `id`, which this tab has locked, the tab's own item, also after a reload. Frees the previous one. */
  move(id: string): void {
    const before = this.own;
    this.own = id;
    if (before !== null) this.releaseIfUnused(before);
    // Without session storage a reload takes the newest free item, which is this one.
    keep('sessionStorage', this.key, id);
  }

  /** Items that other tabs have open. */
  async readElsewhere(): Promise<ReadonlySet<string>> {
    const { held = [] } = (await findLocks()?.query()) ?? {};
    const ids = held.flatMap(({ name = '' }) => (name.startsWith(this.prefix) ? [name.slice(this.prefix.length)] : []));
    return new Set(ids.filter((id) => !this.locks.has(id)));
  }

  /** Runs `act` while no tab has `id` and none can take it. Does not run without locks, because nobody knows then. */
  async ifUnclaimed(id: string, act: () => Promise<void>): Promise<void> {
    await findLocks()?.request(`${this.prefix}${id}`, { ifAvailable: true }, (held) =>
      held === null ? undefined : act(),
    );
  }

  private keepClaimed(id: string): Claim {
    this.move(id);
    this.release(id);
    return { id, from: id };
  }

  private releaseIfUnused(id: string): void {
    const lock = this.locks.get(id);
    if (!lock || lock.users > 0 || id === this.own) return;
    this.locks.delete(id);
    lock.release();
  }

  /** Tells the other tabs that this one has the item now. */
  private takeOver(id: string): true {
    this.channel ??= this.openChannel();
    this.channel?.postMessage(id);
    return true;
  }

  private openChannel(): BroadcastChannel | null {
    if (typeof BroadcastChannel !== 'function') return null;
    const channel = new BroadcastChannel(this.key);
    channel.addEventListener('message', ({ data }) => data === this.own && this.onLost());
    // A page from the browser's cache heard nothing while it was frozen. A reload reads what is stored now.
    window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
    return channel;
  }

  /** Requests the lock. It is held until the tab closes or releases it. */
  private request(locks: LockManager, id: string, waitMs: number): TabLock {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const options: LockOptions = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const isGranted = new Promise<boolean>((resolve) => {
      const take = (held: Lock | null): Promise<void> | undefined => {
        resolve(held !== null);
        return held === null ? undefined : released;
      };
      locks.request(`${this.prefix}${id}`, options, take).catch(() => resolve(false));
    });
    const lock: TabLock = { users: 0, isGranted, release };
    this.locks.set(id, lock);
    void isGranted.then((isOwn) => !isOwn && this.locks.get(id) === lock && this.locks.delete(id));
    return lock;
  }
}
