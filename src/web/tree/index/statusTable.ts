// The statuses of a tree as numbers, one per place, so that 100,000 of them are counted in no time.

export interface StatusTable {
  /** Each status that occurs, once. */
  readonly names: readonly string[];
  /** Per place the number of its status in `names` and 1 more; 0 without a status. */
  readonly codes: Uint32Array;
}

/** Collects the statuses of `count` places. */
export class StatusTableMaker implements StatusTable {
  readonly names: string[] = [];
  readonly codes: Uint32Array;
  private readonly numbers = new Map<string, number>();

  constructor(count: number) {
    this.codes = new Uint32Array(count);
  }

  add(at: number, status: string): void {
    let code = this.numbers.get(status);
    if (code === undefined) {
      code = this.names.push(status);
      this.numbers.set(status, code);
    }
    this.codes[at] = code;
  }
}
