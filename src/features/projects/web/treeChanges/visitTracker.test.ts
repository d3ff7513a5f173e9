import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { FakeDatabase } from '#ui/storage/fakeDatabase.fixture.ts';
import { TEST_TREE } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { HIDDEN_MS, REOPEN_MS } from './visitChanges.ts';
import { openVisitDatabase, readVisit } from './visitDatabase.ts';
import { startVisit, type VisitTracker } from './visitTracker.ts';

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';

  turn(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

const LATER: TreeNode = { ...TEST_TREE, status: 'later' };
const START = 1_000_000;

let database: FakeDatabase;
let page: FakePage;
let open: VisitTracker[];

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  database = new FakeDatabase('studio.visits', openVisitDatabase);
  database.stub();
  page = new FakePage();
  open = [];
});
afterEach(() => {
  for (const tracker of open) tracker.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function start(project: TreeNode = TEST_TREE): Promise<VisitTracker> {
  const tracker = await startVisit(project, page as unknown as Document);
  open.push(tracker);
  await database.settle();
  return tracker;
}

/** When the previous visit ended, and the project's status then and when last seen. */
async function read(): Promise<readonly unknown[]> {
  await database.settle();
  const visit = await readVisit(await openVisitDatabase(), 'p');
  return [visit?.previous?.at ?? null, visit?.previous?.statuses.get('p') ?? null, visit?.seen.statuses.get('p')];
}

it('has no previous visit at first, and still none after a reload', async () => {
  const first = await start();
  expect(await read()).toEqual([null, null, '']);
  first.stop();
  await database.pass(REOPEN_MS - 1_000);
  await start(LATER);
  expect(await read()).toEqual([null, null, 'later']);
});

it('compares with what was last seen before the page closed, however long it was open', async () => {
  const first = await start();
  first.see(LATER);
  await database.pass(3 * HIDDEN_MS);
  first.stop();
  await database.pass(REOPEN_MS + 1_000);
  await start();
  expect(await read()).toEqual([START + 3 * HIDDEN_MS, 'later', '']);
});

it('goes on after a short absence, and begins a new visit after a long one', async () => {
  await start();
  page.turn('hidden');
  await database.pass(HIDDEN_MS - 1_000);
  page.turn('visible');
  expect(await read()).toEqual([null, null, '']);
  const hiddenAt = Date.now();
  page.turn('hidden');
  await database.pass(HIDDEN_MS + 1_000);
  page.turn('visible');
  expect(await read()).toEqual([hiddenAt, '', '']);
});

it('does not count as seen what changes while the page is hidden', async () => {
  const tracker = await start();
  page.turn('hidden');
  tracker.see(LATER);
  await database.pass(REOPEN_MS);
  expect(await read()).toEqual([null, null, '']);
  page.turn('visible');
  expect(await read()).toEqual([null, null, 'later']);
});

it('rejects where the browser keeps nothing', async () => {
  database.isClosed = true;
  await expect(startVisit(TEST_TREE, page as unknown as Document)).rejects.toThrow('denied');
});
