// What a page that closes leaves for the next page of its tab.
import { describe, expect, it, vi } from 'vitest';
import { QUOTA } from './fakeDatabase.fixture.ts';
import { MemoryLocks } from './memoryLocks.fixture.ts';
import {
  database,
  keepBrowser,
  openPage,
  pass,
  readStored,
  session,
  WORDS,
  type Page,
} from './storedDocument.fixture.ts';
import { isNewer } from './storedDocument.ts';

keepBrowser();

const TAIL = 'studio.line.tail';

describe('the tail of a page that closed', () => {
  const begin = async (): Promise<Page> => {
    const page = await openPage();
    page.change({ a: '1' });
    await pass(1000);
    return page;
  };

  it('brings back what no write has stored, without a pagehide event all but the last tenth of a second', async () => {
    const page = await begin();
    page.change({ b: '1' });
    await pass(100);
    page.change({ b: '2' });
    await pass(50);
    const next = await openPage();
    expect(next.readLines()).toEqual({ a: '1', b: '1' });
    await pass(0);
    expect([session.has(TAIL), await readStored(next.findId())]).toEqual([false, next.readLines()]);
  });

  it('overwrites nothing that was stored since, and is gone once all is stored', async () => {
    const page = await begin();
    page.change({ a: '2' });
    await pass(100);
    const left = session.get(TAIL) ?? '';
    page.change({ a: '3' });
    await pass(1000);
    expect(session.has(TAIL)).toBe(false);
    session.set(TAIL, left);
    expect((await openPage()).readLines()).toEqual({ a: '3' });
  });

  it('is shown to a duplicated tab too, which stores it under its own id', async () => {
    const locks = new MemoryLocks();
    const page = await openPage(session, locks);
    database.hold();
    page.change({ a: '1' });
    page.leave();
    const copy = await openPage(new Map(session), locks);
    expect([copy.readLines(), copy.findId() === page.findId()]).toEqual([{ a: '1' }, false]);
    database.release?.();
    await pass(1000);
    expect(await readStored(copy.findId())).toEqual({ a: '1' });
    expect(database.writes.at(-1)?.puts.join()).not.toContain(page.findId());
  });

  it('is written less often when writing takes long', async () => {
    const page = await begin();
    const write = vi.fn(() => vi.setSystemTime(Date.now() + 20));
    vi.stubGlobal('performance', { now: () => Date.now() });
    vi.stubGlobal('sessionStorage', { ...sessionStorage, setItem: write });
    database.hold();
    for (let at = 0; at < 2000; at += 10) {
      page.change({ a: `${at}` });
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(write.mock.calls.length).toBeLessThan(7);
  });

  it('stays as it was where the new one is too long or the storage of the tab is full', async () => {
    const page = await begin();
    database.hold();
    page.change({ a: 'short' });
    await pass(100);
    page.change({ a: 'x'.repeat(2_000_000) });
    await pass(100);
    expect(session.get(TAIL)).toContain('short');
    vi.stubGlobal('sessionStorage', {
      setItem: () => {
        throw QUOTA;
      },
    });
    page.change({ a: 'more' });
    await pass(1000);
    expect(session.get(TAIL)).toContain('short');
  });

  it.each(['', '{', '[]', '{"version":2}', '{"version":1,"desk":"d","mark":{"life":"a","count":1}}'])(
    'that can’t be read is none: %j',
    async (text) => {
      await begin();
      session.set(TAIL, text);
      expect((await openPage()).readLines()).toEqual({ a: '1' });
    },
  );

  it.each<[string, { life: string; count: number } | null, { life: string; count: number } | null, boolean]>([
    ['nothing was ever stored', null, null, true],
    ['nothing was stored since the page was opened', { life: 'old', count: 3 }, { life: 'old', count: 3 }, true],
    ['an earlier write ended', null, { life: 'now', count: 8 }, true],
    ['a later write ended', null, { life: 'now', count: 10 }, false],
    ['another page wrote since', { life: 'old', count: 3 }, { life: 'other', count: 1 }, false],
    ['the page before wrote once more', { life: 'old', count: 3 }, { life: 'old', count: 4 }, false],
  ])('is newer than the database or not: %s', (_what, seen, stored, expected) => {
    expect(isNewer({ mark: { life: 'now', count: 9 }, seen }, stored)).toBe(expected);
  });

  it('goes with the data of this browser, when another tab deletes it', async () => {
    const page = await begin();
    page.change({ a: 'secret' });
    await pass(200);
    expect(session.get(TAIL)).toContain('secret');
    await database.delete();
    page.change({ a: 'secret again' });
    await pass(5000);
    page.leave();
    expect([page.readProblem(), session.has(TAIL)]).toEqual([WORDS.deleted, false]);
  });
});
