// One lease from its job to its end. Files go to the studio before the line that names them.
import { rm, utimes } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT_RESUMABLE, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { MAX_LINES, type Lease } from '#features/training/shared/worker.ts';
import { openTrainerProcess } from '#features/training/server/trainerProcess.ts';
import { SentLines } from './sentLines.ts';
import { ANSWER_MS, LeaseLost, Refused, type StudioClient } from './studioClient.ts';

/** What a trainer starts from, on this machine. */
export interface Prepared {
  readonly folder: string;
  readonly jobFile: string;
  readonly job: TrainerJob;
}

export interface LeaseDeps {
  /** `ending` ends what it asks. */
  readonly openClient: (ending: AbortSignal) => StudioClient;
  readonly command: readonly string[];
  /** Leaves nothing if it fails. */
  readonly prepare: (client: StudioClient, lease: Lease) => Promise<Prepared>;
  readonly tickMs: number;
  readonly stopping: AbortSignal;
}

/** Of one request, so that it stays below the limit of its body however it is escaped. */
const MOST_CHARACTERS = 64 * 1024;
/** Lines that wait to be sent. */
const MOST_WAITING = 20_000;
/** A folder that is touched so often is not taken for one that a killed worker left. */
const TOUCH_MS = 3600 * 1000;

/** Keeps a lease by telling the studio of it, and hears what people want of its run. */
class LeaseHeart {
  readonly #tickMs: number;
  readonly #lease: Lease;
  readonly #timer: NodeJS.Timeout;
  readonly #lost = new AbortController();
  readonly client: StudioClient;
  /** Aborted with LeaseLost. */
  readonly lost = this.#lost.signal;
  #isBeating = false;
  #heardAt = performance.now();
  /** The number of the next line. */
  next = 0;
  /** Nothing was heard of the studio for as long as the lease lasts. */
  isSilent = false;
  onStop: () => void = () => undefined;

  constructor({ openClient, tickMs }: Pick<LeaseDeps, 'openClient' | 'tickMs'>, lease: Lease) {
    this.#tickMs = tickMs;
    this.#lease = lease;
    this.client = openClient(this.lost);
    this.#timer = setInterval(() => void this.#beat(), tickMs);
  }

  /** Asks until it is done. Throws LeaseLost as soon as another machine may have the run, and what fails after `stopping`. */
  async hold<Value>(work: () => Promise<Value>, stopping?: AbortSignal): Promise<Value> {
    for (;;) {
      this.lost.throwIfAborted();
      try {
        const value = await work();
        this.#heardAt = performance.now();
        return value;
      } catch (error) {
        this.lost.throwIfAborted();
        if (error instanceof LeaseLost || error instanceof Refused || stopping?.aborted) throw error;
        await wait(this.#tickMs);
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
      const told = await this.client.tell(id, this.next, []);
      this.#heardAt = performance.now();
      if (told.wish === 'stop') this.onStop();
    } catch (error) {
      // The studio counts this machine as gone after the same time.
      const isOver = performance.now() - this.#heardAt > seconds * 1000;
      if (!(error instanceof LeaseLost || error instanceof Refused || isOver)) return;
      this.isSilent = !(error instanceof LeaseLost || error instanceof Refused);
      this.#lost.abort(new LeaseLost('The lease has ended.'));
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
  { command, tickMs, stopping, openClient }: LeaseDeps,
  id: string,
  heart: LeaseHeart,
  { folder, jobFile, job }: Prepared,
): Promise<LeaseEnd> {
  const { client, lost } = heart;
  const sending = new SentLines(job, (name, kind, path) => heart.hold(() => client.upload(id, name, kind, path)));
  const lines: string[] = [];
  // What is no event may be dropped: a trainer can write more than a network takes.
  const onLine = (line: string): void => {
    if (lines.length < MOST_WAITING || line.startsWith('{')) lines.push(line);
  };
  const trainer = openTrainerProcess({ command, jobFile, folder, onLine });
  const stop = (): void => trainer.stop();
  heart.onStop = stop;
  lost.addEventListener('abort', () => trainer.kill());
  if (lost.aborted) trainer.kill();
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
    // The lease is over as soon as the studio has heard it, and a beat that learns so must not end this request.
    const last = openClient(new AbortController().signal);
    await heart.hold(() => last.end(id, { code, signal, problem: said, last: sending.last.slice(-2) }));
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
  const { stopping } = deps;
  let prepared: Prepared | null = null;
  let touching: NodeJS.Timeout | undefined;
  try {
    const preparing = deps.openClient(AbortSignal.any([heart.lost, stopping]));
    prepared = await heart.hold(() => deps.prepare(preparing, lease), stopping);
    const { folder } = prepared;
    touching = setInterval(() => void utimes(folder, new Date(), new Date()).catch(() => undefined), TOUCH_MS);
    return await train(deps, id, heart, prepared);
  } catch (error) {
    if (error instanceof LeaseLost)
      return heart.isSilent
        ? { words: 'the studio does not answer, so its trainer was ended.', code: EXIT_RESUMABLE }
        : { words: 'the lease has ended, and its trainer with it.', code: 0 };
    const client = deps.openClient(AbortSignal.timeout(ANSWER_MS));
    if (prepared === null && stopping.aborted) {
      await client.end(id, { code: EXIT_RESUMABLE, signal: null, problem: null }).catch(() => undefined);
      return { words: 'it was given back before its trainer began.', code: EXIT_RESUMABLE };
    }
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await client.end(id, { code: null, signal: null, problem }).catch(() => undefined);
    return { words: `it was given up: ${problem}`, code: 1 };
  } finally {
    heart.stop();
    clearInterval(touching);
    if (prepared !== null) await rm(prepared.folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
