// Takes the lines of a trainer as they come and stores them in batches.
import { eq } from 'drizzle-orm';
import { cutText } from '#core/contract/schemas.ts';
import {
  parseTrainerLine,
  type TrainerEvent,
  type TrainerEventOf,
  type TrainerResult,
} from '#trainer/protocol/trainerProtocol.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { HeldLease } from '#service/database/leases/leases.ts';
import { canPass } from '#service/database/unavailable.ts';
import { addLoss, FIRST_LOSSES, toDivergence, type LossWatch } from './divergence.ts';
import {
  addCheckpoints,
  addLog,
  addPoints,
  addValidations,
  forgetAfter,
  MAX_ANSWERED,
  MAX_CHECKPOINTS,
  MAX_VALIDATIONS,
  type Timed,
} from './progressStore.ts';
import type { QueuedRun } from './queue.ts';
import { trainings } from './trainingTables.ts';

/**
 * Characters of the log, and points, that wait to be stored; of measures and checkpoints as many as are kept. A trainer that
 * writes more loses lines, which the log says.
 */
const MAX_PENDING_LOG = 1024 * 1024;
const MAX_PENDING_POINTS = 20_000;
/** Lines of which the last are quoted in the reason of a failure. */
const LAST_LINES = 5;

export type Wish = 'cancel' | 'stop' | 'lost' | null;

/** What waits to be stored. Bounded. */
class Pending {
  points: Timed<TrainerEventOf<'progress'>>[] = [];
  validations: Timed<TrainerEventOf<'validation'>>[] = [];
  checkpoints: Timed<TrainerEventOf<'checkpoint'>>[] = [];
  log = '';
  dropped = 0;

  add<Event>(pending: Timed<Event>[], event: Event, at: Date, most: number): void {
    if (pending.length < most) pending.push({ event, at });
    else this.dropped += 1;
  }

  addText(text: string): void {
    if (this.log.length + text.length > MAX_PENDING_LOG) this.dropped += 1;
    else this.log += `${text}\n`;
  }

  get isEmpty(): boolean {
    const { points, validations, checkpoints, log, dropped } = this;
    return points.length + validations.length + checkpoints.length + log.length + dropped === 0;
  }

  /** What there is now: more may come while it is stored. */
  copy(): Pending {
    const { points, validations, checkpoints } = this;
    const lists = { points: [...points], validations: [...validations], checkpoints: [...checkpoints] };
    return Object.assign(new Pending(), this, lists);
  }

  /** Takes out what such a copy holds. */
  drop(stored: Pending): void {
    this.points = this.points.slice(stored.points.length);
    this.validations = this.validations.slice(stored.validations.length);
    this.checkpoints = this.checkpoints.slice(stored.checkpoints.length);
    this.log = this.log.slice(stored.log.length);
    this.dropped -= stored.dropped;
  }
}

export interface RecorderOptions {
  readonly database: Database;
  readonly queued: QueuedRun;
  /** Only whoever has the run may record it. */
  readonly held: Pick<HeldLease, 'write'>;
  readonly now: () => Date;
  /** Another service stored what came before. */
  readonly isAdopted?: boolean;
  /** The model to try for a checkpoint, if it can be made; null: none. */
  readonly toModel: (checkpoint: TrainerEventOf<'checkpoint'>) => Promise<string | null>;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #isOwn;
  /** The run has steps of earlier attempts. */
  readonly #goesOn: boolean;
  readonly #pending = new Pending();
  result: TrainerResult | null = null;
  failure: TrainerEventOf<'failure'> | null = null;
  /** Why the run can't come to anything any more: its losses, or lines that the database refuses. */
  hopeless: string | null = null;
  /** The last one of this attempt; null: none. */
  checkpoint: TrainerEventOf<'checkpoint'> | null = null;
  readonly lastLines: string[] = [];
  /** It has begun to train. */
  hasStarted: boolean;
  /** When the last line or part of a file came, Unix milliseconds. */
  lastAt: number;
  #started: TrainerEventOf<'start'> | null = null;
  #last: TrainerEventOf<'progress'> | null = null;
  #losses: LossWatch = FIRST_LOSSES;
  /** The steps from the first one of this attempt on are made again. */
  #firstStep: number | null = null;
  #isFirstFlush = true;
  /** Something other than lines to store has come: a start, a result. */
  #hasNews = true;
  #stride: number;
  #seconds: number;
  #secondsFrom: number;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    const { queued, now, isAdopted = false } = options;
    const { training } = queued;
    this.#options = options;
    this.#isOwn = eq(trainings.experiment_id, queued.run.id);
    this.#goesOn = training.can_resume || isAdopted;
    this.hasStarted = isAdopted;
    this.#stride = training.stride;
    this.#seconds = training.seconds;
    this.#secondsFrom = now().getTime();
    this.lastAt = this.#secondsFrom;
  }

  /** It has a checkpoint that earlier attempts had not reached. */
  get isFurther(): boolean {
    return this.checkpoint !== null && this.checkpoint.step > this.#options.queued.training.step;
  }

  /** Of the whole run; null: not known. */
  get steps(): number | null {
    return this.#started?.steps ?? this.#options.queued.training.steps;
  }

  /** It goes on, though it says nothing: its files are on their way. */
  noteLife(): void {
    this.lastAt = this.#options.now().getTime();
  }

  push(line: string): void {
    this.noteLife();
    const { problem, ...event } = parseTrainerLine(line);
    this.#take(event as TrainerEvent);
    if (problem !== undefined) this.note(`(not understood: ${problem})`);
  }

  /** A line of the studio's own in the log. */
  note(text: string): void {
    this.#pending.addText(text);
  }

  /**
   * Stores what has come, and reads what people want of the run. `lost`: it is no longer this process's.
   * Throws if the database fails; nothing is lost then. What it refuses is dropped, and the run is hopeless.
   */
  flush(): Promise<Wish> {
    const done = this.#turn
      .then(() => this.#store())
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) return 'lost' as const;
        throw error;
      });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #take(event: TrainerEvent): void {
    const pending = this.#pending;
    const at = this.#options.now();
    this.hasStarted ||= event.type === 'start' || event.type === 'progress';
    switch (event.type) {
      case 'log':
        this.note(event.text);
        if (event.text.trim() !== '') this.lastLines.push(cutText(event.text, 500));
        if (this.lastLines.length > LAST_LINES) this.lastLines.shift();
        break;
      case 'start':
        this.#started = event;
        this.#hasNews = true;
        break;
      case 'progress':
        this.#firstStep ??= event.step;
        this.#last = event;
        this.#losses = addLoss(this.#losses, event.loss);
        this.hopeless ??= toDivergence(this.#losses, event.step);
        pending.add(pending.points, event, at, MAX_PENDING_POINTS);
        break;
      case 'validation': {
        pending.add(pending.validations, event, at, MAX_VALIDATIONS);
        // Only the last ones keep their answers, which may be long.
        const older = pending.validations.at(-1 - MAX_ANSWERED);
        if (older)
          pending.validations.splice(-1 - MAX_ANSWERED, 1, { ...older, event: { ...older.event, answers: [] } });
        break;
      }
      case 'checkpoint':
        this.checkpoint = event;
        pending.add(pending.checkpoints, event, at, MAX_CHECKPOINTS);
        break;
      case 'result':
        this.result = event;
        break;
      case 'failure':
        this.failure = event;
        this.note(`Failure: ${event.reason}`);
        break;
      default:
        event satisfies never;
    }
  }

  #toChange(): Partial<typeof trainings.$inferInsert> {
    const [started, last] = [this.#started, this.#last];
    return {
      ...(started && {
        steps: started.steps,
        tokens_per_step: started.tokens_per_step ?? null,
        rows_cut: started.rows_cut ?? null,
        rows_left_out: started.rows_left_out ?? null,
      }),
      ...(last && { step: last.step, seconds_left: last.seconds_left ?? null }),
      ...(this.checkpoint && { can_resume: true }),
      // A run that ends again and again before it gets further has failed.
      ...(this.isFurther && { attempts: 0 }),
    };
  }

  async #readWish(): Promise<Wish> {
    const { orm } = this.#options.database;
    const [kept] = await orm.select({ wish: trainings.wish }).from(trainings).where(this.#isOwn);
    return kept ? kept.wish : 'lost';
  }

  async #write(
    batch: Pending,
    change: Partial<typeof trainings.$inferInsert>,
    firstStep: number | null,
  ): Promise<Wish> {
    const { queued, held, now, toModel } = this.#options;
    const { id } = queued.run;
    const newest = batch.checkpoints.at(-1);
    const model = newest ? await toModel(newest.event) : null;
    const at = now().getTime();
    const seconds = this.#seconds + (at - this.#secondsFrom) / 1000;
    const wish = await held.write(async (orm) => {
      if (this.#isFirstFlush)
        await forgetAfter(orm, id, this.#goesOn ? (firstStep ?? queued.training.step + 1) - 1 : -1);
      this.#stride = await addPoints(orm, id, this.#stride, batch.points);
      await addValidations(orm, id, batch.validations);
      await addCheckpoints(orm, id, batch.checkpoints, model);
      const more = batch.dropped > 0 ? `... ${batch.dropped} lines came too quickly and were dropped\n` : '';
      await addLog(orm, id, batch.log + more);
      const [kept] = await orm
        .update(trainings)
        .set({ ...change, seconds, stride: this.#stride })
        .where(this.#isOwn)
        .returning({ wish: trainings.wish });
      return kept ? kept.wish : 'lost';
    });
    this.#seconds = seconds;
    this.#secondsFrom = at;
    if (firstStep !== null || !this.#goesOn) this.#isFirstFlush = false;
    return wish;
  }

  async #store(): Promise<Wish> {
    // Lines that come while this is stored are for the next time: none is lost, and a step is never ahead of its curve.
    if (this.#pending.isEmpty && !this.#hasNews) return this.#readWish();
    const batch = this.#pending.copy();
    this.#hasNews = false;
    try {
      const wish = await this.#write(batch, this.#toChange(), this.#firstStep);
      this.#pending.drop(batch);
      return wish;
    } catch (error) {
      if (error instanceof LeaseLost || canPass(error)) throw error;
      // It would be refused each time, and nothing that comes after it would be stored.
      this.#pending.drop(batch);
      [this.#started, this.#last] = [null, null];
      this.hopeless ??= `The database refuses what the trainer said: ${toReason(error)}. The log has what it said before.`;
      this.note(this.hopeless);
      return this.#readWish();
    }
  }
}
