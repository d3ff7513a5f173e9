// The values of one metric over the steps of a run, in the order in which they were logged. Grows in place: a run that
// trains adds points, and 1,000 runs of 10,000 points must fit into memory.

const FIRST_CAPACITY = 16;

/** A read-only view of a curve. The three arrays have one entry for each point. */
export interface CurvePoints {
  readonly length: number;
  /** Optimizer steps as the trainer counts them. */
  readonly steps: Float64Array;
  /** NaN and infinities are kept: they say where a run diverged. */
  readonly values: Float64Array;
  /** Unix milliseconds; NaN where the source has no time. null: no point has a time. */
  readonly times: Float64Array | null;
}

export class Curve {
  #length = 0;
  #steps = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  #times: Float64Array<ArrayBuffer> | null = null;

  get length(): number {
    return this.#length;
  }

  /** `time`: Unix milliseconds. */
  push(step: number, value: number, time: number | null = null): void {
    const at = this.#length;
    if (at === this.#steps.length) this.#grow();
    this.#steps[at] = step;
    this.#values[at] = value;
    if (time !== null) this.#times ??= new Float64Array(this.#steps.length).fill(Number.NaN);
    if (this.#times) this.#times[at] = time ?? Number.NaN;
    this.#length = at + 1;
  }

  /** Drops the last points from this step on: a run that was resumed repeats the steps after its checkpoint. */
  dropFrom(step: number): void {
    while (this.#length > 0 && (this.#steps[this.#length - 1] ?? 0) >= step) this.#length -= 1;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Views, not copies: valid until the next `push`. */
  read(): CurvePoints {
    return {
      length: this.#length,
      steps: this.#steps.subarray(0, this.#length),
      values: this.#values.subarray(0, this.#length),
      times: this.#times?.subarray(0, this.#length) ?? null,
    };
  }

  #grow(): void {
    const enlarge = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(old.length * 2);
      larger.set(old);
      return larger;
    };
    this.#steps = enlarge(this.#steps);
    this.#values = enlarge(this.#values);
    if (this.#times) this.#times = enlarge(this.#times).fill(Number.NaN, this.#length);
  }
}
