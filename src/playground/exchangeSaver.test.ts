// Records of requests over several lives of a page, with a database in memory.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EMPTY_DESK, toAnswerTurn, toPane, toPendingAnswer, type Answer, type Desk } from './desk';
import type * as Saver from './deskSaver';
import type * as Store from './deskStore';
import type * as Book from './exchangeBook';
import type * as Exchanges from './exchangeSaver';
import { Database, KEY_RANGE, QUOTA } from './memoryDatabase';

interface Page {
  readonly window: EventTarget;
  readonly store: typeof Store;
  readonly book: typeof Book;
  readonly exchanges: typeof Exchanges;
}

let database: Database;
let session: Map<string, string>;
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function openPage(): Promise<Page> {
  vi.resetModules();
  const saver: typeof Saver = await import('./deskSaver');
  const page = { window: Object.assign(new EventTarget(), { location: { search: '' } }), store: await import('./deskStore'), book: await import('./exchangeBook'), exchanges: await import('./exchangeSaver') };
  vi.stubGlobal('window', page.window);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  const opened = saver.openDeskSaver();
  await pass(0);
  await opened;
  return page;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 });
  database = new Database();
  session = new Map();
  vi.stubGlobal('indexedDB', database.factory);
  vi.stubGlobal('IDBKeyRange', KEY_RANGE);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => session.get(key) ?? null, setItem: (key: string, value: string) => void session.set(key, value) });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function toDesk(...versions: readonly Answer[]): Desk {
  return { ...EMPTY_DESK, panes: [{ ...toPane('p', 'm'), turns: versions.length === 0 ? [] : [toAnswerTurn('t', versions)] }] };
}

const done = (id: string, more: Partial<Answer> = {}): Answer => ({ ...toPendingAnswer(id, 'm', 0), phase: 'done', ...more });

function record(page: Page, id: string, text = 'data: [DONE]\n\n'): void {
  const tap = page.book.openExchange(id);
  tap.onSent({ method: 'POST', path: '/chat', headers: {}, body: `{"for":"${id}"}` });
  tap.onText(text);
}

/** Keys of the stored records. */
const stored = (): readonly unknown[] => database.records.flatMap(({ key }) => (Array.isArray(key) && key[1] === 'exchange' ? [key[2]] : []));

it('stores a record a moment after its answer has settled; a later page reads it', async () => {
  const page = await openPage();
  page.store.changeDesk(() => toDesk(done('a')));
  page.exchanges.openExchangeSaver();
  record(page, 'a');
  page.exchanges.keepExchange('a');
  await pass(0);
  expect(stored()).toEqual([]);
  await pass(1000);
  expect(stored()).toEqual(['a']);
  expect(page.book.exchangeIds()).toEqual([]);
  const later = await openPage();
  expect(await later.exchanges.loadExchange('a')).toMatchObject({ requestBody: '{"for":"a"}', raw: 'data: [DONE]\n\n', attempt: 1 });
  expect(await later.exchanges.loadExchange('b')).toBeNull();
});

it('gives a record while it still grows', async () => {
  const page = await openPage();
  record(page, 'a', 'data: 1');
  expect(await page.exchanges.loadExchange('a')).toMatchObject({ raw: 'data: 1' });
});

it('counts the requests of one answer', async () => {
  const page = await openPage();
  record(page, 'a');
  record(page, 'a', 'second');
  expect(await page.exchanges.loadExchange('a')).toMatchObject({ attempt: 2, raw: 'second' });
});

it('stores what had come when the page goes', async () => {
  const page = await openPage();
  page.store.changeDesk(() => toDesk(done('a', { phase: 'streaming' })));
  page.exchanges.openExchangeSaver();
  record(page, 'a', 'data: half');
  page.window.dispatchEvent(new Event('pagehide'));
  await pass(0);
  expect(await (await openPage()).exchanges.loadExchange('a')).toMatchObject({ raw: 'data: half' });
});

it('removes the records of answers that are gone, once the page that could bring them back is', async () => {
  const page = await openPage();
  page.store.changeDesk(() => toDesk(done('a'), done('copy', { recordId: 'b' })));
  page.exchanges.openExchangeSaver();
  for (const id of ['a', 'b', 'c']) {
    record(page, id);
    page.exchanges.keepExchange(id);
  }
  await pass(2000);
  page.exchanges.openExchangeSaver();
  await pass(0);
  expect(stored()).toEqual(['a', 'b', 'c']);
  const later = await openPage();
  later.exchanges.openExchangeSaver();
  await pass(0);
  expect(stored()).toEqual(['a', 'b']);
});

it('finds the record of an answer that was copied from another session', async () => {
  const page = await openPage();
  page.store.changeDesk(() => toDesk(done('a')));
  record(page, 'a');
  page.exchanges.keepExchange('a');
  await pass(2000);
  page.store.showSession('another', toDesk(done('copy', { recordId: 'a' })));
  expect(await page.exchanges.loadExchange('a')).toMatchObject({ requestBody: '{"for":"a"}' });
});

it('keeps a record in memory where it can not be stored', async () => {
  const page = await openPage();
  record(page, 'a');
  database.problem = QUOTA;
  page.exchanges.keepExchange('a');
  await pass(2000);
  expect(stored()).toEqual([]);
  expect(await page.exchanges.loadExchange('a')).not.toBeNull();
});
