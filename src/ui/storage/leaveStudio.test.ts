import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLeaveNotice } from './leaveNotice.ts';
import { leaveStudio } from './leaveStudio.ts';

/** What happened, in its order. */
let steps: string[] = [];
let page: EventTarget;

/** A storage of a browser: its keys are its own properties. */
function toStorage(entries: Record<string, string>): Record<string, string> {
  return Object.create(
    {
      getItem(this: Record<string, string>, key: string) {
        return this[key] ?? null;
      },
      setItem(this: Record<string, string>, key: string, value: string) {
        this[key] = value;
      },
      removeItem(this: Record<string, string>, key: string) {
        delete this[key];
      },
    },
    Object.getOwnPropertyDescriptors(entries),
  ) as Record<string, string>;
}

const DELETIONS = ['delete studio.playground', 'delete studio.grids', 'delete studio.visits'];

function stubDeletion(type: 'success' | 'blocked'): void {
  vi.stubGlobal('indexedDB', {
    deleteDatabase(name: string) {
      steps.push(`delete ${name}`);
      const request = new EventTarget();
      queueMicrotask(() => request.dispatchEvent(new Event(name === 'studio.grids' ? type : 'success')));
      return request;
    },
  });
}

/** A sign-out that takes effect, with what is to be said of it. */
const toSignOut =
  (warning: string | null = null) =>
  (): Promise<string | null> => {
    steps.push('sign out');
    return Promise.resolve(warning);
  };

beforeEach(() => {
  steps = [];
  page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('localStorage', toStorage({ 'studio.theme': 'dark', other: 'x' }));
  vi.stubGlobal('sessionStorage', toStorage({ 'studio.desk': 'mine' }));
  stubDeletion('success');
});
afterEach(() => vi.unstubAllGlobals());

const readKept = (): readonly string[] => [...Object.keys(localStorage), ...Object.keys(sessionStorage)];

it('signs out first, then deletes', async () => {
  await leaveStudio(true, toSignOut());
  expect(steps).toEqual(['sign out', ...DELETIONS]);
  expect([readKept(), readLeaveNotice()]).toEqual([['other'], null]);
});

it('deletes nothing unless asked to', async () => {
  await leaveStudio(false, toSignOut());
  expect([steps, readKept()]).toEqual([['sign out'], ['studio.theme', 'other', 'studio.desk']]);
});

it('deletes nothing where signing out failed', async () => {
  const signOut = () => Promise.reject(new Error('The studio is ending.'));
  await expect(leaveStudio(true, signOut)).rejects.toThrow('The studio is ending.');
  expect([steps, readKept()]).toEqual([[], ['studio.theme', 'other', 'studio.desk']]);
});

it('goes on where the sign-out took effect but could not be stored, and says so after the reload', async () => {
  await leaveStudio(true, toSignOut('The old cookie works again after a restart.'));
  page.dispatchEvent(new Event('pagehide'));
  expect(steps.slice(-3)).toEqual(DELETIONS);
  expect(readLeaveNotice()).toEqual({ text: 'The old cookie works again after a restart.', isDeletionLeft: false });
});

it('says after the reload what could not be deleted; all else is gone', async () => {
  stubDeletion('blocked');
  await leaveStudio(true, toSignOut());
  sessionStorage.setItem('studio.desk', 'stored as the page goes');
  page.dispatchEvent(new Event('pagehide'));
  expect(readLeaveNotice()).toEqual({
    text:
      'You are signed out. Some data of the studio in this browser could not be deleted: Another tab has it open. ' +
      'Close ' +
      'the studio’s other tabs, then try again.',
    isDeletionLeft: true,
  });
  expect(readKept()).toEqual(['other', 'studio.leaveNotice']);
});
