// What is said where conversations can't be stored or read, and what stays of them.
import { describe, expect, it } from 'vitest';
import { EMPTY_DESK, toPane } from '#features/playground/web/desk/desk.ts';
import {
  keepStorage,
  openPage,
  pass,
  putRecords,
  readStored,
  toMessage,
} from '#features/playground/web/deskPage.fixture.ts';
import { toStoredDesk } from './deskRecords.ts';
import { QUOTA } from '#ui/storage/fakeDatabase.fixture.ts';

const kept = keepStorage();
const open = () => openPage(async () => ({ actions: await import('#features/playground/web/desk/actions.ts') }));

describe('a problem', () => {
  it('with the whole database is said; the playground works on', async () => {
    kept.database.isClosed = true;
    const page = await open();
    expect(page.readProblem()).toContain('does not let the page store anything');
    expect(page.store.useDesk.getState().storage.isLoaded).toBe(true);
    page.change({ draft: 'x' });
    await pass(5000);
    expect(page.readDesk().draft).toBe('x');
  });

  it.each<[string, DOMException, string]>([
    ['a full disk', QUOTA, 'storage is full'],
    ['anything else', new DOMException('broken', 'UnknownError'), 'does not let the page store anything'],
  ])(
    'with writing is said: %s. It is over when writing works again, and nothing is missing then',
    async (_what, problem, words) => {
      const page = await open();
      kept.database.problem = problem;
      page.change({ panes: [{ ...toPane('p', 'a'), turns: [toMessage('1')] }] });
      await pass(1000);
      expect(page.readProblem()).toContain(words);
      expect(page.readDesk().panes[0]?.turns).toHaveLength(1);
      kept.database.problem = null;
      page.change({ draft: 'x' });
      await pass(1000);
      expect(page.readProblem()).toBeNull();
      expect((await open()).readDesk()).toEqual(page.readDesk());
    },
  );

  it('with two writes at once loses nothing of either', async () => {
    const page = await open();
    kept.database.hold();
    page.change({ panes: [{ ...toPane('p', 'a'), turns: [toMessage('1')] }] });
    const first = page.saver.saveNow();
    page.change({ panes: [{ ...toPane('p', 'a'), turns: [...page.readDesk().panes[0]!.turns, toMessage('2')] }] });
    const second = page.saver.saveNow();
    kept.database.problem = QUOTA;
    kept.database.release?.();
    await Promise.all([first, second]);
    kept.database.problem = null;
    page.change({ draft: 'x' });
    await pass(1000);
    const next = await open();
    expect([next.readDesk(), next.readProblem()]).toEqual([page.readDesk(), null]);
  });

  it.each<[string, unknown, string, 'desk' | 'aside']>([
    ['another version', { ...toStoredDesk(EMPTY_DESK), version: 9 }, 'newer version', 'desk'],
    [
      'a pane without its turns',
      toStoredDesk({ ...EMPTY_DESK, panes: [{ ...toPane('p', 'a'), turns: [toMessage('lost')] }] }),
      'Some stored conversations were damaged',
      'aside',
    ],
    ['no desk at all', 'garbage', 'The stored conversations were damaged', 'aside'],
  ])(
    'with what is stored is said, and can be dismissed; nothing of it is wiped: %s',
    async (_what, value, words, place) => {
      kept.session.set('studio.desk', 'mine');
      await putRecords([['mine', 'desk', ''], value], [['mine', 'turn', 'x'], 'unreadable']);
      const page = await open();
      expect(page.readProblem()).toContain(words);
      page.actions.dismissStorageProblem();
      expect(page.readProblem()).toBeNull();
      page.change({ draft: 'goes on' });
      await pass(1000);
      const next = await open();
      expect(next.readDesk().draft).toBe('goes on');
      // A newer studio's record stays where it was; one that is damaged is put aside.
      expect(await readStored(['mine', place, place === 'desk' ? '' : '1000000'])).toEqual(value);
      expect(await readStored(['mine', 'turn', 'x'])).toBe('unreadable');
    },
  );

  it('that is a deletion in another tab leaves nothing in this tab that a reload brings back', async () => {
    const page = await open();
    page.change({ draft: 'secret' });
    await pass(200);
    expect(kept.session.get('studio.desk.tail')).toContain('secret');
    await kept.database.delete();
    expect(page.readProblem()).toContain('were deleted in another tab');
    page.change({ draft: 'secret again' });
    await pass(5000);
    page.window.dispatchEvent(new Event('pagehide'));
    expect(kept.session.has('studio.desk.tail')).toBe(false);
    const next = await open();
    expect([next.readDesk().draft, next.readProblem()]).toEqual(['', null]);
  });
});
