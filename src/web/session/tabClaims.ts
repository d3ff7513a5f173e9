// Which of the things stored under one key this tab goes on with: each tab has its own, so that two never overwrite
// each other. A reload keeps the tab's; a new tab takes the newest that no open tab holds.

import { ChannelLocks, type Channel, type TabLocks } from './channelLocks.ts';
import { makeId } from './makeId.ts';

/** On a reload the page before may hold its lock a moment longer. */
const RELOAD_WAIT_MS = 500;

export interface Claim {
  /** What this tab writes to. */
  readonly id: string;
  /** What to start from; another one only in a duplicated tab. */
  readonly from: string;
}

interface TabLock {
  /** What in this tab needs it for a moment. */
  users: number;
  /** False: another tab has it. */
  readonly isGranted: Promise<boolean>;
  readonly letGo: () => void;
}

/** Locks need a secure page; a plain-HTTP host has none: there tabs ask each other. null: neither is possible. */
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
  // A page that comes back may have been frozen while another tab asked.
  window.addEventListener('pageshow', ({ persisted }) => persisted && locks.askAgain());
  return locks;
}

/** The claims of this tab on what is stored under `key`, which also names the tab's own entry in session storage. */
export class TabClaims {
  private readonly prefix: string;
  /** By id: those that this tab has or has asked for. */
  private readonly locks = new Map<string, TabLock>();
  /** The one that the tab goes on with; it is held whoever else lets go of it. */
  private own: string | null = null;

  /**
   * Called when this tab's own turns out to be another tab's, which had it before: this tab has to go on with a fresh
   * one.
   */
  onLost: () => void = () => undefined;

  constructor(private readonly key: string) {
    this.prefix = `${key}.`;
  }

  private opened: { readonly locks: TabLocks | null } | null = null;

  private findLocks(): TabLocks | null {
    this.opened ??= { locks: openLocks(this.key, (name) => this.lose(name.slice(this.prefix.length))) };
    return this.opened.locks;
  }

  private lose(id: string): void {
    this.locks.delete(id);
    if (id === this.own) this.onLost();
  }

  /** Claims one for this tab. `known`: those that are stored, the newest first. */
  async claim(known: readonly string[], makeId: () => string): Promise<Claim> {
    const own = this.readOwn();
    if (!this.findLocks()) return this.keep(own ?? makeId());
    if (own !== null && (await this.hold(own, RELOAD_WAIT_MS))) return this.keepHeld(own);
    if (own === null) {
      for (const id of known) if (await this.hold(id)) return this.keepHeld(id);
    }
    const fresh = await this.claimFresh(makeId);
    return own === null ? fresh : { ...fresh, from: own };
  }

  /** Gives this tab one that nobody has used, in the place of the one it claimed. */
  async claimFresh(makeId: () => string): Promise<Claim> {
    const id = makeId();
    await this.hold(id);
    return this.keepHeld(id);
  }

  /** Keeps one from other tabs until it is released as often as it was held; false if another tab has it. */
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
    this.letGoOfUnused(id);
  }

  /**
   * From now on this tab, also after a reload, goes on with `id`, which it holds; the one before is free for others.
   */
  move(id: string): void {
    this.keep(id);
  }

  /** Those that some other tab has open. */
  async readElsewhere(): Promise<ReadonlySet<string>> {
    const locks = this.findLocks();
    if (!locks) return new Set();
    const { held = [] } = await locks.query();
    const ids = held.flatMap(({ name = '' }) => (name.startsWith(this.prefix) ? [name.slice(this.prefix.length)] : []));
    return new Set(ids.filter((id) => !this.locks.has(id)));
  }

  /** Runs `act` while no tab holds `id`, and none can take it. Without locks nobody knows: then it does not run. */
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
    if (before !== null) this.letGoOfUnused(before);
    try {
      sessionStorage.setItem(this.key, id);
    } catch {
      // Without session storage a reload takes the newest that is free, which is this one.
    }
    return { id, from: id };
  }

  private keepHeld(id: string): Claim {
    const claim = this.keep(id);
    this.release(id);
    return claim;
  }

  private letGoOfUnused(id: string): void {
    const lock = this.locks.get(id);
    if (!lock || lock.users > 0 || id === this.own) return;
    this.locks.delete(id);
    lock.letGo();
  }

  /** Asks for the lock; it is held until the tab closes or lets go. */
  private request(id: string, waitMs: number): TabLock {
    let letGo = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const options: LockOptions = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const granted = new Promise<boolean>((resolve) => {
      const take = (held: Lock | null): Promise<void> | undefined => {
        resolve(held !== null);
        return held === null ? undefined : released;
      };
      const asked = this.findLocks()?.request(`${this.prefix}${id}`, options, take);
      if (asked) asked.catch(() => resolve(false));
      else resolve(true);
    });
    const isGranted = granted.then((isOurs) => {
      if (!isOurs && this.locks.get(id) === lock) this.locks.delete(id);
      return isOurs;
    });
    const lock: TabLock = { users: 0, isGranted, letGo };
    this.locks.set(id, lock);
    return lock;
  }
}
