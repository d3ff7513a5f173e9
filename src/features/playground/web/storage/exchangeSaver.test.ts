// Records of requests over several lives of a page, with a database in memory.
import { expect, it } from 'vitest';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Answer,
  type Desk,
} from '#features/playground/web/desk/desk.ts';
import { keepStorage, openPage, pass, readRecords } from '#features/playground/web/deskPage.fixture.ts';
import { QUOTA } from '#ui/storage/fakeDatabase.fixture.ts';

const kept = keepStorage();
const open = () =>
  openPage(async () => ({ book: await import('./exchange.ts'), exchanges: await import('./exchangeSaver.ts') }));
type Page = Awaited<ReturnType<typeof open>>;

function toDesk(...versions: readonly Answer[]): Desk {
  return {
    ...EMPTY_DESK,
    panes: [{ ...toPane('p', 'm'), turns: versions.length === 0 ? [] : [toAnswerTurn('t', versions)] }],
  };
}

const done = (id: string, more: Partial<Answer> = {}): Answer => ({
  ...toPendingAnswer(id, 'm', 0),
  phase: 'done',
  ...more,
});

function record(page: Page, id: string, text = 'data: [DONE]\n\n'): void {
  const tap = page.book.openExchange(id);
  tap.onSent({ method: 'POST', path: '/chat', headers: {}, body: `{"for":"${id}"}` });
  tap.onText(text);
}

/** Keys of the stored records. */
const stored = async (): Promise<readonly unknown[]> =>
  (await readRecords()).flatMap(([key]) => (key[1] === 'exchange' ? [key[2]] : []));

it('stores a record a moment after its answer has settled; a later page reads it', async () => {
  const page = await open();
  page.store.changeDesk(() => toDesk(done('a')));
  page.exchanges.openExchangeSaver();
  record(page, 'a');
  page.exchanges.storeWhileStreaming('a').settled();
  await pass(0);
  expect(await stored()).toEqual([]);
  await pass(1000);
  expect(await stored()).toEqual(['a']);
  expect(page.book.exchangeIds()).toEqual([]);
  const later = await open();
  expect(await later.exchanges.loadExchange('a')).toMatchObject({
    requestBody: '{"for":"a"}',
    raw: 'data: [DONE]\n\n',
    attempt: 1,
  });
  expect(await later.exchanges.loadExchange('b')).toBeNull();
});

it('gives a record while it still grows', async () => {
  const page = await open();
  record(page, 'a', 'data: 1');
  expect(await page.exchanges.loadExchange('a')).toMatchObject({ raw: 'data: 1' });
});

it('counts the requests of one answer', async () => {
  const page = await open();
  record(page, 'a');
  record(page, 'a', 'second');
  expect(await page.exchanges.loadExchange('a')).toMatchObject({ attempt: 2, raw: 'second' });
});

it('stores what had come when the page goes', async () => {
  const page = await open();
  page.store.changeDesk(() => toDesk(done('a', { phase: 'streaming' })));
  page.exchanges.openExchangeSaver();
  record(page, 'a', 'data: half');
  page.window.dispatchEvent(new Event('pagehide'));
  await pass(0);
  expect(await (await open()).exchanges.loadExchange('a')).toMatchObject({ raw: 'data: half' });
});

it('stores a streaming record at growing intervals, and all of it at the end', async () => {
  const page = await open();
  page.store.changeDesk(() => toDesk(done('a', { phase: 'streaming' })));
  const tap = page.book.openExchange('a');
  tap.onSent({ method: 'POST', path: '/chat', headers: {}, body: '{}' });
  const kept = page.exchanges.storeWhileStreaming('a');
  const readStored = async () => (await (await open()).exchanges.loadExchange('a'))?.raw;
  tap.onText('data: 1\n\n');
  await pass(400);
  expect(await stored()).toEqual([]);
  await pass(200);
  expect(await readStored()).toBe('data: 1\n\n');
  tap.onText('data: 2\n\n');
  await pass(500);
  expect(await readStored()).toBe('data: 1\n\n');
  await pass(500);
  expect(await readStored()).toBe('data: 1\n\ndata: 2\n\n');
  tap.onText('data: [DONE]\n\n');
  kept.settled();
  await pass(1000);
  expect(await readStored()).toBe('data: 1\n\ndata: 2\n\ndata: [DONE]\n\n');
  expect(page.book.exchangeIds()).toEqual([]);
});

it('stores what had come when the page is hidden', async () => {
  const page = await open();
  page.exchanges.openExchangeSaver();
  record(page, 'a', 'data: half');
  page.document.hidden = true;
  page.document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(await stored()).toEqual(['a']);
});

it('counts from the moment that a request is sent, however long it waited for a connection', async () => {
  const page = await open();
  page.exchanges.storeWhileStreaming('a');
  await pass(40_000);
  record(page, 'a', 'data: 1');
  await pass(600);
  expect(await stored()).toEqual(['a']);
});

it('waits for the end of a long body', async () => {
  const page = await open();
  record(page, 'a', 'x'.repeat(600_000));
  const kept = page.exchanges.storeWhileStreaming('a');
  await pass(5000);
  expect(await stored()).toEqual([]);
  kept.settled();
  await pass(1000);
  expect(await stored()).toEqual(['a']);
});

it('removes the records of deleted answers on the next page, when Undo is no longer possible', async () => {
  const page = await open();
  page.store.changeDesk(() => toDesk(done('a'), done('copy', { recordId: 'b' })));
  page.exchanges.openExchangeSaver();
  for (const id of ['a', 'b', 'c']) {
    record(page, id);
    page.exchanges.storeWhileStreaming(id).settled();
  }
  await pass(2000);
  page.exchanges.openExchangeSaver();
  await pass(0);
  expect(await stored()).toEqual(['a', 'b', 'c']);
  const later = await open();
  later.exchanges.openExchangeSaver();
  await pass(0);
  expect(await stored()).toEqual(['a', 'b']);
});

it('finds the record of an answer that was copied from another session', async () => {
  const page = await open();
  page.store.changeDesk(() => toDesk(done('a')));
  record(page, 'a');
  page.exchanges.storeWhileStreaming('a').settled();
  await pass(2000);
  page.store.showSession('another', toDesk(done('copy', { recordId: 'a' })));
  expect(await page.exchanges.loadExchange('a')).toMatchObject({ requestBody: '{"for":"a"}' });
});

it('keeps a record in memory where it can not be stored', async () => {
  const page = await open();
  record(page, 'a');
  kept.database.problem = QUOTA;
  page.exchanges.storeWhileStreaming('a').settled();
  await pass(2000);
  expect(await stored()).toEqual([]);
  expect(await page.exchanges.loadExchange('a')).not.toBeNull();
});
