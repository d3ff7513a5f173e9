// Chooses the stored item that this tab works on: each tab has its own, so tabs never overwrite each other. A reload
// keeps the tab's item; a new tab takes the newest that no open tab has.

import { ChannelLocks, type Channel, type TabLocks } from './channelLocks.ts';
import { makeId } from './makeId.ts';

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

/** Locks need a secure page. On plain HTTP the tabs ask each other. null: neither is possible. */
function openLocks(key: string, onLost: (name: string) => void): TabLocks | null {
  if ('locks' in navigator) return navigator.locks;
  if (typeof window === 'undefined' || typeof window.BroadcastChannel !== 'function') return null;
  const { BroadcastChannel } = window;
  const channel = new BroadcastChannel(key);
  const open: Channel = {
    send: channel.postMessage.bind(channel),
    addEventListener: (type, listener) => channel.addEventListener(type, listener),
  };
  const locks = new ChannelLocks(open, makeId(), onLost);
  // A page restored from the cache may have been frozen while another tab asked.
  window.addEventListener('pageshow', ({ persisted }) => persisted && locks.askAgain());
  return locks;
}

/** This tab's claims on items stored under `key`, which also names the tab's entry in session storage. */
export class TabClaims {
  private readonly prefix: string;
  /** By id: locks that this tab has or has requested. */
  private readonly locks = new Map<string, TabLock>();
  /** The tab's own item. Its lock stays, even without users. */
  private own: string | null = null;

  /** Called when another tab already had this tab's own item: this tab has to claim a fresh one. */
  onLost: () => void = () => undefined;

  constructor(private readonly key: string) {
    this.prefix = `${key}.`;
  }

  private openedLocks: { readonly locks: TabLocks | null } | null = null;

  private findLocks(): TabLocks | null {
    this.openedLocks ??= { locks: openLocks(this.key, (name) => this.onLockLost(name.slice(this.prefix.length))) };
    return this.openedLocks.locks;
  }

  private onLockLost(id: string): void {
    this.locks.delete(id);
    if (id === this.own) this.onLost();
  }

  /** Claims an item for this tab. `known`: the stored items, newest first. */
  async claim(known: readonly string[], makeId: () => string): Promise<Claim> {
    const own = this.readOwn();
    if (!this.findLocks()) return this.keep(own ?? makeId());
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
    if (!this.findLocks()) return true;
    const lock = this.locks.get(id) ?? this.request(id, waitMs);
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
    this.keep(id);
  }

  /** Items that other tabs have open. */
  async readElsewhere(): Promise<ReadonlySet<string>> {
    const locks = this.findLocks();
    if (!locks) return new Set();
    const { held = [] } = await locks.query();
    const ids = held.flatMap(({ name = '' }) => (name.startsWith(this.prefix) ? [name.slice(this.prefix.length)] : []));
    return new Set(ids.filter((id) => !this.locks.has(id)));
  }

  /** Runs `act` while no tab has `id` and none can take it. Does not run without locks, because nobody knows then. */
  async ifUnclaimed(id: string, act: () => Promise<void>): Promise<void> {
    await this.findLocks()?.request(`${this.prefix}${id}`, { ifAvailable: true }, (held) =>
      held === null ? undefined : act(),
    );
  }

  private readOwn(): string | null {
    try {
      return sessionStorage.getItem(this.key);
    } catch {
      return null;
    }
  }

  private keep(id: string): Claim {
    const before = this.own;
    this.own = id;
    if (before !== null) this.releaseIfUnused(before);
    try {
      sessionStorage.setItem(this.key, id);
    } catch {
      // Without session storage a reload takes the newest free item, which is this one.
    }
    return { id, from: id };
  }

  private keepClaimed(id: string): Claim {
    const claim = this.keep(id);
    this.release(id);
    return claim;
  }

  private releaseIfUnused(id: string): void {
    const lock = this.locks.get(id);
    if (!lock || lock.users > 0 || id === this.own) return;
    this.locks.delete(id);
    lock.release();
  }

  /** Requests the lock. It is held until the tab closes or releases it. */
  private request(id: string, waitMs: number): TabLock {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const options: LockOptions = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const granted = new Promise<boolean>((resolve) => {
      const take = (held: Lock | null): Promise<void> | undefined => {
        resolve(held !== null);
        return held === null ? undefined : released;
      };
      const pendingRequest = this.findLocks()?.request(`${this.prefix}${id}`, options, take);
      if (pendingRequest) pendingRequest.catch(() => resolve(false));
      else resolve(true);
    });
    const isGranted = granted.then((isOwn) => {
      if (!isOwn && this.locks.get(id) === lock) this.locks.delete(id);
      return isOwn;
    });
    const lock: TabLock = { users: 0, isGranted, release };
    this.locks.set(id, lock);
    return lock;
  }
}
