// Actions whose code comes when they are asked for; what keeps one from being done is told. It must not know components.
import { showToast } from '../ui/toast';

const LOST = 'Nothing was done: a part of the page did not arrive. Check that the studio is running, then try again.';

async function tell(doing: Promise<string | null>): Promise<void> {
  const problem = await doing.catch(() => LOST);
  if (problem !== null) showToast(problem, { tone: 'bad' });
}

export const startSession = (): Promise<void> => tell(import('./sessions').then(({ newSession }) => newSession()));

export const forkIntoSession = (paneId: string, turnId: string | null): Promise<void> => tell(import('./sessions').then(({ forkToSession }) => forkToSession(paneId, turnId)));

export const addExample = (paneId: string, turnId: string): Promise<void> => tell(import('./trainingRows').then(({ addTrainingRow }) => addTrainingRow(paneId, turnId)).then(() => null));
