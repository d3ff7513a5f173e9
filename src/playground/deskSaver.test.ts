// The stored conversations over several lives of a page, with a database in memory that can be full, slow or broken.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeData } from '../stream/sseEncode';
import type * as Actions from './actions';
import { EMPTY_DESK, toAnswerTurn, toPane, toPendingAnswer, type Answer, type AnswerTurn, type Desk, type Turn } from './desk';
import { toStoredDesk } from './deskRecords';
import type * as Saver from './deskSaver';
import type * as RunActions from './runActions';
import type * as Store from './deskStore';
import { Database, KEY_RANGE, QUOTA } from './memoryDatabase';

const turn = (id: string): Turn => ({ id, role: 'user', content: `message ${id}` });
const answer = (more: Partial<Answer> = {}): AnswerTurn => toAnswerTurn('a', [{ ...toPendingAnswer('a', 'a', 5), ...more }]);
const says = (content: string): string => encodeData(JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));

/** One life of the page. */
class Page {
  readonly window = Object.assign(new EventTarget(), {
    location: { search: '', pathname: '/', hash: '' }, history: { pushState: () => undefined, replaceState: () => undefined },
  });
  readonly document = Object.assign(new EventTarget(), { hidden: false });
  private constructor(readonly actions: typeof Actions & typeof RunActions, readonly store: typeof Store, readonly saver: typeof Saver) {}

  /** Loads the page; what it did before is only in the database and the tab's own storage. */
  static async open(search = ''): Promise<Page> {
    vi.resetModules();
    const page = new Page({ ...(await import('./actions')), ...(await import('./runActions')) }, await import('./deskStore'), await import('./deskSaver'));
    page.window.location.search = search;
    vi.stubGlobal('window', page.window);
    vi.stubGlobal('document', page.document);
    const opened = page.saver.openDeskSaver();
    await vi.advanceTimersByTimeAsync(0);
    await opened;
    return page;
  }

  get desk(): Desk {
    return this.store.readDesk();
  }

  get problem(): string | null {
    return this.store.useDesk.getState().storage.problem;
  }

  change(more: Partial<Desk>): void {
    this.store.changeDesk((desk) => ({ ...desk, ...more }));
  }
}

let database: Database;
let session: Map<string, string>;
const deskId = (): string => session.get('studio.desk') ?? '';
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 });
  database = new Database();
  session = new Map();
  vi.stubGlobal('indexedDB', database.factory);
  vi.stubGlobal('IDBKeyRange', KEY_RANGE);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => session.get(key) ?? null, setItem: (key: string, value: string) => void session.set(key, value) });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback, 0));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a reload', () => {
  it('starts empty where nothing is stored, and says nothing', async () => {
    const page = await Page.open();
    expect([page.desk, page.store.useDesk.getState().storage]).toEqual([EMPTY_DESK, { isLoaded: true, problem: null }]);
    expect(database.writes).toEqual([]);
  });

  it('brings back what was there a second ago', async () => {
    const page = await Page.open();
    const desk: Desk = { panes: [{ ...toPane('p', 'a'), turns: [turn('1'), answer({ phase: 'done' })] }], parked: [{ ...toPane('q', 'b'), turns: [turn('3')] }], draft: 'half', shared: { systemPrompt: 'Be brief.', temperature: 0.2 } };
    page.change(desk);
    await pass(1000);
    expect((await Page.open()).desk).toEqual(desk);
  });

  it.each<[string, (page: Page) => void, string]>([
    ['is written as the page goes', (page) => void page.window.dispatchEvent(new Event('pagehide')), 'late'],
    ['is written as the page hides', (page) => (page.document.hidden = true, void page.document.dispatchEvent(new Event('visibilitychange'))), 'late'],
    ['is not written as the page comes back', (page) => void page.document.dispatchEvent(new Event('visibilitychange')), ''],
  ])('what was typed last %s', async (_what, leave, expected) => {
    const page = await Page.open();
    page.change({ draft: 'late' });
    leave(page);
    await pass(0);
    expect((await Page.open()).desk.draft).toBe(expected);
  });

  it('loads once, however often it is asked', async () => {
    const page = await Page.open();
    page.change({ draft: 'typed since' });
    await page.saver.openDeskSaver();
    expect(page.desk.draft).toBe('typed since');
  });
});

describe('writing', () => {
  const long: Partial<Desk> = { panes: [{ ...toPane('p', 'a'), turns: [...Array.from({ length: 50 }, (_, index) => turn(`${index}`)), answer()] }] };

  it('happens at most once a second, and holds only what changed', async () => {
    const page = await Page.open();
    page.change(long);
    await pass(1000);
    expect(database.writes[0]?.puts).toHaveLength(52);
    for (let at = 0; at < 3000; at += 20) {
      page.store.changeDesk((desk) => ({ ...desk, panes: desk.panes.map((pane) => ({ ...pane, turns: pane.turns.with(50, answer({ sentAt: at, phase: 'streaming' })) })) }));
      await pass(20);
    }
    const later = database.writes.slice(1);
    expect(later).toHaveLength(3);
    for (const write of later) expect(write).toEqual({ puts: [JSON.stringify([deskId(), 'turn', 'a'])], deletes: [] });
  });

  it('stops when nothing changes', async () => {
    const page = await Page.open();
    page.change({ draft: 'x' });
    await pass(60_000);
    expect([database.writes.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('forgets what was cleared', async () => {
    const page = await Page.open();
    page.change(long);
    await pass(1000);
    page.actions.clearConversations();
    await pass(1000);
    expect(database.records.map(({ key }) => key[1])).toEqual(['desk']);
    expect(JSON.stringify(database.records)).not.toContain('message 1');
  });
});

describe('a message', () => {
  /** Sends a message; the service's answer is written by hand. */
  async function send(page: Page): Promise<{ readonly atRequest: () => readonly unknown[] | null; readonly write: (text: string) => void }> {
    let stored: readonly unknown[] | null = null;
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const writer = pipe.writable.getWriter();
    vi.stubGlobal('fetch', async () => {
      stored = database.records.map(({ value }) => value);
      return new Response(pipe.readable, { headers: { 'content-type': 'text/event-stream' } });
    });
    page.change({ panes: [toPane('p', 'a')], draft: 'Hello' });
    void page.actions.sendMessage(null);
    await pass(0);
    return { atRequest: () => stored, write: (text) => void writer.write(new TextEncoder().encode(text)) };
  }

  it('is stored before it is sent', async () => {
    const { atRequest } = await send(await Page.open());
    expect(atRequest()).toContainEqual(expect.objectContaining({ role: 'user', content: 'Hello' }));
    expect(atRequest()).toContainEqual(expect.objectContaining({ role: 'assistant', versions: [expect.objectContaining({ phase: 'sending' })] }));
  });

  it('and the part of its answer that came stand there after a reload in mid-stream, interrupted', async () => {
    const page = await Page.open();
    const { write } = await send(page);
    write(says('Half an'));
    await pass(1100);
    const { desk } = await Page.open();
    expect(desk.panes[0]?.turns).toMatchObject([{ content: 'Hello' }, { versions: [{ phase: 'interrupted', message: { text: 'Half an' } }] }]);
  });

  it('is sent after a moment, where storing it hangs', async () => {
    const page = await Page.open();
    database.hold();
    const { atRequest } = await send(page);
    await pass(399);
    expect(atRequest()).toBeNull();
    await pass(1);
    expect(atRequest()).toEqual([]);
  });

  it('is sent where nothing can be stored', async () => {
    database.isClosed = true;
    const page = await Page.open();
    const { atRequest } = await send(page);
    expect(atRequest()).toEqual([]);
  });
});

describe('a problem', () => {
  it('with the whole database is said; the playground works on', async () => {
    database.isClosed = true;
    const page = await Page.open();
    expect(page.problem).toContain('does not let the page store anything');
    expect(page.store.useDesk.getState().storage.isLoaded).toBe(true);
    page.change({ draft: 'x' });
    await pass(5000);
    expect(page.desk.draft).toBe('x');
  });

  it.each<[string, DOMException, string]>([
    ['a full disk', QUOTA, 'storage is full'],
    ['anything else', new DOMException('broken', 'UnknownError'), 'does not let the page store anything'],
  ])('with writing is said: %s. It is over when writing works again, and nothing is missing then', async (_what, problem, words) => {
    const page = await Page.open();
    database.problem = problem;
    page.change({ panes: [{ ...toPane('p', 'a'), turns: [turn('1')] }] });
    await pass(1000);
    expect(page.problem).toContain(words);
    expect(page.desk.panes[0]?.turns).toHaveLength(1);
    database.problem = null;
    page.change({ draft: 'x' });
    await pass(1000);
    expect(page.problem).toBeNull();
    expect((await Page.open()).desk).toEqual(page.desk);
  });

  it('with two writes at once loses nothing of either', async () => {
    const page = await Page.open();
    database.hold();
    page.change({ panes: [{ ...toPane('p', 'a'), turns: [turn('1')] }] });
    const first = page.saver.saveNow();
    page.change({ panes: [{ ...toPane('p', 'a'), turns: [...page.desk.panes[0]!.turns, turn('2')] }] });
    const second = page.saver.saveNow();
    database.problem = QUOTA;
    database.release?.();
    await Promise.all([first, second]);
    database.problem = null;
    page.change({ draft: 'x' });
    await pass(1000);
    const next = await Page.open();
    expect([next.desk, next.problem]).toEqual([page.desk, null]);
  });

  it.each<[string, unknown, string, string]>([
    ['another version', { ...toStoredDesk(EMPTY_DESK), version: 9 }, 'newer version', 'desk'],
    ['a pane without its turns', toStoredDesk({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [turn('lost')] }] }), 'Some stored conversations were damaged', 'aside'],
    ['no desk at all', 'garbage', 'The stored conversations were damaged', 'aside'],
  ])('with what is stored is said, and can be dismissed; nothing of it is wiped: %s', async (_what, value, words, place) => {
    session.set('studio.desk', 'mine');
    database.records = [{ key: ['mine', 'desk', ''], value }, { key: ['mine', 'turn', 'x'], value: 'unreadable' }];
    const page = await Page.open();
    expect(page.problem).toContain(words);
    page.actions.dismissStorageProblem();
    expect(page.problem).toBeNull();
    page.change({ draft: 'goes on' });
    await pass(1000);
    const next = await Page.open();
    expect(next.desk.draft).toBe('goes on');
    // A newer studio's record stays where it was; one that is damaged is put aside.
    expect(database.read(['mine', place, place === 'desk' ? '' : '1000000'])).toEqual(value);
    expect(database.read(['mine', 'turn', 'x'])).toBe('unreadable');
  });
});

it('takes what is typed during a change of session to the session that is left', async () => {
  const page = await Page.open();
  page.change({ draft: 'two' });
  database.hold();
  const entered = page.saver.enterSession('other', EMPTY_DESK, true);
  page.change({ draft: 'two and three' });
  database.release?.();
  expect(await entered).toBe(true);
  const own = database.records.find(({ key }) => key[1] === 'desk' && key[0] !== 'other');
  expect(own?.value).toMatchObject({ draft: 'two and three' });
});

it('stays in a session whose last write, still on its way, fails', async () => {
  const page = await Page.open();
  page.change({ draft: 'kept' });
  database.hold();
  const first = page.saver.saveNow();
  const entered = page.saver.enterSession('other', EMPTY_DESK, true);
  database.problem = QUOTA;
  database.release?.();
  await first;
  expect(await entered).toBe(false);
  expect(page.desk.draft).toBe('kept');
});

describe('several tabs', () => {
  it('start from a copy when one is duplicated, and leave each other alone from there', async () => {
    const held = new Set<string>();
    const request = (name: string, options: LockOptions, hold: (lock: object | null) => unknown): Promise<unknown> => {
      if (held.has(name)) return options.ifAvailable === true ? Promise.resolve(hold(null)) : Promise.reject(new DOMException('', 'TimeoutError'));
      held.add(name);
      return Promise.resolve(hold({}));
    };
    vi.stubGlobal('navigator', { locks: { request } });
    const first = await Page.open();
    const [id, desk] = [deskId(), { ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [turn('1')] }] }];
    first.change(desk);
    await pass(1000);
    const second = await Page.open();
    expect(second.desk).toEqual(desk);
    expect(deskId()).not.toBe(id);
    second.change({ draft: 'second' });
    await pass(1000);
    // The copy is whole, and the first tab's is as it was.
    expect(database.read([deskId(), 'turn', '1'])).toEqual(turn('1'));
    expect(database.read([id, 'desk', ''])).toMatchObject({ draft: '' });
  });

  it.each([
    ['?models=a', 1], ['', 1], ['?models=b', 0], ['?models=a,b', 0],
  ])('go on with the newest conversation in a new one, unless the link %j asks for other models', async (search, panes) => {
    vi.stubGlobal('navigator', { locks: { request: (_name: string, _options: LockOptions, hold: (lock: object) => unknown) => Promise.resolve(hold({})) } });
    const stored = { ...toStoredDesk({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [turn('1')] }] }), savedAt: 1 };
    database.records = [{ key: ['old', 'desk', ''], value: stored }, { key: ['old', 'turn', '1'], value: turn('1') }];
    const page = await Page.open(search);
    page.change({ draft: 'new' });
    await pass(1000);
    expect(page.desk.panes).toHaveLength(panes);
    expect(deskId() === 'old').toBe(panes === 1);
    expect(database.read(['old', 'desk', ''])).toMatchObject({ panes: [{ model: 'a', turnIds: ['1'] }], draft: panes === 1 ? 'new' : '' });
  });

  it('keep the desks that were written to last, and forget the others with all they held', async () => {
    const key = (index: number): string => `desk${String(index).padStart(2, '0')}`;
    database.records = Array.from({ length: 15 }, (_, index) => [
      { key: [key(index), 'desk', ''], value: { ...toStoredDesk(EMPTY_DESK), savedAt: index } },
      { key: [key(index), 'turn', 't'], value: turn('t') },
    ]).flat();
    await Page.open();
    const kept = [...new Set(database.records.map((record) => record.key[0]))];
    expect(kept).toEqual(Array.from({ length: 12 }, (_, index) => key(index + 3)));
    expect(database.records).toHaveLength(24);
  });
});
