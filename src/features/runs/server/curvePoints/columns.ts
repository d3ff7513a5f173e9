// The columns of a curve, as small as its numbers allow: 4 bytes each as long as float32 holds their digits, else 8. Most values
// were float32, steps are whole, times are of some hours.
import { toShortFloat } from './shortFloat.ts';

const FIRST_CAPACITY = 16;
/** Up to here a column doubles, then it grows by a quarter. */
const DOUBLES_UNTIL = 512;

type Stored = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

const readStored = (stored: Stored, at: number): number => {
  const number = stored[at] ?? Number.NaN;
  return stored instanceof Float32Array ? toShortFloat(number) : number;
};

export class Column {
  stored: Stored = new Float32Array(FIRST_CAPACITY);
  /** May be made smaller. */
  length = 0;

  push(number: number): void {
    if (this.stored instanceof Float32Array && !Object.is(toShortFloat(Math.fround(number)), number)) this.#widen();
    this.#store(number);
  }

  /** A number that is a float32: it is read with the digits that people know it by. */
  pushFloat(number: number): void {
    this.#store(this.stored instanceof Float32Array ? number : toShortFloat(number));
  }

  at(place: number): number {
    return readStored(this.stored, place);
  }

  /** Makes room for so many numbers in all, if more than those that are there. */
  reserve(capacity: number): void {
    const old = this.stored;
    if (capacity <= old.length) return;
    this.stored = old instanceof Float32Array ? new Float32Array(capacity) : new Float64Array(capacity);
    this.stored.set(old);
  }

  #store(number: number): void {
    const { length } = this.stored;
    if (this.length === length) this.reserve(length < DOUBLES_UNTIL ? length * 2 : Math.ceil(length * 1.25));
    this.stored[this.length] = number;
    this.length += 1;
  }

  #widen(): void {
    const wide = new Float64Array(this.stored.length);
    for (let at = 0; at < this.length; at += 1) wide[at] = this.at(at);
    this.stored = wide;
  }
}

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
  readonly storedValues: ArrayLike<number>;
  pick(places: readonly number[]): CurvePoints;
}

/** Where a curve keeps its points. `base`: the first time, from which the others are counted. */
export interface Columns {
  readonly steps: Column;
  readonly values: Column;
  readonly times: { readonly column: Column; readonly base: number } | null;
}

/** The points from one place up to another, as they are now: what is written later does not change them. */
export function toView({ steps, values, times }: Columns, from: number, to: number): StoredPoints {
  const length = to - from;
  const toReader = ({ stored }: Column, base = 0) => {
    let all: Float64Array | null = null;
    const read = (at: number): number => {
      const number = readStored(stored, from + at);
      // The sum of -0 and 0 is 0.
      return base === 0 ? number : number + base;
    };
    const toAll = (): Float64Array => {
      if (all) return all;
      all = new Float64Array(length);
      for (let at = 0; at < length; at += 1) all[at] = read(at);
      return all;
    };
    return { read, toAll };
  };
  const [ofSteps, ofValues] = [toReader(steps), toReader(values)];
  const ofTimes = times && toReader(times.column, times.base);
  return {
    length,
    storedValues: values.stored.subarray(from, to),
    get steps() {
      return ofSteps.toAll();
    },
    get values() {
      return ofValues.toAll();
    },
    get times() {
      return ofTimes && ofTimes.toAll();
    },
    pick: (places) => ({
      length: places.length,
      steps: Float64Array.from(places, ofSteps.read),
      values: Float64Array.from(places, ofValues.read),
      times: ofTimes && Float64Array.from(places, ofTimes.read),
    }),
  };
}
