// The stored conversations of several tabs, and those of a tab that changes to another session.
import { describe, expect, it, vi } from 'vitest';
import { MemoryLocks } from '#ui/storage/memoryLocks.fixture.ts';
import { EMPTY_DESK, toPane, toPendingAnswer, type Answer, type Turn } from '#features/playground/web/desk/desk.ts';
import { isRetryable } from '#features/playground/web/desk/sampleRetry.ts';
import {
  keepStorage,
  openPage,
  pass,
  putRecords,
  readRecords,
  readStored,
  toMessage,
} from '#features/playground/web/deskPage.fixture.ts';
import { toStoredDesk } from './deskRecords.ts';
import { QUOTA } from '#ui/storage/fakeDatabase.fixture.ts';

const kept = keepStorage();
const open = (search = '') => openPage(async () => ({}), { search });
const STORED = { isStored: true, findObstacle: () => null, onShown: () => undefined };
const deskId = (): string => kept.session.get('studio.desk') ?? '';

it('stores text typed during a change of session in the old session', async () => {
  const page = await open();
  page.change({ draft: 'two' });
  kept.database.hold();
  const entered = page.saver.enterSession('other', EMPTY_DESK, STORED);
  page.change({ draft: 'two and three' });
  kept.database.release?.();
  expect(await entered).toBe(null);
  const own = (await readRecords()).find(([key]) => key[1] === 'desk' && key[0] !== 'other');
  expect(own?.[1]).toMatchObject({ draft: 'two and three' });
});

it('stays in a session whose last write, still on its way, fails', async () => {
  const page = await open();
  page.change({ draft: 'kept' });
  kept.database.hold();
  const first = page.saver.saveNow();
  const entered = page.saver.enterSession('other', EMPTY_DESK, STORED);
  kept.database.problem = QUOTA;
  kept.database.release?.();
  await first;
  expect(await entered).toMatch(/could not be stored/);
  expect(page.readDesk().draft).toBe('kept');
});

describe('several tabs', () => {
  it('start from a copy when one is duplicated, and leave each other alone from there', async () => {
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    const first = await open();
    const [id, desk] = [deskId(), { ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [toMessage('1')] }] }];
    first.change(desk);
    await pass(1000);
    const second = await open();
    expect(second.readDesk()).toEqual(desk);
    expect(deskId()).not.toBe(id);
    second.change({ draft: 'second' });
    await pass(1000);
    // The copy is whole, and the first tab's is as it was.
    expect(await readStored([deskId(), 'turn', '1'])).toEqual(toMessage('1'));
    expect(await readStored([id, 'desk', ''])).toMatchObject({ draft: '' });
  });

  it('mark a streaming answer as copied while the original tab still streams it', async () => {
    const locks = new MemoryLocks();
    vi.stubGlobal('navigator', { locks });
    const first = await open();
    const answer: Answer = { ...toPendingAnswer('a', 'm', 1), phase: 'streaming' };
    const turn: Turn = { id: 't', role: 'assistant', versions: [answer], shown: 0 };
    first.change({ panes: [{ ...toPane('p', 'm'), turns: [toMessage('1'), turn] }] });
    await pass(1000);
    const copied = { versions: [{ id: 'a', phase: 'interrupted', isCopied: true }] };
    const [pane] = (await open()).readDesk().panes;
    expect(pane?.turns[1]).toMatchObject(copied);
    expect(pane && isRetryable(pane)).toBe(false);
    // It stays so in the copy.
    await pass(1000);
    locks.held.clear();
    expect((await open()).readDesk().panes[0]?.turns[1]).toMatchObject(copied);
  });

  it.each([
    ['?models=a', 1],
    ['', 1],
    ['?models=b', 0],
    ['?models=a,b', 0],
  ])(
    'go on with the newest conversation in a new one, unless the link %j asks for other models',
    async (search, panes) => {
      vi.stubGlobal('navigator', { locks: new MemoryLocks() });
      const stored = {
        ...toStoredDesk({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [toMessage('1')] }] }),
        savedAt: 1,
      };
      await putRecords([['old', 'desk', ''], stored], [['old', 'turn', '1'], toMessage('1')]);
      const page = await open(search);
      page.change({ draft: 'new' });
      await pass(1000);
      expect(page.readDesk().panes).toHaveLength(panes);
      expect(deskId() === 'old').toBe(panes === 1);
      expect(await readStored(['old', 'desk', ''])).toMatchObject({
        panes: [{ model: 'a', turnIds: ['1'] }],
        draft: panes === 1 ? 'new' : '',
      });
    },
  );

  it('find a session that another tab has open with the models of the address', async () => {
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    const talk = (model: string) => ({ panes: [{ ...toPane('p', model), turns: [toMessage('1')] }] });
    await putRecords(
      [['old', 'desk', ''], { ...toStoredDesk({ ...EMPTY_DESK, ...talk('b') }), savedAt: 1 }],
      [['old', 'turn', '1'], toMessage('1')],
    );
    const first = await open('?models=a');
    first.change({ ...talk('a'), title: 'Mine' });
    await first.saver.saveNow();
    kept.session.clear();
    const page = await open('?models=a');
    expect(page.saver.takeDisplacedSession()).toMatchObject({ id: 'old', elsewhereTitle: 'Mine' });
    expect(page.readDesk().panes).toEqual([]);
  });

  it.each([
    ['another', '?models=b', [toMessage('1')], []],
    ['the same', '?models=a', [toMessage('1')], ['a']],
    ['none', '', [toMessage('1')], ['a']],
    ['another, before anything was said,', '?models=b', [], ['a']],
  ])(
    'leave the own session whole at a load whose address asks for other models: %s',
    async (_what, search, turns, models) => {
      const locks = new MemoryLocks();
      vi.stubGlobal('navigator', { locks });
      const first = await open('?models=a');
      const id = deskId();
      first.change({ ...EMPTY_DESK, title: 'Mine', panes: [{ ...toPane('p', 'a'), turns }] });
      await first.saver.saveNow();
      locks.held.clear();
      const page = await open(search);
      const isDisplaced = models.length === 0;
      expect(page.readDesk().panes.map(({ model }) => model)).toEqual(models);
      expect([page.saver.takeDisplacedSession(), page.saver.takeDisplacedSession()]).toEqual([
        isDisplaced ? { id, title: 'Mine', elsewhereTitle: null } : null,
        null,
      ]);
      expect(deskId() === id).toBe(!isDisplaced);
      expect(await readStored([id, 'desk', ''])).toMatchObject({
        title: 'Mine',
        panes: [{ model: 'a' }],
        parked: [],
      });
    },
  );

  it('keep the blank desks that were written last, and delete the others with all their records', async () => {
    const key = (index: number): string => `desk${String(index).padStart(2, '0')}`;
    for (let index = 0; index < 15; index += 1)
      await putRecords(
        [[key(index), 'desk', ''], { ...toStoredDesk(EMPTY_DESK), savedAt: index }],
        [[key(index), 'turn', 't'], toMessage('t')],
      );
    await open();
    const records = await readRecords();
    const remaining = [...new Set(records.map(([[desk]]) => desk))];
    expect(remaining).toEqual(Array.from({ length: 12 }, (_, index) => key(index + 3)));
    expect(records).toHaveLength(24);
  });
});
