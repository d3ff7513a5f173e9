import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimGrid, ifUnclaimed, type GridClaim } from './gridClaim';

type Hold = (lock: { readonly name: string } | null) => Promise<void> | undefined;

/** The browser's locks: one holder per name. Whoever waits with a signal waits until it is told that time is up. */
class Locks {
  readonly held = new Set<string>();
  /** Called when somebody waits; what it does happens within the wait. */
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
}

/** A tab's own storage; a duplicated tab starts with a copy of it. */
class Session {
  isBroken = false;
  constructor(readonly kept = new Map<string, string>()) {}
  readonly getItem = (key: string): string | null => this.guard(() => this.kept.get(key) ?? null);
  readonly setItem = (key: string, value: string): void => this.guard(() => void this.kept.set(key, value));
  private guard<T>(act: () => T): T {
    if (this.isBroken) throw new DOMException('denied', 'SecurityError');
    return act();
  }
}

let locks: Locks;
let count: number;

function open(session: Session, known: readonly string[] = []): Promise<GridClaim> {
  vi.stubGlobal('sessionStorage', session);
  return claimGrid(known, () => `new${(count += 1)}`);
}

beforeEach(() => {
  locks = new Locks();
  count = 0;
  vi.stubGlobal('navigator', { locks });
});

afterEach(() => vi.unstubAllGlobals());

describe('a new tab', () => {
  it('starts a grid of its own where nothing is stored', async () => {
    expect(await open(new Session())).toEqual({ id: 'new1', from: 'new1' });
  });

  it('goes on with the newest grid', async () => expect(await open(new Session(), ['late', 'early'])).toEqual({ id: 'late', from: 'late' }));

  it('never takes one that an open tab has', async () => {
    const known = ['late', 'early'];
    const tabs = [await open(new Session(), known), await open(new Session(), known), await open(new Session(), known)];
    expect(tabs.map((tab) => tab.id)).toEqual(['late', 'early', 'new1']);
  });
});

describe('a reload', () => {
  it('goes on with its own grid, not the newest', async () => {
    const session = new Session();
    await open(session, ['mine']);
    locks.held.clear();
    expect(await open(session, ['newer', 'mine'])).toEqual({ id: 'mine', from: 'mine' });
  });

  it('waits for the page before it to let go', async () => {
    const session = new Session();
    await open(session, ['mine']);
    locks.onWait = () => locks.held.delete('studio.grid.mine');
    expect(await open(session, ['mine'])).toEqual({ id: 'mine', from: 'mine' });
  });
});

it('a duplicated tab gets a copy under a name of its own, and keeps that on a reload', async () => {
  const first = new Session();
  await open(first, ['mine']);
  const second = new Session(new Map(first.kept));
  expect(await open(second, ['mine', 'free'])).toEqual({ id: 'new1', from: 'mine' });
  locks.held.delete('studio.grid.new1');
  expect(await open(second, ['mine', 'free'])).toEqual({ id: 'new1', from: 'new1' });
  expect(first.kept.get('studio.grid')).toBe('mine');
});

describe('a browser', () => {
  it('without session storage takes the newest free grid', async () => {
    const session = new Session();
    session.isBroken = true;
    expect(await open(session, ['late'])).toEqual({ id: 'late', from: 'late' });
  });

  it('without locks keeps to what the tab had, and takes nobody else’s', async () => {
    vi.stubGlobal('navigator', {});
    const session = new Session();
    expect(await open(session, ['late'])).toEqual({ id: 'new1', from: 'new1' });
    expect(await open(session, ['late'])).toEqual({ id: 'new1', from: 'new1' });
  });

  it('whose locks fail still gives a grid', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new Error('broken')) } });
    expect((await open(new Session(), ['late'])).id).toBe('new1');
  });
});

describe('what is done to a grid that is not this tab’s', () => {
  const act = vi.fn(async () => undefined);
  beforeEach(() => act.mockClear());

  it('waits for nobody: it is done if no tab has the grid, else not at all', async () => {
    locks.held.add('studio.grid.taken');
    await ifUnclaimed('taken', act);
    expect(act).not.toHaveBeenCalled();
    await ifUnclaimed('free', act);
    expect(act).toHaveBeenCalledTimes(1);
    expect([...locks.held]).toEqual(['studio.grid.taken']);
  });

  it('is not done where no locks tell', async () => {
    vi.stubGlobal('navigator', {});
    await ifUnclaimed('free', act);
    expect(act).not.toHaveBeenCalled();
  });
});
