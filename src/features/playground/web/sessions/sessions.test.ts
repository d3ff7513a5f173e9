// Sessions over several tabs and lives of a page, with a database in memory that can be full.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryLocks } from '#ui/storage/memoryLocks.fixture.ts';
import { toAnswerTurn, toPane, toPendingAnswer, type Desk, type Turn } from '#features/playground/web/desk/desk.ts';
import {
  keepStorage,
  openPage,
  putRecords,
  readRecords,
  toMessage,
} from '#features/playground/web/deskPage.fixture.ts';

const pane = (...turns: readonly Turn[]): Partial<Desk> => ({ panes: [{ ...toPane('p', 'm'), turns }] });

const kept = keepStorage();
let locks: MemoryLocks;

beforeEach(() => {
  locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
});

/** A tab: its own storage and its own copy of the code; database and locks are everyone's. */
async function openTab(session = new Map<string, string>()) {
  const tab = await openPage(async () => ({ sessions: await import('./sessions.ts') }), { session });
  const titles = async (): Promise<readonly string[]> => (await tab.sessions.listSessions()).map(({ title }) => title);
  const idOf = async (title: string): Promise<string> =>
    (await tab.sessions.listSessions()).find((session) => session.title === title)?.id ?? '';
  return { ...tab, titles, idOf };
}

describe('a new session', () => {
  it('keeps models, settings and values, and says nothing yet', async () => {
    const tab = await openTab();
    tab.change({ ...pane(toMessage('1')), shared: { seed: 3 }, values: { x: 'y' }, draft: 'half', title: 'Mine' });
    expect(await tab.sessions.newSession()).toBe(null);
    expect(tab.readDesk()).toMatchObject({
      panes: [{ model: 'm', turns: [] }],
      parked: [],
      draft: '',
      shared: { seed: 3 },
      values: { x: 'y' },
    });
    expect(tab.readDesk().title).toBe(undefined);
    vi.setSystemTime(1_000_500);
    tab.change({ draft: 'later' });
    expect(await tab.titles()).toEqual(['later', 'Mine']);
  });

  it('waits for answers, also of panes that are out of view', async () => {
    const tab = await openTab();
    tab.change({
      panes: [toPane('q', 'm')],
      parked: [{ ...toPane('p', 'm'), turns: [toMessage('1'), toAnswerTurn('2', [toPendingAnswer('a', 'm', 1)])] }],
    });
    expect(await tab.sessions.newSession()).toBe('An answer is being generated. Wait for it or stop it.');
    expect(tab.readDesk().parked).toHaveLength(1);
  });

  it('is not begun without storage', async () => {
    kept.database.isClosed = true;
    const tab = await openTab();
    tab.change(pane(toMessage('1')));
    expect(await tab.sessions.newSession()).toBe(tab.sessions.NO_DATABASE);
    expect(tab.readDesk().panes[0]?.turns).toHaveLength(1);
  });
});

describe('opening', () => {
  it('goes back and forth, a reload stays where it was', async () => {
    const session = new Map<string, string>();
    const tab = await openTab(session);
    tab.change({ ...pane(toMessage('1', 'First')), draft: 'half' });
    await tab.sessions.newSession();
    tab.change(pane(toMessage('2', 'Second')));
    expect(await tab.sessions.openSession(await tab.idOf('First'))).toBe(null);
    expect([tab.readDesk().draft, tab.readDesk().panes[0]?.turns]).toEqual(['half', [toMessage('1', 'First')]]);
    tab.change({ draft: 'changed' });
    await tab.saver.saveNow();
    locks.held.clear();
    expect((await openTab(session)).readDesk()).toMatchObject({
      draft: 'changed',
      panes: [{ turns: [{ content: 'First' }] }],
    });
  });

  it('leaves to another tab what it has open, until it lets go', async () => {
    const other = await openTab();
    other.change(pane(toMessage('1', 'Theirs')));
    await other.saver.saveNow();
    const tab = await openTab();
    tab.change(pane(toMessage('2', 'Mine')));
    const id = await tab.idOf('Theirs');
    expect((await tab.sessions.listSessions()).find((each) => each.id === id)).toMatchObject({
      isElsewhere: true,
      isCurrent: false,
    });
    expect(await tab.sessions.openSession(id)).toBe('This session is open in another tab.');
    expect(await tab.sessions.deleteSession(id)).toEqual({ problem: 'This session is open in another tab.' });
    expect(await tab.sessions.renameSession(id, 'Stolen')).toBe('This session is open in another tab.');
    await other.sessions.newSession();
    expect(await tab.sessions.openSession(id)).toBe(null);
    expect(tab.readDesk().panes[0]?.turns).toEqual([toMessage('1', 'Theirs')]);
  });

  it('keeps other tabs out until this tab leaves it, even after it was opened twice or renamed', async () => {
    const tab = await openTab();
    tab.change(pane(toMessage('1', 'First')));
    const first = tab.store.readSessionId();
    await tab.sessions.newSession();
    tab.change(pane(toMessage('2', 'Second')));
    await tab.saver.saveNow();
    const second = tab.store.readSessionId();
    expect(
      await Promise.all([
        tab.sessions.renameSession(first, 'Named'),
        tab.sessions.openSession(first),
        tab.sessions.openSession(first),
      ]),
    ).toEqual([null, null, null]);
    expect([tab.store.readSessionId(), ...locks.held]).toEqual([first, `studio.desk.${first}`]);
    await tab.sessions.openSession(second);
    expect([...locks.held]).toEqual([`studio.desk.${second}`]);
  });

  it.each(['openSession', 'newSession'] as const)(
    '%s leaves a page alone that went elsewhere meanwhile',
    async (act) => {
      const tab = await openTab();
      tab.change(pane(toMessage('1', 'First')));
      const first = tab.store.readSessionId();
      await tab.sessions.newSession();
      tab.change({ ...pane(toMessage('2', 'Second')), draft: 'half' });
      const replace = vi.spyOn(window.history, 'replaceState');
      kept.database.hold();
      const opened = act === 'openSession' ? tab.sessions.openSession(first) : tab.sessions.newSession();
      window.location.search = '?models=other';
      kept.database.release?.();
      expect(await opened).toMatch(/other models were opened in the meantime/);
      expect(replace).not.toHaveBeenCalled();
      expect(tab.readDesk()).toMatchObject({ draft: 'half', panes: [{ turns: [{ content: 'Second' }] }] });
      expect([...locks.held]).toEqual([`studio.desk.${tab.store.readSessionId()}`]);
    },
  );

  it('says what can’t be read, and touches nothing', async () => {
    const tab = await openTab();
    tab.change(pane(toMessage('1')));
    await tab.saver.saveNow();
    await putRecords([['bad', 'desk', ''], { version: 9, panes: [] }], [['worse', 'desk', ''], 'text']);
    expect(await tab.sessions.openSession('bad')).toMatch(/^It comes from a newer version/);
    expect(await tab.sessions.openSession('worse')).toMatch(/can’t be read/);
    expect(await tab.sessions.openSession('gone')).toMatch(/^It was deleted/);
    expect(tab.readDesk().panes[0]?.turns).toEqual([toMessage('1')]);
    expect(locks.held.size).toBe(1);
  });
});

it('a deleted session comes back as it was', async () => {
  const tab = await openTab();
  tab.change({ ...pane(toMessage('1', 'One')), draft: 'half' });
  await tab.sessions.newSession();
  tab.change(pane(toMessage('2', 'Two')));
  const [id, before] = [await tab.idOf('One'), (await readRecords()).length];
  const deleted = await tab.sessions.deleteSession(id);
  expect(await tab.titles()).toEqual(['Two']);
  if ('restore' in deleted) await deleted.restore();
  expect(await readRecords()).toHaveLength(before);
  expect(await tab.sessions.openSession(id)).toBe(null);
  expect(tab.readDesk()).toMatchObject({ draft: 'half', panes: [{ turns: [{ content: 'One' }] }] });
});

it('a new session replaces the one on show when it is deleted', async () => {
  const tab = await openTab();
  tab.change(pane(toMessage('1', 'One')));
  expect(await tab.sessions.deleteSession(tab.store.readSessionId())).toHaveProperty('restore');
  expect(tab.readDesk().panes).toMatchObject([{ model: 'm', turns: [] }]);
  expect(await tab.titles()).toEqual(['New session']);
});

it('a title stays until it is removed', async () => {
  const tab = await openTab();
  tab.change(pane(toMessage('1', 'One')));
  const id = tab.store.readSessionId();
  await tab.sessions.renameSession(id, 'Named');
  await tab.sessions.newSession();
  tab.change(pane(toMessage('2', 'Two')));
  expect(await tab.titles()).toContain('Named');
  await tab.sessions.renameSession(id, '');
  expect(await tab.titles()).toContain('One');
});

it('imported sessions are added to the existing ones', async () => {
  const tab = await openTab();
  tab.change(pane(toMessage('1', 'One')));
  const exported = await tab.sessions.readSessions(await tab.sessions.listSessions());
  await tab.sessions.storeSessions(
    exported.map(({ desk, savedAt }) => ({ savedAt, desk: { ...desk, title: 'Copy' } })),
  );
  expect([...(await tab.titles())].sort()).toEqual(['Copy', 'One']);
});

it('no conversation is ever deleted automatically, however many there are; blank ones are', async () => {
  const stored = (turnIds: readonly string[]): unknown => ({
    version: 2,
    panes: [{ id: 'p', model: 'm', own: {}, turnIds }],
    parked: [],
    draft: '',
    shared: {},
    savedAt: 1,
  });
  for (let at = 0; at < 40; at += 1)
    await putRecords([[`full${at}`, 'desk', ''], stored([`t${at}`])], [[`blank${at}`, 'desk', ''], stored([])]);
  await openTab();
  const remaining = (await readRecords()).map(([[desk]]) => desk);
  expect([
    remaining.filter((id) => id.startsWith('full')).length,
    remaining.filter((id) => id.startsWith('blank')).length,
  ]).toEqual([40, 12]);
});

it('a fork has the conversation up to a message, one pane, and ids of its own', async () => {
  const tab = await openTab();
  tab.change({ ...pane(toMessage('1'), toMessage('2'), toMessage('3')), shared: { seed: 1 } });
  expect(await tab.sessions.forkToSession('p', '2')).toBe(null);
  expect(tab.readDesk()).toMatchObject({
    shared: { seed: 1 },
    panes: [{ model: 'm', turns: [{ content: 'message 1' }, { content: 'message 2' }] }],
  });
  expect(tab.readDesk().panes[0]?.turns[0]?.id).not.toBe('1');
});

it('the title of a fork comes from its original', async () => {
  const tab = await openTab();
  tab.change(pane(toMessage('1', 'Mine')));
  await tab.sessions.forkToSession('p', null);
  expect(tab.readDesk().title).toBe('Mine (fork)');
  await tab.sessions.forkToSession(tab.readDesk().panes[0]?.id ?? '', null);
  expect(tab.readDesk().title).toBe('Mine (fork 2)');
  expect((await tab.titles()).toSorted()).toEqual(['Mine', 'Mine (fork 2)', 'Mine (fork)']);
});

it('leaving a session that can’t be rendered begins one with its models only, even while an answer streams', async () => {
  const tab = await openTab();
  const turns = [toMessage('1', 'Bad'), toAnswerTurn('2', [toPendingAnswer('a', 'm', 1)])];
  tab.change({
    panes: [{ ...toPane('p', 'm'), own: { seed: 1 }, turns }],
    shared: { systemPrompt: 'bad' },
    values: { bad: 'x' },
  });
  const id = tab.store.readSessionId();
  expect(await tab.sessions.leaveSession()).toBe(null);
  expect(tab.readDesk()).toEqual({
    panes: [{ id: expect.any(String), model: 'm', own: {}, turns: [] }],
    parked: [],
    draft: '',
    shared: {},
  });
  expect((await tab.sessions.listSessions()).find((session) => session.id === id)).toMatchObject({
    title: 'Bad',
    turnCount: 2,
  });
  await tab.sessions.openSession(id);
  expect(tab.readDesk().panes[0]).toMatchObject({
    own: { seed: 1 },
    turns: [{ content: 'Bad' }, { versions: [{ phase: 'interrupted' }] }],
  });
});

it('an undo of another session changes nothing', async () => {
  const tab = await openTab();
  tab.change(pane(toMessage('1')));
  const { changeWithUndo } = await import('#features/playground/web/desk/undo.ts');
  const { readToasts } = await import('#ui/kit/toast.ts');
  changeWithUndo(
    'Reset',
    (desk) => ({ ...desk, draft: 'x' }),
    (desk) => ({ ...desk, draft: 'undone' }),
  );
  const undo = readToasts().at(-1)?.action;
  await tab.sessions.newSession();
  undo?.onSelect();
  expect(tab.readDesk().draft).toBe('');
});
