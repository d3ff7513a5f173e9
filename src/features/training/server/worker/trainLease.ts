// One lease from its job to its end. Files go to the studio before the line that names them.
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT_RESUMABLE, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { MAX_LINES, type Lease } from '#features/training/shared/worker.ts';
import { openTrainerProcess } from '#features/training/server/trainerProcess.ts';
import { SentLines } from './sentLines.ts';
import { LeaseLost, Refused, type StudioClient } from './studioClient.ts';

export interface LeaseDeps {
  readonly client: StudioClient;
  readonly command: readonly string[];
  readonly prepare: (lease: Lease) => Promise<{ folder: string; jobFile: string; job: TrainerJob }>;
  readonly tickMs: number;
  readonly stopping: AbortSignal;
}

/** Of one request, so that it stays below the limit of its body however it is escaped. */
const MOST_CHARACTERS = 64 * 1024;
/** Lines that wait to be sent. */
const MOST_WAITING = 20_000;

/** Keeps a lease by telling the studio of it, and hears what people want of its run. */
class LeaseHeart {
  readonly #deps: Pick<LeaseDeps, 'client' | 'tickMs'>;
  readonly #lease: Lease;
  readonly #timer: NodeJS.Timeout;
  #isBeating = false;
  #heardAt = performance.now();
  /** The number of the next line. */
  next = 0;
  isLost = false;
  /** Nothing was heard of the studio for as long as the lease lasts. */
  isSilent = false;
  onStop: () => void = () => undefined;
  onLost: () => void = () => undefined;

  constructor(deps: Pick<LeaseDeps, 'client' | 'tickMs'>, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
    this.#timer = setInterval(() => void this.#beat(), deps.tickMs);
  }

  /** Asks until it is done. Throws LeaseLost as soon as another machine may have the run. */
  async hold<Value>(work: () => Promise<Value>): Promise<Value> {
    for (;;) {
      if (this.isLost) throw new LeaseLost('The lease has ended.');
      try {
        const value = await work();
        this.#heardAt = performance.now();
        return value;
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof Refused) throw error;
        await wait(this.#deps.tickMs);
      }
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const { lease_id: id, seconds } = this.#lease;
    try {
      const told = await this.#deps.client.tell(id, this.next, []);
      this.#heardAt = performance.now();
      if (told.wish === 'stop') this.onStop();
    } catch (error) {
      // The studio counts this machine as gone after the same time.
      const isOver = performance.now() - this.#heardAt > seconds * 1000;
      if (!(error instanceof LeaseLost || error instanceof Refused || isOver)) return;
      this.isLost = true;
      this.isSilent = !(error instanceof LeaseLost || error instanceof Refused);
      this.onLost();
    } finally {
      this.#isBeating = false;
    }
  }
}

/** What became of a lease. */
export interface LeaseEnd {
  /** For the worker's log. */
  readonly words: string;
  /** 0: it was trained to its end, or taken back; EXIT_RESUMABLE: it can go on from a checkpoint. */
  readonly code: number;
}

/** Runs the trainer, and sends its lines until it has ended. Nothing of it runs any more then. */
async function train(
  { client, command, tickMs, stopping }: LeaseDeps,
  id: string,
  heart: LeaseHeart,
  { folder, jobFile, job }: Awaited<ReturnType<LeaseDeps['prepare']>>,
): Promise<LeaseEnd> {
  const sending = new SentLines(job, (name, kind, path) => heart.hold(() => client.upload(id, name, kind, path)));
  const lines: string[] = [];
  // What is no event may be dropped: a trainer can write more than a network takes.
  const onLine = (line: string): void => {
    if (lines.length < MOST_WAITING || line.startsWith('{')) lines.push(line);
  };
  const trainer = openTrainerProcess({ command, jobFile, folder, onLine });
  const stop = (): void => trainer.stop();
  heart.onStop = stop;
  heart.onLost = () => trainer.kill();
  if (heart.isLost) trainer.kill();
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const state = { hasEnded: false };
  const ended = trainer.ended.then((end) => {
    state.hasEnded = true;
    return end;
  });
  try {
    while (!state.hasEnded || lines.length > 0) {
      const batch: string[] = [];
      let size = 0;
      while (lines.length > 0 && batch.length < MAX_LINES && size < MOST_CHARACTERS) {
        const line = await sending.toSent(lines.shift() ?? '');
        size += line.length;
        batch.push(line);
      }
      if (batch.length > 0) {
        const from = heart.next;
        const told = await heart.hold(() => client.tell(id, from, batch));
        heart.next = from + batch.length;
        if (told.wish === 'stop') trainer.stop();
      }
      if (lines.length === 0) await Promise.race([ended, wait(tickMs)]);
    }
    const { code, signal, problem } = await ended;
    const said = problem && `The trainer could not be started: ${problem}. Check the command of --trainer there.`;
    await heart.hold(() => client.end(id, { code, signal, problem: said, last: sending.last.slice(-2) }));
    if (code === 0) return { words: 'it has ended.', code };
    return { words: `its trainer ended with ${problem ?? signal ?? `the exit code ${code}`}.`, code: code ?? 1 };
  } finally {
    // Also after a fault: nobody else reads its lines.
    if (!state.hasEnded) trainer.kill();
    await ended;
    stopping.removeEventListener('abort', stop);
  }
}

/** Nothing of the trainer runs any more when it resolves. */
export async function trainLease(deps: LeaseDeps, lease: Lease): Promise<LeaseEnd> {
  const { lease_id: id } = lease;
  const heart = new LeaseHeart(deps, lease);
  /** Of this machine. */
  let folder: string | null = null;
  try {
    const prepared = await heart.hold(() => deps.prepare(lease));
    ({ folder } = prepared);
    return await train(deps, id, heart, prepared);
  } catch (error) {
    if (error instanceof LeaseLost)
      return heart.isSilent
        ? { words: 'the studio does not answer, so its trainer was ended.', code: EXIT_RESUMABLE }
        : { words: 'the lease has ended, and its trainer with it.', code: 0 };
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await deps.client.end(id, { code: null, signal: null, problem }).catch(() => undefined);
    return { words: `it was given up: ${problem}`, code: 1 };
  } finally {
    heart.stop();
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
