// Actions whose code comes when they are asked for; what keeps one from being done is told.
import type { DisplacedSession } from '#web/playground/storage/displacedSession.ts';
import { showToast } from '#web/ui/toast.ts';

const LOST = 'Nothing was done: a part of the page did not arrive. Check that the studio is running, then try again.';

async function tell(doing: Promise<string | null>): Promise<void> {
  const problem = await doing.catch(() => LOST);
  if (problem !== null) showToast(problem, { tone: 'bad' });
}

export const startSession = (): Promise<void> => tell(import('./sessions.ts').then(({ newSession }) => newSession()));

/** Begins a session where the one on show can't be shown. */
export const leaveSession = (): Promise<void> =>
  tell(import('./sessions.ts').then(({ leaveSession }) => leaveSession()));

/** Says why a session was begun, and offers the one that would have been on show; null: none was begun. */
export function reportDisplacedSession(displaced: DisplacedSession | null): void {
  if (displaced === null) return;
  if (displaced.elsewhereTitle !== null) {
    showToast(
      `“${displaced.elsewhereTitle}” is open in another tab, so a new session was begun with the models of the address.`,
    );
    return;
  }
  const onSelect = (): void => void tell(import('./sessions.ts').then(({ openSession }) => openSession(displaced.id)));
  showToast(
    `The address asks for other models, so a new session was begun. “${displaced.title}” is under Sessions, unchanged.`,
    { action: { label: 'Go back', onSelect } },
  );
}

export const forkIntoSession = (paneId: string, turnId: string | null): Promise<void> =>
  tell(import('./sessions.ts').then(({ forkToSession }) => forkToSession(paneId, turnId)));

export const addExample = (paneId: string, turnId: string): Promise<void> =>
  tell(import('./trainingRows.ts').then(({ addTrainingRow }) => addTrainingRow(paneId, turnId)).then(() => null));
