// The values of one metric in the order of the steps, however they were logged. Grows in place: 1,000 runs of 10,000 points
// must fit into memory. Steps evenly apart, as nearly all are, take none; each other column takes 4 bytes a point as long as
// these hold its numbers exactly: most values were float32, times are of one month.
import { toShortFloat } from './shortFloat.ts';

const FIRST_CAPACITY = 16;
/** Up to here a column doubles, then it grows by a quarter. */
const DOUBLES_UNTIL = 512;
/** Milliseconds after the first time; this one stands for no time. */
const NO_TIME = 0xffff_ffff;

/** A read-only view of a curve. The three arrays have one entry for each point, and are made when somebody asks. */
export interface CurvePoints {
  readonly length: number;
  /** Optimizer steps as the trainer counts them. */
  readonly steps: Float64Array;
  /** NaN and infinities are kept: they say where a run diverged. */
  readonly values: Float64Array;
  /** Whole Unix milliseconds; NaN where the source has no time. null: no point has a time. */
  readonly times: Float64Array | null;
}

type Steps = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
type Values = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
type Times = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Steps evenly apart: integers, so that none is rounded. */
interface EvenSteps {
  readonly first: number;
  readonly gap: number;
}

const NO_STEPS: EvenSteps = { first: 0, gap: 0 };

const isStored = (steps: Steps | EvenSteps): steps is Steps => ArrayBuffer.isView(steps);

const readStep = (steps: Steps | EvenSteps, at: number): number =>
  isStored(steps) ? (steps[at] ?? Number.NaN) : steps.first + at * steps.gap;

const isInt32 = (step: number): boolean => (step | 0) === step;

/** The first `length` of them as an array, with room for more. */
function toStored(even: EvenSteps, length: number, capacity: number): Steps {
  const isSmall = length === 0 || (isInt32(even.first) && isInt32(readStep(even, length - 1)));
  const stored: Steps = isSmall ? new Int32Array(capacity) : new Float64Array(capacity);
  for (let at = 0; at < length; at += 1) stored[at] = readStep(even, at);
  return stored;
}

/** The steps with one more after `length`; null: it does not go on evenly. */
function extend(even: EvenSteps, length: number, step: number): EvenSteps | null {
  if (length > 1) return step === readStep(even, length) ? even : null;
  if (!Number.isSafeInteger(step)) return null;
  return length === 0 ? { first: step, gap: 0 } : { first: even.first, gap: step - even.first };
}

const readValue = (values: Values, at: number): number => {
  const value = values[at] ?? Number.NaN;
  return values instanceof Float32Array ? toShortFloat(value) : value;
};

const readTime = (times: Times, base: number, at: number): number => {
  const time = times[at] ?? Number.NaN;
  if (times instanceof Float64Array) return time;
  return time === NO_TIME ? Number.NaN : base + time;
};

function toDoubles(
  from: number,
  to: number,
  read: (at: number) => number,
  capacity = to - from,
): Float64Array<ArrayBuffer> {
  const doubles = new Float64Array(capacity);
  for (let at = from; at < to; at += 1) doubles[at - from] = read(at);
  return doubles;
}

class View implements CurvePoints {
  #stepsRead: Float64Array | null = null;
  #valuesRead: Float64Array | null = null;
  #timesRead: Float64Array | null = null;

  constructor(
    readonly from: number,
    readonly to: number,
    readonly storedSteps: Steps | EvenSteps,
    readonly storedValues: Values,
    readonly storedTimes: Times | null,
    readonly base: number,
  ) {}

  get length(): number {
    return this.to - this.from;
  }

  get steps(): Float64Array {
    const stored = this.storedSteps;
    if (!isStored(stored)) return (this.#stepsRead ??= toDoubles(this.from, this.to, (at) => readStep(stored, at)));
    const part = stored.subarray(this.from, this.to);
    return (this.#stepsRead ??= part instanceof Float64Array ? part : new Float64Array(part));
  }

  get values(): Float64Array {
    const stored = this.storedValues;
    return (this.#valuesRead ??=
      stored instanceof Float64Array
        ? stored.subarray(this.from, this.to)
        : toDoubles(this.from, this.to, (at) => readValue(stored, at)));
  }

  get times(): Float64Array | null {
    const stored = this.storedTimes;
    if (stored === null) return null;
    return (this.#timesRead ??=
      stored instanceof Float64Array
        ? stored.subarray(this.from, this.to)
        : toDoubles(this.from, this.to, (at) => readTime(stored, this.base, at)));
  }
}

interface Point {
  readonly step: number;
  readonly value: number;
  readonly time: number | null;
}

export interface CurveOptions {
  /**
   * A step that comes again after later ones replaces the old point: several sessions write into one log, and each goes on
   * from a checkpoint. Else both stay: one program logs what it likes.
   */
  readonly replacesRepeats?: boolean;
  /** A point that is the last one again is left out: training, evaluation and summary of a step repeat the epoch. */
  readonly skipsRepeats?: boolean;
}

/** So many late points are put in their places at once, or a quarter of the curve. */
const MANY_LATE = 1024;

export class Curve {
  #length = 0;
  #steps: Steps | EvenSteps = NO_STEPS;
  #values: Values = new Float32Array(FIRST_CAPACITY);
  #times: Times | null = null;
  /** The first time, from which the others are counted. */
  #base = 0;
  /** Points of earlier steps than some before them, that are not in their places yet. */
  #late: Point[] = [];
  #lastPushed = -Infinity;
  #highest = -Infinity;
  /** What is added to a step because the counter began again. */
  #counted = 0;
  /** How often the steps began again at the first one. */
  #restarts = 0;
  readonly #options: CurveOptions;

  constructor(options: CurveOptions = {}) {
    this.#options = options;
  }

  get length(): number {
    this.#settle();
    return this.#length;
  }

  /** How often the steps began again at the first one, and were counted on. */
  get restarts(): number {
    return this.#restarts;
  }

  get firstStep(): number | null {
    this.#settle();
    return this.#length === 0 ? null : readStep(this.#steps, 0);
  }

  get lastStep(): number | null {
    this.#settle();
    return this.#length === 0 ? null : readStep(this.#steps, this.#length - 1);
  }

  get firstValue(): number | null {
    this.#settle();
    return this.#length === 0 ? null : readValue(this.#values, 0);
  }

  get lastValue(): number | null {
    this.#settle();
    return this.#length === 0 ? null : readValue(this.#values, this.#length - 1);
  }

  /** NaN: the point has no time. */
  get firstTime(): number | null {
    this.#settle();
    return this.#length === 0 || !this.#times ? null : readTime(this.#times, this.#base, 0);
  }

  /** NaN: the point has no time. */
  get lastTime(): number | null {
    this.#settle();
    return this.#length === 0 || !this.#times ? null : readTime(this.#times, this.#base, this.#length - 1);
  }

  /** `time`: Unix milliseconds. */
  push(step: number, value: number, time: number | null = null): void {
    this.#take(step, value, time, false);
  }

  /** A value that was logged as a float32: it is read with the digits that people know it by. */
  pushFloat(step: number, value: number, time: number | null = null): void {
    this.#take(step, value, time, true);
  }

  /** As `push`, of a step that is right: nothing begins again. */
  put(step: number, value: number, time: number | null): void {
    this.#take(step, value, time, false, false);
  }

  /** Drops the last points from this step on: a run that was resumed repeats the steps after its checkpoint. */
  dropFrom(step: number): void {
    this.#settle();
    while (this.#length > 0 && readStep(this.#steps, this.#length - 1) >= step) this.#length -= 1;
    this.#counted = 0;
    this.#highest = this.#length === 0 ? -Infinity : readStep(this.#steps, this.#length - 1);
    this.#lastPushed = this.#highest;
  }

  /** Makes room for so many points in all, if more than those that are there. */
  reserve(points: number): void {
    if (points > this.#values.length) this.#resize(points);
  }

  clear(): void {
    this.#length = 0;
    this.#times = null;
    this.#late = [];
    this.#counted = 0;
    this.#restarts = 0;
    this.#highest = -Infinity;
    this.#lastPushed = -Infinity;
  }

  /** A view, not a copy: valid until the next change. Of a part, only that part is decoded. */
  read(from = 0, to = Infinity): CurvePoints {
    this.#settle();
    const end = Math.min(to, this.#length);
    return new View(Math.min(Math.max(0, from), end), end, this.#steps, this.#values, this.#times, this.#base);
  }

  #take(rawStep: number, value: number, time: number | null, isFloat: boolean, mayRestart = true): void {
    let step = rawStep + this.#counted;
    if (step <= this.#highest) {
      if (this.#options.skipsRepeats && step === this.#lastPushed && this.#isLastValue(value)) return;
      if (mayRestart && step < this.#lastPushed && this.#isRestart(rawStep)) {
        const first = readStep(this.#steps, 0);
        const gap = this.#length > 1 ? Math.max(1, readStep(this.#steps, 1) - first) : 1;
        this.#counted = this.#highest + gap - rawStep;
        this.#restarts += 1;
        step = rawStep + this.#counted;
      } else if (step < this.#highest || step !== this.#lastPushed) {
        this.#lastPushed = step;
        this.#late.push({ step, value: isFloat ? toShortFloat(value) : value, time });
        if (this.#late.length > Math.max(MANY_LATE, this.#length / 4)) this.#settle();
        return;
      }
    }
    this.#lastPushed = step;
    if (!(step < this.#highest)) this.#highest = step;
    this.#store(step, value, time, isFloat);
  }

  /** Whether a step is the first one again, after others. */
  #isRestart(step: number): boolean {
    return this.#length > 1 && step === readStep(this.#steps, 0);
  }

  #isLastValue(value: number): boolean {
    const last = this.#values[this.#length - 1];
    return Object.is(last, value) || (this.#values instanceof Float32Array && Object.is(last, Math.fround(value)));
  }

  /** Puts late points in their places. */
  #settle(): void {
    if (this.#late.length === 0) return;
    const late = this.#late.toSorted((a, b) => a.step - b.step);
    this.#late = [];
    const { steps, values, times } = this.read();
    const length = this.#length;
    // Copies: the columns are written anew.
    const old = { steps: steps.slice(), values: values.slice(), times: times?.slice() ?? null };
    const replaces = this.#options.replacesRepeats ?? false;
    this.#length = 0;
    this.#steps = NO_STEPS;
    let next = 0;
    let replaced = Number.NaN;
    for (let at = 0; at <= length; at += 1) {
      const step = at < length ? (old.steps[at] ?? Number.NaN) : Infinity;
      for (let point = late[next]; point && !(point.step > step); point = late[next]) {
        if (point.step === step && !replaces && at < length) break;
        next += 1;
        if (replaces) replaced = point.step;
        // Of several sessions the last one counts.
        if (!replaces || late[next]?.step !== point.step) this.#store(point.step, point.value, point.time, false);
      }
      if (at === length || step === replaced) continue;
      const time = old.times?.[at] ?? Number.NaN;
      this.#store(step, old.values[at] ?? Number.NaN, Number.isNaN(time) ? null : time, false);
    }
  }

  #store(step: number, value: number, time: number | null, isFloat: boolean): void {
    if (isFloat) this.#pushStored(step, this.#values instanceof Float32Array ? value : toShortFloat(value), time);
    else {
      if (this.#values instanceof Float32Array && !Object.is(toShortFloat(Math.fround(value)), value))
        this.#widenValues();
      this.#pushStored(step, value, time);
    }
  }

  #pushStored(step: number, value: number, time: number | null): void {
    const at = this.#length;
    if (at === this.#values.length) this.#grow();
    this.#setStep(at, step);
    this.#values[at] = value;
    if (time !== null || this.#times) this.#setTime(at, time === null ? Number.NaN : Math.round(time));
    this.#length = at + 1;
  }

  #setStep(at: number, step: number): void {
    if (!isStored(this.#steps)) {
      const even = extend(this.#steps, at, step);
      if (even !== null) {
        this.#steps = even;
        return;
      }
      this.#steps = toStored(this.#steps, at, this.#values.length);
    }
    if (this.#steps instanceof Int32Array && !isInt32(step)) {
      const old = this.#steps;
      this.#steps = toDoubles(0, at, (place) => readStep(old, place), old.length);
    }
    this.#steps[at] = step;
  }

  #setTime(at: number, time: number): void {
    if (!this.#times) {
      this.#times = new Uint32Array(this.#values.length).fill(NO_TIME);
      this.#base = Number.isNaN(time) ? 0 : time;
    }
    if (this.#times instanceof Uint32Array) {
      const offset = time - this.#base;
      if (Number.isNaN(time) || (offset >= 0 && offset < NO_TIME)) {
        this.#times[at] = Number.isNaN(time) ? NO_TIME : offset;
        return;
      }
      const old = this.#times;
      this.#times = toDoubles(0, at, (place) => readTime(old, this.#base, place), old.length);
    }
    this.#times[at] = time;
  }

  #widenValues(): void {
    const old = this.#values;
    this.#values = toDoubles(0, this.#length, (at) => readValue(old, at), old.length);
  }

  #grow(): void {
    const old = this.#values.length;
    this.#resize(old < DOUBLES_UNTIL ? old * 2 : Math.ceil(old * 1.25));
  }

  #resize(capacity: number): void {
    if (isStored(this.#steps)) this.#steps = enlarge(this.#steps, capacity);
    this.#values = enlarge(this.#values, capacity);
    if (this.#times) this.#times = enlarge(this.#times, capacity);
  }
}

function enlarge<Column extends Steps | Values | Times>(old: Column, capacity: number): Column {
  const larger = new (old.constructor as new (length: number) => Column)(capacity);
  larger.set(old);
  return larger;
}
