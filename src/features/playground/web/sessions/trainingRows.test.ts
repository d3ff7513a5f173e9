// Collected training examples over several lives of a page, with a database in memory.
import { beforeEach, expect, it } from 'vitest';
import { EMPTY_DESK, toAnswerTurn, toPane, toPendingAnswer } from '#features/playground/web/desk/desk.ts';
import { keepStorage, openPage, pass, putRecords, toMessage } from '#features/playground/web/deskPage.fixture.ts';
import { keepLibrary, NO_LIBRARY } from '#features/playground/web/library/memoryLibrary.fixture.ts';
import { EXAMPLES } from '#features/playground/web/storage/deskDatabase.ts';
import { QUOTA } from '#ui/storage/fakeDatabase.fixture.ts';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';

const kept = keepStorage();
const library = keepLibrary();
const answer = {
  ...toPendingAnswer('a', 'm', 0),
  phase: 'done',
  message: { ...EMPTY_MESSAGE, text: 'Hello.', state: 'complete' },
} as const;
const DESK = {
  ...EMPTY_DESK,
  panes: [{ ...toPane('p', 'm'), turns: [toMessage('q', 'Hi'), toAnswerTurn('t', [answer])] }],
};

const open = () =>
  openPage(async () => ({
    list: { ...(await import('./trainingRows.ts')), ...(await import('./changeTrainingRows.ts')) },
    toast: await import('#ui/kit/toast.ts'),
  }));
type Page = Awaited<ReturnType<typeof open>>;
let page: Page;

const count = (each: Page): number | undefined => each.list.useTrainingRows.getState().rows?.length;
const load = async (each: Page) => {
  await each.list.loadTrainingRows();
  return count(each);
};
const said = (): readonly string[] => page.toast.readToasts().map(({ text }) => text);

beforeEach(async () => {
  library.refuse = NO_LIBRARY;
  page = await open();
  page.store.changeDesk(() => DESK);
});

it('are there in a later page, each once', async () => {
  await page.list.addTrainingRow('p', 't');
  await page.list.addTrainingRow('p', 't');
  expect(said()).toEqual([
    'Expected answer added: 1 training example to download.',
    'This example is in the list already.',
  ]);
  const later = await open();
  await later.list.loadTrainingRows();
  expect(count(later)).toBe(1);
});

it('are removed again by the Undo of the message, also from the storage', async () => {
  await page.list.addTrainingRow('p', 't');
  page.toast.readToasts()[0]?.action?.onSelect();
  await pass(0);
  expect(count(page)).toBe(0);
  await page.list.loadTrainingRows();
  expect(count(page)).toBe(0);
});

it('stay in the list where they can not be stored, and that is all that is said', async () => {
  kept.database.problem = QUOTA;
  await page.list.addTrainingRow('p', 't');
  expect(said()).toEqual([expect.stringContaining('could not be stored')]);
  kept.database.problem = null;
  await page.list.loadTrainingRows();
  expect(count(page)).toBe(1);
  const [row] = page.list.useTrainingRows.getState().rows ?? [];
  await page.list.removeTrainingRows(row ? [row] : [], null);
  await page.list.loadTrainingRows();
  expect(count(page)).toBe(0);
});

it('come back where their removal can not be stored', async () => {
  await page.list.addTrainingRow('p', 't');
  const rows = page.list.useTrainingRows.getState().rows ?? [];
  kept.database.problem = QUOTA;
  await page.list.removeTrainingRows(rows, 'Removed');
  await pass(0);
  expect(count(page)).toBe(1);
  expect(said().at(-1)).toContain('could not be removed');
});

it('that are removed while the list is read do not come back', async () => {
  await page.list.addTrainingRow('p', 't');
  const rows = page.list.useTrainingRows.getState().rows ?? [];
  await Promise.all([page.list.loadTrainingRows(), page.list.removeTrainingRows(rows, 'Removed')]);
  expect(count(page)).toBe(0);
  page.toast.readToasts().at(-1)?.action?.onSelect();
  await pass(0);
  expect(count(page)).toBe(1);
});

it('move to the studio once, also those that this browser kept before', async () => {
  await page.list.addTrainingRow('p', 't');
  library.refuse = () => null;
  const later = await open();
  await later.list.loadTrainingRows();
  const rows = later.list.useTrainingRows.getState().rows ?? [];
  expect(rows).toMatchObject([{ line: expect.stringContaining('Hello.') as string, item: { updated_by: 'Me' } }]);
  const third = await open();
  await third.list.loadTrainingRows();
  expect([count(third), library.items.size, library.asked.length]).toEqual([1, 1, 1]);
  await third.list.removeTrainingRows(third.list.useTrainingRows.getState().rows ?? [], 'Removed');
  expect([count(third), library.items.size]).toEqual([0, 0]);
  await later.list.loadTrainingRows();
  expect(count(later)).toBe(0);
});

it('stay where they are when the studio does not remove them, and a message says why', async () => {
  library.refuse = () => null;
  page = await open();
  page.store.changeDesk(() => DESK);
  await page.list.addTrainingRow('p', 't');
  library.refuse = (method) => (method === 'DELETE' ? Response.json({ error: 'Too busy.' }, { status: 503 }) : null);
  await page.list.removeTrainingRows(page.list.useTrainingRows.getState().rows ?? [], 'Removed');
  expect(count(page)).toBe(1);
  expect(said().at(-1)).toContain('were not removed. Too busy.');
});

const lines = async (...ids: readonly string[]) => {
  for (const [index, id] of ids.entries())
    await putRecords([[EXAMPLES, 'example', id], { id, addedAt: index, line: `{"of":"${id}"}` }]);
};
const rowsOf = () => page.list.useTrainingRows.getState().rows ?? [];

it.each(['a', 'b', 'c'])('that are removed while “%s” is sent to the studio do not come back', async (id) => {
  library.refuse = () => null;
  await lines('a', 'b', 'c');
  let isRemoved: Promise<void> | undefined;
  library.during(`PUT ${id}`, () => (isRemoved = page.list.removeTrainingRows(rowsOf(), 'Removed')));
  await page.list.loadTrainingRows();
  await isRemoved;
  expect([count(page), library.items.size, await open().then(load)]).toEqual([0, 0, 0]);
  page.toast.readToasts().at(-1)?.action?.onSelect();
  await expect.poll(() => [count(page), library.items.size]).toEqual([3, 3]);
});

it('of which one is removed while it is sent keep the others', async () => {
  library.refuse = () => null;
  await lines('a', 'b', 'c');
  library.during('PUT b', () => void page.list.removeTrainingRows(rowsOf().slice(1, 2), 'Removed'));
  await page.list.loadTrainingRows();
  expect([rowsOf().map(({ id }) => id), [...library.items.keys()]]).toEqual([
    ['a', 'c'],
    ['a', 'c'],
  ]);
});

it('that were removed before the studio stopped removing are counted and can be brought back', async () => {
  library.refuse = () => null;
  await lines('a', 'b', 'c');
  await page.list.loadTrainingRows();
  library.refuse = (method, id) =>
    method === 'DELETE' && id === 'c' ? Response.json({ error: 'Too busy.' }, { status: 503 }) : null;
  await page.list.removeTrainingRows(rowsOf(), 'Removed');
  expect(rowsOf().map(({ id }) => id)).toEqual(['c']);
  expect(said()).toEqual([expect.stringContaining('2 of 3 training examples were removed. Too busy.')]);
  page.toast.readToasts()[0]?.action?.onSelect();
  await expect.poll(() => [count(page), library.items.size]).toEqual([3, 3]);
});
