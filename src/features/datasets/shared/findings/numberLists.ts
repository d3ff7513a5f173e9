// Lists and a table of numbers in typed arrays: a million of them cost a few megabytes and no work for the collector.

/** A list of numbers from 0 to 2^32 - 1. */
export class NumberList {
  private numbers = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.numbers.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers[this.length] = value;
    this.length += 1;
  }

  at(place: number): number {
    return this.numbers[place] ?? 0;
  }

  set(place: number, value: number): void {
    this.numbers[place] = value;
  }

  /** A copy. */
  toArray(): Uint32Array {
    return this.numbers.slice(0, this.length);
  }
}

/** A hash table from 64-bit keys, in two halves, to numbers from 0 to 2^32 - 2. */
export class HashTable {
  private highs = new Uint32Array(2048);
  private lows = new Uint32Array(2048);
  /** The value and 1; 0: the slot is free. */
  private values = new Uint32Array(2048);
  private size = 0;

  /** The value of a key, or -1. */
  get(high: number, low: number): number {
    return (this.values[this.find(high, low)] ?? 0) - 1;
  }

  set(high: number, low: number, value: number): void {
    let slot = this.find(high, low);
    if (this.values[slot] === 0) {
      if (this.size * 2 >= this.values.length) {
        this.grow();
        slot = this.find(high, low);
      }
      this.size += 1;
      this.highs[slot] = high;
      this.lows[slot] = low;
    }
    this.values[slot] = value + 1;
  }

  /** The slot of a key, or the free slot where it belongs. */
  private find(high: number, low: number): number {
    const mask = this.values.length - 1;
    let slot = (Math.imul(high ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask;
    while (this.values[slot] !== 0 && (this.highs[slot] !== high || this.lows[slot] !== low)) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { highs, lows, values } = this;
    this.highs = new Uint32Array(values.length * 2);
    this.lows = new Uint32Array(values.length * 2);
    this.values = new Uint32Array(values.length * 2);
    for (const [at, value] of values.entries()) {
      if (value === 0) continue;
      const slot = this.find(highs[at] ?? 0, lows[at] ?? 0);
      this.highs[slot] = highs[at] ?? 0;
      this.lows[slot] = lows[at] ?? 0;
      this.values[slot] = value;
    }
  }
}
