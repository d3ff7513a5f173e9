// The statuses of a tree as numbers, one per place, so that counting 100,000 of them is quick.

export interface StatusTable {
  /** Each status of the tree, once. */
  readonly names: readonly string[];
  /** Per place the index of its status in `names` plus 1; 0: no status. */
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
