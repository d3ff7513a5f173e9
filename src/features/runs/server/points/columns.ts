// The columns of a curve, as small as its numbers allow: steps evenly apart take no place, values and times 4 bytes each as
// long as these hold them exactly.
import { toShortFloat } from './shortFloat.ts';

/** Milliseconds after the first time; this one stands for no time. */
export const NO_TIME = 0xffff_ffff;

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

/** Of a million points a thousand are shown. `pick` decodes those at some places. */
export interface StoredPoints extends CurvePoints {
  /** The values as they are stored: a float32 is as large as the double with its digits, so they compare the same. */
  readonly storedValues: Values;
  pick(places: readonly number[]): CurvePoints;
}

export type Steps = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
export type Values = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
export type Times = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Steps evenly apart: integers, so that none is rounded. */
export interface EvenSteps {
  readonly first: number;
  readonly gap: number;
}

export const NO_STEPS: EvenSteps = { first: 0, gap: 0 };

export const isStored = (steps: Steps | EvenSteps): steps is Steps => ArrayBuffer.isView(steps);

export const readStep = (steps: Steps | EvenSteps, at: number): number =>
  isStored(steps) ? (steps[at] ?? Number.NaN) : steps.first + at * steps.gap;

export const isInt32 = (step: number): boolean => (step | 0) === step;

/** The first `length` of them as an array, with room for more. */
export function toStored(even: EvenSteps, length: number, capacity: number): Steps {
  const isSmall = length === 0 || (isInt32(even.first) && isInt32(readStep(even, length - 1)));
  const stored: Steps = isSmall ? new Int32Array(capacity) : new Float64Array(capacity);
  for (let at = 0; at < length; at += 1) stored[at] = readStep(even, at);
  return stored;
}

/** The steps with one more after `length`; null: it does not go on evenly. */
export function extend(even: EvenSteps, length: number, step: number): EvenSteps | null {
  if (length > 1) return step === readStep(even, length) ? even : null;
  if (!Number.isSafeInteger(step)) return null;
  return length === 0 ? { first: step, gap: 0 } : { first: even.first, gap: step - even.first };
}

export const readValue = (values: Values, at: number): number => {
  const value = values[at] ?? Number.NaN;
  return values instanceof Float32Array ? toShortFloat(value) : value;
};

export const readTime = (times: Times, base: number, at: number): number => {
  const time = times[at] ?? Number.NaN;
  if (times instanceof Float64Array) return time;
  return time === NO_TIME ? Number.NaN : base + time;
};

export function toDoubles(
  from: number,
  to: number,
  read: (at: number) => number,
  capacity = to - from,
): Float64Array<ArrayBuffer> {
  const doubles = new Float64Array(capacity);
  for (let at = from; at < to; at += 1) doubles[at - from] = read(at);
  return doubles;
}

export class View implements StoredPoints {
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
      stored instanceof Float64Array ? stored : toDoubles(0, stored.length, (at) => readValue(stored, at)));
  }

  get times(): Float64Array | null {
    const stored = this.storedTimes;
    if (stored === null) return null;
    return (this.#timesRead ??=
      stored instanceof Float64Array
        ? stored.subarray(this.from, this.to)
        : toDoubles(this.from, this.to, (at) => readTime(stored, this.base, at)));
  }

  pick(places: readonly number[]): CurvePoints {
    const { storedSteps, storedTimes, from } = this;
    const toPicked = (read: (at: number) => number): Float64Array => Float64Array.from(places, read);
    return {
      length: places.length,
      steps: toPicked((at) => readStep(storedSteps, from + at)),
      values: toPicked((at) => readValue(this.storedValues, at)),
      times: storedTimes && toPicked((at) => readTime(storedTimes, this.base, from + at)),
    };
  }
}

export function enlarge<Column extends Steps | Values | Times>(old: Column, capacity: number): Column {
  const larger = new (old.constructor as new (length: number) => Column)(capacity);
  larger.set(old);
  return larger;
}
