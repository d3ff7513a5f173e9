// The values of one metric in the order of the steps, however they were logged. Grows in place: 1,000 runs of 10,000 points
// must fit into memory. Steps evenly apart, as nearly all are, take none; each other column takes 4 bytes a point as long as
// these hold its numbers exactly: most values were float32, times are of one month.
import {
  enlarge,
  extend,
  isInt32,
  isStored,
  NO_STEPS,
  NO_TIME,
  readStep,
  readTime,
  readValue,
  toDoubles,
  toStored,
  View,
  type CurvePoints,
  type StoredPoints,
  type EvenSteps,
  type Steps,
  type Times,
  type Values,
} from '#features/runs/server/points/columns.ts';
import { toShortFloat } from '#features/runs/server/points/shortFloat.ts';

const FIRST_CAPACITY = 16;
/** Up to here a column doubles, then it grows by a quarter. */
const DOUBLES_UNTIL = 512;

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
/** Replaced points that are kept of a curve; then the oldest of them are forgotten. */
const MOST_REPLACED = 100_000;

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
  #replaced: Curve | null = null;
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

  /** The points that later sessions trained again, in the order of their steps; null: none. */
  get replaced(): Curve | null {
    this.#settle();
    return this.#replaced;
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
    let first = this.#length;
    while (first > 0 && readStep(this.#steps, first - 1) >= step) first -= 1;
    if (first < this.#length) this.keepReplaced(this.read(first));
    this.#length = first;
    this.#counted = 0;
    this.#highest = this.#length === 0 ? -Infinity : readStep(this.#steps, this.#length - 1);
    this.#lastPushed = this.#highest;
  }

  /** Keeps points that are not part of the curve any more, to be seen on request. */
  keepReplaced({ steps, values, times, length }: CurvePoints, offset = 0): void {
    for (let at = 0; at < length; at += 1) {
      const time = times?.[at] ?? Number.NaN;
      this.#keep((steps[at] ?? 0) + offset, values[at] ?? Number.NaN, Number.isNaN(time) ? null : time);
    }
  }

  /** Makes room for so many points in all, if more than those that are there. */
  reserve(points: number): void {
    if (points > this.#values.length) this.#resize(points);
  }

  clear(): void {
    this.#length = 0;
    this.#replaced = null;
    this.#times = null;
    this.#late = [];
    this.#counted = 0;
    this.#restarts = 0;
    this.#highest = -Infinity;
    this.#lastPushed = -Infinity;
  }

  /** A view, not a copy: valid until the next change. Of a part, only that part is decoded. */
  read(from = 0, to = Infinity): StoredPoints {
    this.#settle();
    const end = Math.min(to, this.#length);
    const start = Math.min(Math.max(0, from), end);
    return new View(start, end, this.#steps, this.#values.subarray(start, end), this.#times, this.#base);
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
    let newest = Number.NaN;
    for (let at = 0; at <= length; at += 1) {
      const step = at < length ? (old.steps[at] ?? Number.NaN) : Infinity;
      for (let point = late[next]; point && !(point.step > step); point = late[next]) {
        if (point.step === step && !replaces && at < length) break;
        next += 1;
        if (replaces) replaced = point.step;
        // Of several sessions the last one counts.
        if (replaces && late[next]?.step === point.step) this.#keep(point.step, point.value, point.time);
        else {
          newest = point.value;
          this.#store(point.step, point.value, point.time, false);
        }
      }
      if (at === length) continue;
      const value = old.values[at] ?? Number.NaN;
      const time = old.times?.[at] ?? Number.NaN;
      const shown = Number.isNaN(time) ? null : time;
      if (step !== replaced) this.#store(step, value, shown, false);
      // A file that is read again repeats what it said.
      else if (!Object.is(value, newest)) this.#keep(step, value, shown);
    }
  }

  #keep(step: number, value: number, time: number | null): void {
    const kept = (this.#replaced ??= new Curve());
    if (kept.length === MOST_REPLACED) kept.clear();
    kept.put(step, value, time);
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
