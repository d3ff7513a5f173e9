// What a person is asked before a run is cancelled, and told when a job has ended.
import { beforeEach, test, vi } from 'vitest';
import { expect } from './expect.ts';
import { keepEmpty, openCancel, openJobEnds } from './openEnds.tsx';

keepEmpty();

const toId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [PROJECT, JOB] = [toId(1), toId(4)];

const toNode = (type: string, number: number, status: string, children: readonly unknown[]) => ({
  id: toId(number),
  type,
  label: type,
  status,
  children,
  metadata: {},
});

/** A project with one job, whose runs have these statuses. */
function toProject(runs: readonly string[]) {
  const children = runs.map((status, at) => toNode('experiment', 10 + at, status, []));
  const job = { ...toNode('finetuning-job', 4, 'processing', children), label: 'Round 3' };
  const isDone = !runs.includes('running');
  const snapshot = toNode('snapshot', 3, 'completed', [{ ...job, status: isDone ? 'completed' : 'processing' }]);
  return {
    id: PROJECT,
    type: 'project',
    name: 'Desk',
    children: [toNode('dataset', 2, 'completed', [snapshot])],
  };
}

for (const statuses of [['queued'], ['pending', 'queued']])
  test(`what only waits is cancelled at once: ${statuses.join()}`, async () => {
    const onCancel = vi.fn<() => void>();
    const page = openCancel(statuses, onCancel);
    await page.getByRole('button', { name: 'Cancel job' }).click();
    expect(onCancel).toHaveBeenCalledOnce();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

for (const statuses of [['running'], ['succeeded', 'deploying'], ['queued', 'running']])
  test(`steps that were trained are lost only after a question: ${statuses.join()}`, async () => {
    const onCancel = vi.fn<() => void>();
    const page = openCancel(statuses, onCancel);
    const dialog = page.getByRole('dialog', { name: 'Cancel job?' });
    const button = page.getByRole('button', { name: 'Cancel job', exact: true }).first();
    await button.click();
    await expect(dialog.getByText(/^The steps that were trained are lost\./)).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep training' }).click();
    await expect(dialog).toHaveCount(0);
    expect(onCancel).not.toHaveBeenCalled();
    await button.click();
    await dialog.getByRole('button', { name: 'Cancel job' }).click();
    expect(onCancel).toHaveBeenCalledOnce();
    await expect(dialog).toHaveCount(0);
  });

let shown: { title: string; options: NotificationOptions; click: () => void }[] = [];
beforeEach(() => {
  shown = [];
});

/** The browser's notifications, as a person has allowed or refused them. */
function allow(permission: NotificationPermission): void {
  class Spy extends EventTarget {
    static permission = permission;
    close = (): void => undefined;
    constructor(title: string, options: NotificationOptions) {
      super();
      shown.push({ title, options, click: () => this.dispatchEvent(new Event('click')) });
    }
  }
  vi.stubGlobal('Notification', Spy);
}

for (const { permission, isAway } of [
  { permission: 'granted', isAway: true },
  { permission: 'denied', isAway: true },
  { permission: 'granted', isAway: false },
] as const)
  test(`a job ends, notifications ${permission}, somebody ${isAway ? 'is away' : 'looks'}`, async () => {
    allow(permission);
    vi.spyOn(document, 'hasFocus').mockReturnValue(!isAway);
    let runs = ['running', 'failed'];
    vi.stubGlobal('fetch', async () => Response.json({ project: toProject(runs) }));
    const opened: string[] = [];
    const { page, ask } = await openJobEnds(PROJECT, (id) => void opened.push(id));
    const message = page.getByText('Round 3 has ended: 1 run done, 1 failed.');
    // The same once more says nothing new.
    await ask();
    expect(shown).toEqual([]);
    runs = ['succeeded', 'failed'];
    await ask();
    await expect(message).toBeVisible();
    expect(document.title).toBe(isAway ? '(1) Model Studio' : 'Model Studio');
    const isTold = isAway && permission === 'granted';
    expect(shown.map(({ title, options }) => [title, options])).toEqual(
      isTold ? [['Model Studio', { body: 'Round 3 has ended: 1 run done, 1 failed.', tag: JOB }]] : [],
    );
    shown[0]?.click();
    expect(opened).toEqual(isTold ? [JOB] : []);
    window.dispatchEvent(new Event('focus'));
    // Still nobody there.
    expect(document.title).toBe(isAway ? '(1) Model Studio' : 'Model Studio');
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    window.dispatchEvent(new Event('focus'));
    expect(document.title).toBe('Model Studio');
  });
