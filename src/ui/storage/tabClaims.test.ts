import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryLocks } from './memoryLocks.fixture.ts';
import { TabClaims, type Claim } from './tabClaims.ts';

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

let locks: MemoryLocks;
let count: number;
const makeId = (): string => `new${(count += 1)}`;

/** A page of the tab that `session` belongs to. */
function openPage(session: Session): TabClaims {
  vi.stubGlobal('sessionStorage', session);
  return new TabClaims('studio.desk');
}

const open = (session: Session, known: readonly string[] = []): Promise<Claim> =>
  openPage(session).claim(known, makeId);

beforeEach(() => {
  locks = new MemoryLocks();
  count = 0;
  vi.stubGlobal('navigator', { locks });
});

afterEach(() => vi.unstubAllGlobals());

describe('a new tab', () => {
  it('starts one of its own where nothing is stored', async () => {
    expect(await open(new Session())).toEqual({ id: 'new1', from: 'new1' });
  });

  it('goes on with the newest', async () =>
    expect(await open(new Session(), ['late', 'early'])).toEqual({ id: 'late', from: 'late' }));

  it('never takes one that an open tab has', async () => {
    const known = ['late', 'early'];
    const tabs = [await open(new Session(), known), await open(new Session(), known), await open(new Session(), known)];
    expect(tabs.map((tab) => tab.id)).toEqual(['late', 'early', 'new1']);
  });
});

describe('a reload', () => {
  it('goes on with its own, not the newest', async () => {
    const session = new Session();
    await open(session, ['mine']);
    locks.held.clear();
    expect(await open(session, ['newer', 'mine'])).toEqual({ id: 'mine', from: 'mine' });
  });

  it('waits for the page before it to let go', async () => {
    const session = new Session();
    await open(session, ['mine']);
    locks.onWait = () => locks.held.delete('studio.desk.mine');
    expect(await open(session, ['mine'])).toEqual({ id: 'mine', from: 'mine' });
  });
});

it('a duplicated tab gets a copy under a name of its own, and keeps that on a reload', async () => {
  const first = new Session();
  await open(first, ['mine']);
  const second = new Session(new Map(first.kept));
  expect(await open(second, ['mine', 'free'])).toEqual({ id: 'new1', from: 'mine' });
  locks.held.delete('studio.desk.new1');
  expect(await open(second, ['mine', 'free'])).toEqual({ id: 'new1', from: 'new1' });
  expect(first.kept.get('studio.desk')).toBe('mine');
});

describe('a browser', () => {
  it('without session storage takes the newest that is free', async () => {
    const session = new Session();
    session.isBroken = true;
    expect(await open(session, ['late'])).toEqual({ id: 'late', from: 'late' });
  });

  it('without locks continues with its own or the newest, and the tab that had it is told', async () => {
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('window', new EventTarget());
    const session = new Session();
    expect(await open(session, ['late'])).toEqual({ id: 'late', from: 'late' });
    expect(await open(session, ['newer', 'late'])).toEqual({ id: 'late', from: 'late' });
    const claims = openPage(new Session());
    await claims.claim(['mine'], makeId);
    const lost = new Promise<void>((resolve) => (claims.onLost = resolve));
    await openPage(new Session()).hold('other');
    await openPage(new Session()).hold('mine');
    await lost;
  });

  it('whose locks fail still gives one', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new Error('broken')) } });
    expect((await open(new Session(), ['late'])).id).toBe('new1');
  });
});

describe('what is done to one that is not this tab’s', () => {
  const act = vi.fn(async () => undefined);
  beforeEach(() => act.mockClear());

  it('waits for nobody: it is done if no tab has it, else not at all', async () => {
    const claims = openPage(new Session());
    locks.held.add('studio.desk.taken');
    await claims.ifUnclaimed('taken', act);
    expect(act).not.toHaveBeenCalled();
    await claims.ifUnclaimed('free', act);
    expect(act).toHaveBeenCalledTimes(1);
    expect([...locks.held]).toEqual(['studio.desk.taken']);
  });

  it('is not done where no locks tell', async () => {
    vi.stubGlobal('navigator', {});
    await openPage(new Session()).ifUnclaimed('free', act);
    expect(act).not.toHaveBeenCalled();
  });
});

describe('a tab that changes to another', () => {
  it('holds it first, then lets go of the one before; a reload goes on with the new one', async () => {
    const session = new Session();
    const claims = openPage(session);
    await claims.claim(['one'], makeId);
    expect([await claims.hold('two'), await claims.hold('two')]).toEqual([true, true]);
    claims.move('two');
    await Promise.resolve();
    expect([[...locks.held], session.kept.get('studio.desk')]).toEqual([['studio.desk.two'], 'two']);
  });

  it('keeps it while another flow of the tab lets go of it, before and after the change', async () => {
    const claims = openPage(new Session());
    await claims.claim(['one'], makeId);
    expect(await Promise.all([claims.hold('two'), claims.hold('two')])).toEqual([true, true]);
    claims.release('two');
    await Promise.resolve();
    expect([...locks.held]).toEqual(['studio.desk.one', 'studio.desk.two']);
    claims.move('two');
    claims.release('two');
    claims.release('two');
    await Promise.resolve();
    expect([...locks.held]).toEqual(['studio.desk.two']);
  });

  it('lets go of the one before as soon as no flow of the tab needs it', async () => {
    const claims = openPage(new Session());
    await claims.claim(['one'], makeId);
    await claims.hold('one');
    await claims.claimFresh(makeId);
    expect([...locks.held]).toEqual(['studio.desk.one', 'studio.desk.new1']);
    claims.release('one');
    await Promise.resolve();
    expect([...locks.held]).toEqual(['studio.desk.new1']);
  });

  it('lets go at once of what is granted when nothing needs it any more', async () => {
    const claims = openPage(new Session());
    const held = claims.hold('one');
    claims.release('one');
    await held;
    expect([...locks.held]).toEqual([]);
  });

  it('asks again for what another tab had', async () => {
    const claims = openPage(new Session());
    locks.held.add('studio.desk.theirs');
    const attempts = [claims.hold('theirs'), claims.hold('theirs')];
    expect(await Promise.all(attempts)).toEqual([false, false]);
    expect([...(await claims.readElsewhere())]).toEqual(['theirs']);
    locks.held.clear();
    expect(await claims.hold('theirs')).toBe(true);
    claims.release('theirs');
    await Promise.resolve();
    expect([...locks.held]).toEqual([]);
  });

  it('can’t have what another tab holds', async () => {
    await openPage(new Session()).claim(['theirs'], makeId);
    expect(await openPage(new Session()).hold('theirs')).toBe(false);
  });

  it('takes one that nobody has used where it should not go on with the one it has', async () => {
    const session = new Session();
    const claims = openPage(session);
    expect(await claims.claim(['late'], makeId)).toEqual({ id: 'late', from: 'late' });
    expect(await claims.claimFresh(makeId)).toEqual({ id: 'new1', from: 'new1' });
    expect(session.kept.get('studio.desk')).toBe('new1');
  });
});

it('what other tabs have open does not hold what is of another kind, nor this tab’s own', async () => {
  await openPage(new Session()).claim(['theirs'], makeId);
  const claims = openPage(new Session());
  await claims.claim(['mine'], makeId);
  locks.held.add('studio.grid.grid');
  expect([...(await claims.readElsewhere())]).toEqual(['theirs']);
  vi.stubGlobal('navigator', {});
  expect([...(await openPage(new Session()).readElsewhere())]).toEqual([]);
});
