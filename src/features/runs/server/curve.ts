// The values of one metric in the order of the steps, however they were logged. Grows in place: 1,000 runs of 10,000 points
// must fit into memory.
import {
  Column,
  toView,
  type Columns,
  type CurvePoints,
  type StoredPoints,
} from '#features/runs/server/curvePoints/columns.ts';
import { toShortFloat } from '#features/runs/server/curvePoints/shortFloat.ts';

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
  #columns: Columns = { steps: new Column(), values: new Column(), times: null };
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
    return this.#columns.values.length;
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
    return this.#read('steps', 0);
  }

  get lastStep(): number | null {
    return this.#read('steps', this.length - 1);
  }

  get firstValue(): number | null {
    return this.#read('values', 0);
  }

  get lastValue(): number | null {
    return this.#read('values', this.length - 1);
  }

  /** NaN: the point has no time. */
  get firstTime(): number | null {
    return this.#readTime(0);
  }

  /** NaN: the point has no time. */
  get lastTime(): number | null {
    return this.#readTime(this.length - 1);
  }

  #read(name: 'steps' | 'values', at: number): number | null {
    return this.length === 0 ? null : this.#columns[name].at(at);
  }

  #readTime(at: number): number | null {
    const { times } = this.#columns;
    return this.length === 0 || !times ? null : times.column.at(at) + times.base;
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
    let first = this.length;
    const { steps } = this.#columns;
    while (first > 0 && steps.at(first - 1) >= step) first -= 1;
    if (first < this.length) this.keepReplaced(this.read(first));
    this.#cut(first);
    this.#counted = 0;
    this.#highest = this.lastStep ?? -Infinity;
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
    const { steps, values, times } = this.#columns;
    for (const column of [steps, values, ...(times ? [times.column] : [])]) column.reserve(points);
  }

  clear(): void {
    this.#cut(0);
    this.#columns = { ...this.#columns, times: null };
    this.#replaced = null;
    this.#late = [];
    this.#counted = 0;
    this.#restarts = 0;
    this.#highest = -Infinity;
    this.#lastPushed = -Infinity;
  }

  /** A view, not a copy: valid until the next change. Of a part, only that part is decoded. */
  read(from = 0, to = Infinity): StoredPoints {
    const end = Math.min(to, this.length);
    return toView(this.#columns, Math.min(Math.max(0, from), end), end);
  }

  #cut(length: number): void {
    const { steps, values, times } = this.#columns;
    for (const column of [steps, values, ...(times ? [times.column] : [])]) column.length = length;
  }

  #take(rawStep: number, value: number, time: number | null, isFloat: boolean, mayRestart = true): void {
    let step = rawStep + this.#counted;
    if (step <= this.#highest) {
      if (this.#options.skipsRepeats && step === this.#lastPushed && this.#isLastValue(value)) return;
      if (mayRestart && step < this.#lastPushed && this.#isRestart(rawStep)) {
        const { steps } = this.#columns;
        const gap = Math.max(1, steps.at(1) - steps.at(0));
        this.#counted = this.#highest + gap - rawStep;
        this.#restarts += 1;
        step = rawStep + this.#counted;
      } else if (step < this.#highest || step !== this.#lastPushed) {
        this.#lastPushed = step;
        this.#late.push({ step, value: isFloat ? toShortFloat(value) : value, time });
        if (this.#late.length > Math.max(MANY_LATE, this.#columns.steps.length / 4)) this.#settle();
        return;
      }
    }
    this.#lastPushed = step;
    if (!(step < this.#highest)) this.#highest = step;
    this.#store(step, value, time, isFloat);
  }

  /** Whether a step is the first one again, after others. */
  #isRestart(step: number): boolean {
    const { steps } = this.#columns;
    return steps.length > 1 && step === steps.at(0);
  }

  #isLastValue(value: number): boolean {
    const { values } = this.#columns;
    const last = values.stored[values.length - 1];
    return Object.is(last, value) || (values.stored instanceof Float32Array && Object.is(last, Math.fround(value)));
  }

  /** Puts late points in their places. */
  #settle(): void {
    if (this.#late.length === 0) return;
    const late = this.#late.toSorted((a, b) => a.step - b.step);
    this.#late = [];
    const { steps, values, times, length } = this.read();
    const replaces = this.#options.replacesRepeats ?? false;
    this.#columns = { steps: new Column(), values: new Column(), times: null };
    this.reserve(length + late.length);
    let next = 0;
    let replaced = Number.NaN;
    let newest = Number.NaN;
    for (let at = 0; at <= length; at += 1) {
      const step = at < length ? (steps[at] ?? Number.NaN) : Infinity;
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
      const value = values[at] ?? Number.NaN;
      const time = times?.[at] ?? Number.NaN;
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
    const { steps, values, times } = this.#columns;
    if (time !== null || times) this.#storeTime(time === null ? Number.NaN : Math.round(time));
    steps.push(step);
    if (isFloat) values.pushFloat(value);
    else values.push(value);
  }

  #storeTime(time: number): void {
    const { times, values } = this.#columns;
    const found = times ?? { column: new Column(), base: Number.isNaN(time) ? 0 : time };
    if (!times) {
      this.#columns = { ...this.#columns, times: found };
      found.column.reserve(values.stored.length);
      while (found.column.length < values.length) found.column.pushFloat(Number.NaN);
    }
    found.column.push(time - found.base);
  }
}
