// Trains what waits, one run at a time, as long as the studio runs.
import { toReason } from '#server/studio/database.ts';
import { openPause } from '#server/studio/jobQueue.ts';
import { DatabaseUnavailable } from '#server/studio/unavailable.ts';
import { trainOne, type OneTrainingDeps } from './oneTraining.ts';
import { removeRemains } from './deploy.ts';
import { claimNext, isAnyActive, promotePending, releaseLeases, toLeaseOwner } from './queue.ts';
import type { Trainer } from './trainer.ts';

/** How often the queue is read for what other processes leave behind or add. This process's own jobs start at once. */
const POLL_MS = 5_000;

export interface Supervisor {
  /** Something has changed in the queue. */
  wake(): void;
  /** Ends the running trainer, whose run goes on later. */
  close(): Promise<void>;
}

export type SupervisorDeps = Omit<OneTrainingDeps, 'closing' | 'owner' | 'trainer'> & {
  readonly trainer: Trainer | null;
};

/** Begins to work. */
export function openSupervisor(deps: SupervisorDeps): Supervisor {
  const { database, now, times, trainer, report } = deps;
  const owner = toLeaseOwner();
  const closing = new AbortController();
  const pause = openPause();

  async function work(): Promise<boolean> {
    if (!(await isAnyActive(database.orm))) return false;
    await promotePending(database.orm);
    const lease = { owner, until: new Date(now().getTime() + times.leaseMs) };
    const queued = await claimNext(database.orm, {
      lease,
      now: now(),
      removeFiles: (id) => removeRemains(deps, id),
      async canTrain(candidate) {
        if (trainer === null) return false;
        const { refuse } = trainer;
        // A base that is gone is the run's failure, which says so.
        return (
          refuse === undefined ||
          deps.findBase(candidate).then(
            async (base) => (await refuse(base)) === null,
            () => true,
          )
        );
      },
    });
    if (queued === null || trainer === null) return false;
    await trainOne({ ...deps, trainer, owner, closing: closing.signal }, queued);
    return true;
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      const isBusy = await work().catch((error: unknown) => {
        // The database reports by itself that it is away.
        if (!(error instanceof DatabaseUnavailable) && !closing.signal.aborted)
          report(`A training could not be worked on: ${toReason(error)}`);
        return false;
      });
      if (!isBusy && !closing.signal.aborted) await pause.sleep(POLL_MS);
    }
  }

  const looping = loop();
  return {
    wake: () => pause.wake(),
    async close() {
      closing.abort();
      pause.wake();
      await looping;
      await releaseLeases(database.orm, owner).catch(() => undefined);
    },
  };
}
