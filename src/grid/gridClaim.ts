// Which stored grid this tab goes on with: each tab has its own, so that two never write over each other.
// A reload keeps the tab's; a new tab takes the newest that no open tab holds. It must not know what is stored.

const SESSION_KEY = 'studio.grid';
/** On a reload the page before may hold its lock a moment longer. */
const RELOAD_WAIT_MS = 500;

export interface GridClaim {
  /** The grid that this tab writes to. */
  readonly id: string;
  /** The grid to start from; another one only in a duplicated tab. */
  readonly from: string;
}

function readOwn(): string | null {
  try {
    return sessionStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

function keepOwn(id: string): void {
  try {
    sessionStorage.setItem(SESSION_KEY, id);
  } catch {
    // Without session storage a reload takes the newest free grid, which is this one.
  }
}

const toLockName = (id: string): string => `studio.grid.${id}`;

/** Holds the grid's lock until the tab closes; false if another tab has it. */
function lock(id: string, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options: LockOptions = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const hold = (held: Lock | null): Promise<void> | undefined => {
      resolve(held !== null);
      return held === null ? undefined : new Promise<void>(() => undefined);
    };
    navigator.locks.request(toLockName(id), options, hold).catch(() => resolve(false));
  });
}

/** Claims a grid for this tab. `known`: stored grids, the newest first. */
export async function claimGrid(known: readonly string[], makeId: () => string): Promise<GridClaim> {
  const own = readOwn();
  const claim = (id: string, from = id): GridClaim => {
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

/** Runs `act` while no tab holds the grid, and none can take it. Without locks nobody knows: then it does not run. */
export async function ifUnclaimed(id: string, act: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return;
  await navigator.locks.request(toLockName(id), { ifAvailable: true }, (held) => (held === null ? undefined : act()));
}
