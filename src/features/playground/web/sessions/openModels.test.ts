// Models that are opened through the address, with a database in memory.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { MemoryLocks } from '#ui/storage/memoryLocks.fixture.ts';
import { toAnswerTurn, toPane, toPendingAnswer, type Desk } from '#features/playground/web/desk/desk.ts';
import { keepStorage, openPage, pass, toMessage } from '#features/playground/web/deskPage.fixture.ts';

const NONE = { about: '', tools: [], response_format: null, turns: null, continues_after_tool: null, prompts: [] };
const EXAMPLES: Readonly<Record<string, Examples>> = {
  triage: { ...NONE, model: 'triage', system_prompt: 'Classify the ticket.', turns: 'single' },
  orders: { ...NONE, model: 'orders', system_prompt: 'Use the tools.', turns: 'multi' },
};

keepStorage();

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
});

async function openTab() {
  const tab = await openPage(async () => {
    const [sessions, opening, source, url, toasts] = await Promise.all([
      import('./sessions.ts'),
      import('./openModels.ts'),
      import('#features/playground/web/desk/examplesSource.ts'),
      import('#ui/address/urlState.ts'),
      import('#ui/kit/toast.ts'),
    ]);
    return { sessions, opening, source, url, toasts };
  });
  const find = (model: string): Examples | null => EXAMPLES[model] ?? null;
  tab.source.setExamplesSource({ load: async (model) => find(model), peek: find });
  const goTo = (models: readonly string[]): void => {
    window.location.search = tab.url.toSearch('', { models });
  };
  const follow = async (models: readonly string[]): Promise<void> => {
    goTo(models);
    tab.opening.openModels(models);
    await vi.waitFor(async () => {
      await pass(1);
      expect(tab.readDesk().panes.map(({ model }) => model)).toEqual(models);
    });
    await pass(5);
  };
  /** What a person has said to the first pane, with a setting that does not suit other models. */
  const use = (): void => {
    const desk = tab.readDesk();
    tab.change({
      panes: desk.panes.map((pane, index) => (index === 0 ? { ...pane, turns: [toMessage('1')] } : pane)),
      shared: { ...desk.shared, temperature: 1.8 },
      draft: 'half',
    });
  };
  const titles = async (): Promise<readonly string[]> => (await tab.sessions.listSessions()).map(({ title }) => title);
  const undo = async (text: RegExp): Promise<void> => {
    const toast = tab.toasts.readToasts().findLast((each) => text.test(each.text));
    toast?.action?.onSelect();
    await pass(5);
  };
  return { ...tab, goTo, follow, use, titles, undo };
}

const OPENED = /^Opened in a new session\. “.*” is kept in Sessions\.$/;
const modelsOf = ({ panes }: Desk): readonly string[] => panes.map(({ model }) => model);

describe('a model that is opened', () => {
  it('takes the place of models that nobody has asked anything', async () => {
    const tab = await openTab();
    await tab.follow(['triage']);
    expect(tab.readDesk()).toMatchObject({ shared: { systemPrompt: 'Classify the ticket.' }, isAlone: true });
    await tab.follow(['orders']);
    expect(tab.readDesk().shared).toEqual({ systemPrompt: 'Use the tools.' });
    expect(tab.readDesk().isAlone).toBe(undefined);
    expect(tab.toasts.readToasts()).toEqual([]);
    expect(await tab.titles()).toHaveLength(1);
  });

  it('begins a session with nothing of the last one, and Undo brings that back whole', async () => {
    const tab = await openTab();
    await tab.follow(['triage']);
    tab.use();
    const before = tab.readDesk();
    await tab.follow(['orders']);
    expect(tab.readDesk()).toMatchObject({ shared: { systemPrompt: 'Use the tools.' }, draft: '', parked: [] });
    expect(tab.readDesk().shared.temperature).toBe(undefined);
    const [, kept] = await tab.titles();
    await tab.undo(OPENED);
    await vi.waitFor(() => expect(modelsOf(tab.readDesk())).toEqual(['triage']));
    expect(tab.readDesk()).toEqual(before);
    await pass(5);
    expect(await tab.titles()).toEqual([kept]);
  });

  it('joins the panes on show if they stay', async () => {
    const tab = await openTab();
    await tab.follow(['triage']);
    tab.use();
    await tab.follow(['triage', 'orders']);
    const [first, second] = tab.readDesk().panes;
    expect(first?.turns).toHaveLength(1);
    expect(second?.own.systemPrompt).toBe('Use the tools.');
    expect(tab.readDesk().shared).toMatchObject({ systemPrompt: 'Classify the ticket.', temperature: 1.8 });
  });

  it('replaces the panes where an answer is on its way; the session keeps its title, and Undo everything else', async () => {
    const tab = await openTab();
    await tab.follow(['triage']);
    const busy = {
      ...toPane('b', 'triage'),
      turns: [toMessage('1'), toAnswerTurn('2', [toPendingAnswer('a', 'm', 1)])],
    };
    tab.change({ panes: [busy], shared: { temperature: 1.8 }, draft: 'half' });
    const [title] = await tab.titles();
    await tab.follow(['orders']);
    expect(tab.readDesk()).toMatchObject({ title, shared: { systemPrompt: 'Use the tools.' }, draft: '' });
    expect(tab.readDesk().shared.temperature).toBe(undefined);
    expect(tab.readDesk().parked).toHaveLength(1);
    await tab.undo(/^Replaced 1 pane; conversation saved$/);
    expect(tab.readDesk()).toMatchObject({ panes: [{ id: 'b' }], shared: { temperature: 1.8 }, draft: 'half' });
  });
});

it('a newer address wins over a model that still waits for examples', async () => {
  const tab = await openTab();
  await tab.follow(['triage']);
  tab.use();
  tab.source.setExamplesSource({ load: () => new Promise(() => undefined), peek: () => null });
  const replace = vi.spyOn(window.history, 'replaceState');
  tab.goTo(['orders']);
  tab.opening.openModels(['orders']);
  expect(tab.store.useDesk.getState().storage.isLoaded).toBe(false);
  tab.goTo(['replies']);
  await pass(3_100);
  await vi.waitFor(() => expect(tab.store.useDesk.getState().storage.isLoaded).toBe(true));
  expect(modelsOf(tab.readDesk())).toEqual(['triage']);
  expect(replace).not.toHaveBeenCalled();
  await tab.sessions.newSession(undefined, () => false);
  expect(replace).not.toHaveBeenCalled();
  await tab.sessions.newSession();
  expect(replace).toHaveBeenCalledOnce();
});

it('Back returns to the session that was left', async () => {
  const tab = await openTab();
  tab.url.subscribeUrl(() => undefined);
  await tab.follow(['triage']);
  tab.use();
  const before = tab.readDesk();
  await tab.follow(['orders']);
  tab.window.dispatchEvent(new Event('popstate'));
  await tab.follow(['triage']);
  expect(tab.readDesk()).toEqual(before);
});
