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

type Wish = 'cancel' | 'stop' | 'lost' | null;

export interface Recorder {
  push(line: string): void;
  /** A line of the studio's own in the log. */
  note(text: string): void;
  /**
   * Stores what has come, and reads what people want of the run. `lost`: it is no longer this process's.
   * Throws if the database fails; nothing is lost then. What it refuses is dropped, and the run is hopeless.
   */
  flush(): Promise<Wish>;
  readonly result: TrainerResult | null;
  readonly failure: TrainerEventOf<'failure'> | null;
  /** Why the run can't come to anything any more: its losses, or lines that the database refuses. */
  readonly hopeless: string | null;
  /** The step of the last checkpoint of this attempt; null: none. */
  readonly checkpoint: TrainerEventOf<'checkpoint'> | null;
  /** It has a checkpoint that earlier attempts had not reached. */
  readonly isFurther: boolean;
  readonly lastLines: readonly string[];
  /** When the last line came, Unix milliseconds. */
  readonly lastAt: number;
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

export function openRecorder({ database, queued, held, now, isAdopted = false, toModel }: RecorderOptions): Recorder {
  const { id } = queued.run;
  const goesOn = queued.training.can_resume || isAdopted;
  let points: Timed<TrainerEventOf<'progress'>>[] = [];
  let validations: Timed<TrainerEventOf<'validation'>>[] = [];
  let checkpoints: Timed<TrainerEventOf<'checkpoint'>>[] = [];
  let log = '';
  let dropped = 0;
  let started: TrainerEventOf<'start'> | null = null;
  let last: TrainerEventOf<'progress'> | null = null;
  let stride = queued.training.stride;
  /** The steps from the first one of this attempt on are made again. */
  let firstStep: number | null = null;
  let isFirstFlush = true;
  /** Something other than lines to store has come: a start, a result. */
  let hasNews = true;
  let watch: LossWatch = FIRST_LOSSES;
  let secondsFrom = now().getTime();
  const lastLines: string[] = [];
  const state = {
    result: null as TrainerResult | null,
    failure: null as TrainerEventOf<'failure'> | null,
    hopeless: null as string | null,
    checkpoint: null as TrainerEventOf<'checkpoint'> | null,
    lastAt: now().getTime(),
  };

  /** Adds to what waits to be stored. */
  function add<Event>(pending: Timed<Event>[], event: Event, most: number): void {
    if (pending.length < most) pending.push({ event, at: now() });
    else dropped += 1;
  }

  const addText = (text: string): void => {
    if (log.length + text.length > MAX_PENDING_LOG) dropped += 1;
    else log += `${text}\n`;
  };

  function take(event: TrainerEvent): void {
    switch (event.type) {
      case 'log':
        addText(event.text);
        if (event.text.trim() !== '') lastLines.push(cutText(event.text, 500));
        if (lastLines.length > LAST_LINES) lastLines.shift();
        break;
      case 'start':
        started = event;
        hasNews = true;
        break;
      case 'progress':
        firstStep ??= event.step;
        last = event;
        watch = addLoss(watch, event.loss);
        state.hopeless ??= toDivergence(watch, event.step);
        add(points, event, MAX_PENDING_POINTS);
        break;
      case 'validation': {
        add(validations, event, MAX_VALIDATIONS);
        // Only the last ones keep their answers, which may be long.
        const at = validations.length - 1 - MAX_ANSWERED;
        const older = validations[at];
        if (older) validations[at] = { ...older, event: { ...older.event, answers: [] } };
        break;
      }
      case 'checkpoint':
        state.checkpoint = event;
        add(checkpoints, event, MAX_CHECKPOINTS);
        break;
      case 'result':
        state.result = event;
        break;
      case 'failure':
        state.failure = event;
        addText(`Failure: ${event.reason}`);
        break;
      default:
        event satisfies never;
    }
  }

  const isFurther = (): boolean => state.checkpoint !== null && state.checkpoint.step > queued.training.step;

  function toChange(): Partial<typeof trainings.$inferInsert> {
    return {
      ...(started && {
        steps: started.steps,
        tokens_per_step: started.tokens_per_step ?? null,
        rows_cut: started.rows_cut ?? null,
        rows_left_out: started.rows_left_out ?? null,
      }),
      ...(last && { step: last.step, seconds_left: last.seconds_left ?? null }),
      ...(state.checkpoint && { can_resume: true }),
      // A run that ends again and again before it gets further has failed.
      ...(isFurther() && { attempts: 0 }),
    };
  }

  let seconds = queued.training.seconds;
  const isOwn = eq(trainings.experiment_id, id);

  async function readWish(): Promise<Wish> {
    const [kept] = await database.orm.select({ wish: trainings.wish }).from(trainings).where(isOwn);
    return kept ? kept.wish : 'lost';
  }

  const toBatch = () => ({
    points: [...points],
    validations: [...validations],
    checkpoints: [...checkpoints],
    log,
    dropped,
    change: toChange(),
    firstStep,
  });
  type Batch = ReturnType<typeof toBatch>;

  /** Only what the batch holds: more has come meanwhile. */
  function drop(batch: Batch): void {
    points = points.slice(batch.points.length);
    validations = validations.slice(batch.validations.length);
    checkpoints = checkpoints.slice(batch.checkpoints.length);
    log = log.slice(batch.log.length);
    dropped -= batch.dropped;
  }

  async function write(batch: Batch): Promise<Wish> {
    const newest = batch.checkpoints.at(-1);
    const model = newest ? await toModel(newest.event) : null;
    const at = now().getTime();
    const nextSeconds = seconds + (at - secondsFrom) / 1000;
    const wish = await held.write(async (orm) => {
      if (isFirstFlush) await forgetAfter(orm, id, goesOn ? (batch.firstStep ?? queued.training.step + 1) - 1 : -1);
      stride = await addPoints(orm, id, stride, batch.points);
      await addValidations(orm, id, batch.validations);
      await addCheckpoints(orm, id, batch.checkpoints, model);
      const more = batch.dropped > 0 ? `... ${batch.dropped} lines came too quickly and were dropped\n` : '';
      await addLog(orm, id, batch.log + more);
      const [kept] = await orm
        .update(trainings)
        .set({ ...batch.change, seconds: nextSeconds, stride })
        .where(isOwn)
        .returning({ wish: trainings.wish });
      return kept ? kept.wish : 'lost';
    });
    seconds = nextSeconds;
    secondsFrom = at;
    if (batch.firstStep !== null || !goesOn) isFirstFlush = false;
    return wish;
  }

  async function store(): Promise<Wish> {
    // Lines that come while this is stored are for the next time: none is lost, and a step is never ahead of its curve.
    const isEmpty = points.length + validations.length + checkpoints.length + log.length + dropped === 0;
    if (isEmpty && !hasNews) return readWish();
    const batch = toBatch();
    hasNews = false;
    try {
      const wish = await write(batch);
      drop(batch);
      return wish;
    } catch (error) {
      if (error instanceof LeaseLost || canPass(error)) throw error;
      // It would be refused each time, and nothing that comes after it would be stored.
      drop(batch);
      [started, last] = [null, null];
      state.hopeless ??= `The database refuses what the trainer said: ${toReason(error)}. The log has what it said before.`;
      addText(state.hopeless);
      return readWish();
    }
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    push(line) {
      state.lastAt = now().getTime();
      const { problem, ...event } = parseTrainerLine(line);
      take(event as TrainerEvent);
      if (problem !== undefined) addText(`(not understood: ${problem})`);
    },
    note: addText,
    flush() {
      const done = turn.then(store).catch((error: unknown) => {
        if (error instanceof LeaseLost) return 'lost' as const;
        throw error;
      });
      turn = done.catch(() => undefined);
      return done;
    },
    get result() {
      return state.result;
    },
    get failure() {
      return state.failure;
    },
    get hopeless() {
      return state.hopeless;
    },
    get checkpoint() {
      return state.checkpoint;
    },
    get isFurther() {
      return isFurther();
    },
    get lastAt() {
      return state.lastAt;
    },
    lastLines,
  };
}
