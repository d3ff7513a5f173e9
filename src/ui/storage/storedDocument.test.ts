// A document of named lines over several lives of a page, in a database that can be full, slow, closed or deleted.
import { array, assert, asyncProperty, constantFrom, record, string } from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { StoredRecord } from './browserDatabase.ts';
import { QUOTA } from './fakeDatabase.fixture.ts';
import { MemoryLocks } from './memoryLocks.fixture.ts';
import {
  database,
  keepBrowser,
  LINES,
  MARKS,
  open,
  openBrowser,
  openPage,
  pass,
  readStored,
  session,
  WORDS,
  type Page,
} from './storedDocument.fixture.ts';

keepBrowser();

describe('writing', () => {
  it('happens at most once a second, and holds only what changed', async () => {
    const page = await openPage();
    page.change({ a: '1', b: '1' });
    await pass(1000);
    for (let at = 0; at < 3000; at += 100) {
      page.change({ b: `${at}` });
      await pass(90);
    }
    await pass(1000);
    expect(database.writes.map(({ puts }) => puts.length).slice(0, 4)).toEqual([3, 2, 2, 2]);
    expect(database.writes.length).toBeLessThan(6);
    expect(await readStored(page.findId())).toEqual({ a: '1', b: '2900' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins at once after an act, once for all acts of a task', async () => {
    const page = await openPage();
    page.change({ a: '1' }, true);
    page.change({ b: '1' }, true);
    await Promise.resolve();
    expect(database.begun).toBe(1);
    await pass(0);
    expect(await readStored(page.findId())).toEqual({ a: '1', b: '1' });
  });

  it('does not write again what an earlier write still has', async () => {
    const page = await openPage();
    database.hold();
    page.change({ a: '1' }, true);
    await pass(0);
    page.change({ b: '1' }, true);
    await pass(0);
    database.release?.();
    await pass(0);
    expect(database.writes.map(({ puts }) => puts.filter((key) => key.includes('new')).length)).toEqual([2, 2]);
    expect(await readStored(page.findId())).toEqual({ a: '1', b: '1' });
  });

  it.each(['leave', 'hide'] as const)('begins at once when the page goes: %s', async (go) => {
    const page = await openPage();
    const finish = vi.fn(() => page.change({ b: 'read, not shown yet' }));
    page.stored.watchLeaving(finish);
    page.change({ a: '1' });
    page[go]();
    await pass(0);
    expect(await readStored(page.findId())).toEqual({ a: '1', b: 'read, not shown yet' });
    expect(page.stored.isLeaving()).toBe(go === 'leave');
  });

  it('deletes what is gone', async () => {
    const page = await openPage();
    page.change({ a: '1', b: '1' });
    await pass(1000);
    page.change({ a: undefined });
    await pass(1000);
    expect(await readStored(page.findId())).toEqual({ b: '1' });
  });

  it.each<[string, DOMException, string]>([
    ['a full disk', QUOTA, WORDS.full],
    ['anything else', new DOMException('broken', 'UnknownError'), WORDS.none],
  ])('that fails is said, and made up for by the next write: %s', async (_what, problem, words) => {
    const page = await openPage();
    database.problem = problem;
    page.change({ a: '1' });
    await pass(1000);
    expect(page.readProblem()).toBe(words);
    database.problem = null;
    page.change({ b: '1' });
    await pass(1000);
    expect(page.readProblem()).toBeNull();
    expect(await readStored(page.findId())).toEqual({ a: '1', b: '1' });
  });

  it('where nothing can be stored is not tried, and that is said', async () => {
    database.isClosed = true;
    const page = await openPage();
    page.change({ a: '1' });
    await pass(5000);
    expect([page.readProblem(), page.readLines(), await page.stored.write()]).toEqual([WORDS.none, { a: '1' }, false]);
  });
});

it('stores the last state, whichever writes fail, and a page that goes loses nothing', async () => {
  const STEPS = array(
    record({
      name: constantFrom('a', 'b', 'c'),
      line: string({ maxLength: 3 }),
      move: constantFrom('write', 'hold', 'release', 'fail', 'mend', 'reload'),
    }),
    { minLength: 1, maxLength: 14 },
  );
  await assert(
    asyncProperty(STEPS, async (steps) => {
      openBrowser([['studio.line', 'mine']]);
      let page = await openPage();
      for (const { name, line, move } of steps) {
        page.change({ [name]: line === '' ? undefined : line });
        if (move === 'write') void page.stored.write();
        if (move === 'hold') database.hold();
        if (move === 'release') database.release?.();
        if (move === 'fail' || move === 'mend') database.problem = move === 'fail' ? QUOTA : null;
        if (move !== 'reload') continue;
        page.leave();
        await database.settle();
        const lines = page.readLines();
        page = await openPage();
        expect(page.readLines()).toEqual(lines);
      }
      database.release?.();
      database.problem = null;
      await database.settle();
      const written = page.stored.write();
      await database.settle();
      expect(await written).toBe(true);
      expect(await readStored('mine')).toEqual(page.readLines());
      page.leave();
    }),
    { numRuns: 60 },
  );
});

describe('a change to another document', () => {
  const entering = (page: Page, findObstacle: () => string | null = () => null): Promise<string | null> =>
    page.stored.enter('other', { findObstacle, show: page.show({ b: 'other' }), stored: [] });

  it('waits for writes, and stores in the old one what is changed meanwhile', async () => {
    const page = await openPage();
    const id = page.findId();
    page.change({ a: '1' });
    database.hold();
    const entered = entering(page);
    page.change({ a: '2' });
    await pass(0);
    expect(page.findId()).toBe(id);
    database.release?.();
    expect(await entered).toBeNull();
    expect([page.findId(), session.get('studio.line'), await readStored(id)]).toEqual(['other', 'other', { a: '2' }]);
    page.change({ b: 'changed' });
    await pass(1000);
    expect(await readStored('other')).toEqual({ b: 'changed' });
  });

  it('leaves a tail of the document that was entered', async () => {
    const mark = { life: 'of an earlier page', count: 3 };
    await database.put(MARKS, [['other', mark]]);
    const page = await openPage();
    const stored: readonly StoredRecord[] = [[MARKS, 'other', mark]];
    await page.stored.enter('other', { findObstacle: () => null, show: page.show({}), stored });
    database.hold();
    page.change({ a: '1' });
    page.leave();
    expect((await openPage()).readLines()).toEqual({ a: '1' });
  });

  it('does not happen when a write, begun before, fails; its data is stored later', async () => {
    const page = await openPage();
    page.change({ a: '1' });
    database.hold();
    void page.stored.write();
    const entered = entering(page);
    database.problem = QUOTA;
    database.release?.();
    expect([await entered, page.readLines()]).toEqual([WORDS.unsaved, { a: '1' }]);
    database.problem = null;
    await page.stored.write();
    expect(await readStored(page.findId())).toEqual({ a: '1' });
  });

  it('does not happen where there is an obstacle at the last moment', async () => {
    const page = await openPage();
    expect(await entering(page, () => 'A run has begun.')).toBe('A run has begun.');
    expect(page.findId()).not.toBe('other');
  });
});

it('a duplicated tab starts from a copy, and both tabs leave each other alone', async () => {
  const locks = new MemoryLocks();
  const first = await openPage(session, locks);
  first.change({ a: '1' });
  await pass(1000);
  const second = await openPage(new Map(session), locks);
  second.change({ b: '2' });
  await pass(1000);
  expect([await readStored(first.findId()), await readStored(second.findId())]).toEqual([
    { a: '1' },
    { a: '1', b: '2' },
  ]);
});

it('without locks the tab whose document another tab opens says so and continues with a copy', async () => {
  const channels: { readonly hear: (event: { readonly data: unknown }) => void }[] = [];
  class Channel {
    hear: (event: { readonly data: unknown }) => void = () => undefined;
    addEventListener = (_type: string, hear: Channel['hear']): void => void (this.hear = hear);
    postMessage = (data: unknown): void => channels.forEach((each) => each !== this && each.hear({ data }));
    constructor() {
      channels.push(this);
    }
  }
  vi.stubGlobal('BroadcastChannel', Channel);
  const first = await openPage(session, null);
  first.change({ a: '1', c: '1' });
  await pass(1000);
  first.change({ a: 'not stored yet' });
  await pass(100);
  const id = first.findId();
  const second = await openPage(new Map(), null, [id]);
  second.change({ b: '2' });
  await pass(1000);
  expect([first.readProblem(), second.readProblem(), second.findId()]).toEqual([WORDS.copied, null, id]);
  expect([await readStored(first.findId()), await readStored(id)]).toEqual([
    { a: 'not stored yet', c: '1' },
    { a: '1', b: '2', c: '1' },
  ]);
});

it('is deleted with all its records, and an undo brings them back; what another tab has stays', async () => {
  const locks = new MemoryLocks();
  locks.held.add('studio.line.theirs');
  const page = await openPage(session, locks);
  page.change({ a: '1' });
  await pass(1000);
  const id = page.findId();
  const replace = (): Promise<string | null> =>
    page.stored.enter('other', { findObstacle: () => null, show: page.show({}), stored: [] });
  expect(await page.stored.remove('theirs', replace)).toEqual({ problem: WORDS.elsewhere });
  const removed = await page.stored.remove(id, replace);
  expect([page.findId(), await readStored(id), locks.held.has(`studio.line.${id}`)]).toEqual(['other', {}, false]);
  if ('restore' in removed) await removed.restore();
  expect(await readStored(id)).toEqual({ a: '1' });
});

it('of blank documents the newest stay, and those that are open or no longer blank', async () => {
  const ids = Array.from({ length: 16 }, (_, at) => `blank${String(at).padStart(2, '0')}`);
  await database.put(
    LINES,
    ids.map((id) => [[id, 'a'], '']),
  );
  await database.put(LINES, [[['blank14', 'a'], 'changed']]);
  const locks = new MemoryLocks();
  locks.held.add('studio.line.blank13');
  const page = await openPage(session, locks);
  await page.stored.prune(await open(), ids, (records) => records.every(([, , line]) => line === ''));
  const left = (await database.read<readonly string[]>(LINES)).map(([[id]]) => id);
  expect(left).toEqual([...ids.slice(0, 12), 'blank13', 'blank14']);
  await (await openPage(session, null)).stored.prune(await open(), ids.toReversed(), () => true);
  expect(await database.read(LINES)).toHaveLength(14);
});
