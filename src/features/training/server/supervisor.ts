// Trains what waits, one run at a time, as long as the studio runs.
import { toReason } from '#service/database/database.ts';
import { openWorkLoop } from '#service/database/leases/workLoop.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { trainOne, type OneTrainingDeps } from './oneTraining.ts';
import { removeRemains } from './deploy.ts';
import { promotePending } from './pendingRuns.ts';
import { claimNext, isAnyActive } from './queue.ts';
import { findRefusal, type Trainer } from './trainer.ts';

/** How often the queue is read for what other processes leave behind or add. This process's own jobs start at once. */
const POLL_MS = 5_000;

export interface Supervisor {
  /** Something has changed in the queue. */
  wake(): void;
  /** Ends the running trainer, whose run goes on later. */
  close(): Promise<void>;
}

export type SupervisorDeps = Omit<OneTrainingDeps, 'closing' | 'trainer'> & {
  readonly trainer: Trainer | null;
};

/** Begins to work. */
export function openSupervisor(deps: SupervisorDeps): Supervisor {
  const { database, leases, now, trainer, report } = deps;
  const closing = new AbortController();

  async function work(): Promise<number> {
    if (!(await isAnyActive(database.orm))) return POLL_MS;
    await promotePending(database.orm, now());
    const claimed = await claimNext(database.orm, {
      leases,
      worker: null,
      only: null,
      now: now(),
      removeFiles: (id) => removeRemains(deps, id),
      async canTrain(candidate) {
        if (trainer === null) return false;
        return (await findRefusal(trainer, candidate.training, () => deps.findBase(candidate))) === null;
      },
    });
    if (claimed === null || trainer === null) return POLL_MS;
    // Whatever becomes of it: others wait.
    await trainOne({ ...deps, trainer, closing: closing.signal }, claimed).catch((error: unknown) => {
      // The database reports by itself that it is away.
      if (!(error instanceof DatabaseUnavailable) && !closing.signal.aborted) fail(toReason(error));
    });
    return 0;
  }

  const fail = (reason: string): void => report(`A training could not be worked on: ${reason}`);
  const loop = openWorkLoop({ work, onFailure: fail });
  return {
    wake: loop.wake,
    async close() {
      closing.abort();
      await loop.close();
    },
  };
}
