// For tests: a worker without a process, which says of a run what a test wants.
import { Readable } from 'node:stream';
import type { Lease, LinesReply, WantedLease } from '#features/training/shared/worker.ts';
import type { Workers } from './workers.ts';

/** Steps of each run. */
const STEPS = 40;

export interface FakeWorker {
  readonly lease: Lease;
  /** Lines of its trainer; null: the lease has ended. */
  say(...events: readonly object[]): Promise<LinesReply | null>;
  /** Trains from its start to a step, and saves there. */
  trainTo(step: number, loss?: number): Promise<void>;
  /** Its trainer makes a model that is served elsewhere. */
  succeed(): Promise<void>;
  end(code: number): Promise<void>;
}

/** Takes the next run, or the one that it wants; null: it does not wait. */
export async function takeRun(workers: Workers, wanted: Partial<WantedLease> = {}): Promise<FakeWorker | null> {
  const lease = await workers.lease({ name: 'node', is_built_in: false, ...wanted });
  if (lease === null) return null;
  const key = { id: lease.lease_id, run: null };
  let next = 0;
  const say: FakeWorker['say'] = async (...events) => {
    const lines = events.map((event) => JSON.stringify(event));
    const told = await workers.tell(key, next, lines);
    next = told?.next ?? next;
    return told;
  };
  const end = async (code: number): Promise<void> => {
    await workers.end(key, { code, signal: null, problem: null });
  };
  return {
    lease,
    say,
    async trainTo(step, loss = 1) {
      await say(
        { type: 'start', steps: STEPS, tokens_per_step: 100, rows: 40, rows_cut: 0, rows_left_out: 0 },
        { type: 'progress', step, loss, tokens_per_second: 1000 },
      );
      const name = `step-${step}.json`;
      const body = Readable.from([Buffer.from(name)]);
      await workers.receive(key, { name, kind: 'checkpoint', bytes: null, body });
      await say({ type: 'validation', step, loss }, { type: 'checkpoint', step, file: name });
    },
    async succeed() {
      await say(
        { type: 'progress', step: STEPS, loss: 1, tokens_per_second: 1000 },
        { type: 'result', model: { served_as: 'their-model' } },
      );
      await end(0);
    },
    end,
  };
}
