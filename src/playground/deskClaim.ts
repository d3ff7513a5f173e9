// Which stored conversations this tab goes on with: each tab has its own, so that two never overwrite each other.
// A reload keeps the tab's; a new tab takes the newest that no open tab holds. It must not know what is stored.

const SESSION_KEY = 'studio.desk';
/** On a reload the page before may hold its lock a moment longer. */
const RELOAD_WAIT_MS = 500;

export interface DeskClaim {
  /** The desk that this tab writes to. */
  readonly id: string;
  /** The desk to start from; another one only in a duplicated tab. */
  readonly from: string;
}

function readOwn(): string | null {
  try {
    return sessionStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

/** This tab has been here before: it goes on with a session of its own. */
export const hasOwnDesk = (): boolean => readOwn() !== null;

function keepOwn(id: string): void {
  try {
    sessionStorage.setItem(SESSION_KEY, id);
  } catch {
    // Without session storage a reload takes the newest free desk, which is this one.
  }
}

const LOCK_PREFIX = 'studio.desk.';
/** Locks of this tab, with what lets each go. */
const releases = new Map<string, () => void>();

/** Holds the desk's lock until the tab closes or lets go; false if another tab has it. */
function lock(id: string, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options: LockOptions = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const hold = (held: Lock | null): Promise<void> | undefined => {
      resolve(held !== null);
      return held === null ? undefined : new Promise<void>((release) => void releases.set(id, release));
    };
    navigator.locks.request(`${LOCK_PREFIX}${id}`, options, hold).catch(() => resolve(false));
  });
}

/** Claims a desk for this tab. `known`: stored desks, the newest first. */
export async function claimDesk(known: readonly string[], makeId: () => string): Promise<DeskClaim> {
  const own = readOwn();
  const claim = (id: string, from = id): DeskClaim => {
    keepOwn(id);
    return { id, from };
  };
  // Locks need a secure page; a plain-HTTP host has none.
  if (!('locks' in navigator)) return claim(own ?? makeId());
  if (own !== null && (await lock(own, RELOAD_WAIT_MS))) return claim(own);
  if (own === null) {
    for (const id of known) if (await lock(id, 0)) return claim(id);
  }
  const id = makeId();
  await lock(id, 0);
  return claim(id, own ?? id);
}

/** Gives this tab a desk that nobody has used, in the place of the one it claimed. */
export async function claimFreshDesk(makeId: () => string): Promise<DeskClaim> {
  const id = makeId();
  if ('locks' in navigator) await lock(id, 0);
  keepOwn(id);
  return { id, from: id };
}

/** Claims one more desk; false if another tab has it. */
export async function holdDesk(id: string): Promise<boolean> {
  return !('locks' in navigator) || releases.has(id) || lock(id, 0);
}

export function releaseDesk(id: string): void {
  releases.get(id)?.();
  releases.delete(id);
}

/** From now on a reload of this tab goes on with the desk `id`, which it holds; the one before is free for others. */
export function moveClaim(from: string, id: string): void {
  keepOwn(id);
  if (from !== id) releaseDesk(from);
}

/** Desks that some other tab has open. */
export async function readElsewhere(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  const ids = held.flatMap(({ name = '' }) => (name.startsWith(LOCK_PREFIX) ? [name.slice(LOCK_PREFIX.length)] : []));
  return new Set(ids.filter((id) => !releases.has(id)));
}
