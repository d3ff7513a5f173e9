// Actions whose code loads on first use. A toast says why an action failed.
import type { DisplacedSession } from '#features/playground/web/storage/deskSaver.ts';
import { showToast } from '#ui/kit/toast.ts';

const LOAD_FAILED =
  'Nothing was done: a part of the page could not be loaded. Check that the studio is running, then try again.';

export async function reportProblem(action: Promise<string | null>): Promise<void> {
  const problem = await action.catch(() => LOAD_FAILED);
  if (problem !== null) showToast(problem, { tone: 'error' });
}

export const startSession = (): Promise<void> =>
  reportProblem(import('./sessions.ts').then(({ newSession }) => newSession()));

/** Begins a new session because the current one can't be rendered. */
export const leaveSession = (): Promise<void> =>
  reportProblem(import('./sessions.ts').then(({ leaveSession }) => leaveSession()));

/** Explains why the page began a new session, and offers to go back to the displaced one. */
export function reportDisplacedSession(displaced: DisplacedSession | null): void {
  if (displaced === null) return;
  if (displaced.elsewhereTitle !== null) {
    showToast(
      `“${displaced.elsewhereTitle}” is open in another tab. The link opened in a new session with the same models.`,
    );
    return;
  }
  const onSelect = (): void =>
    void reportProblem(import('./sessions.ts').then(({ openSession }) => openSession(displaced.id)));
  showToast('The link opened in a new session. The one before is kept in Sessions.', {
    action: { label: 'Go back', onSelect },
  });
}

export const forkIntoSession = (paneId: string, turnId: string | null): Promise<void> =>
  reportProblem(import('./sessions.ts').then(({ forkToSession }) => forkToSession(paneId, turnId)));

export const addExample = (paneId: string, turnId: string): Promise<void> =>
  reportProblem(
    import('./changeTrainingRows.ts').then(({ addTrainingRow }) => addTrainingRow(paneId, turnId)).then(() => null),
  );
