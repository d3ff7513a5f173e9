// Calls of the file system about one place, each in the background and within a time. A call about a network mount that
// hangs keeps its thread for ever, so only few are made at a time, and none while the place is silent.

/** A disk or network mount doesn't answer. The message is the reason in a sentence for people. */
export class Silence extends Error {
  override readonly name = 'Silence';
  readonly code = 'ETIMEDOUT';
  constructor(
    /** Unix milliseconds. */
    readonly since: number,
  ) {
    super(`its disk or network mount has not answered since ${toClock(since)}`);
  }
}

/** `10:42:07 UTC`. */
export const toClock = (time: number): string => `${new Date(time).toISOString().slice(11, 19)} UTC`;

export interface PlaceOptions {
  /** Asked to see whether the place answers again; by default what it did not answer. */
  readonly probe?: () => Promise<unknown>;
  /** Milliseconds that a call may take. */
  readonly callMs?: number;
  readonly now?: () => number;
}

const CALL_MS = 10_000;
const AT_ONCE = 3;
/**
 * Calls about one place that were given up and may never return, as those about a mount that was replaced by another one.
 * For more no thread is spent.
 */
const MOST_LOST = 5;
/** In this process, about all places. */
const MOST_LOST_IN_ALL = 96;
const FIRST_PROBE_MS = 5_000;
const LONGEST_PROBE_MS = 300_000;

/** Of a process that asks about places that may hang: Node's pool of threads is larger than what may be lost. */
export const PLACE_ENV = { UV_THREADPOOL_SIZE: '128' } as const;

let lostInAll = 0;

interface Waiting {
  readonly begin: () => void;
  readonly refuse: () => void;
}

export class Place {
  readonly #options: PlaceOptions;
  readonly #waiting: Waiting[] = [];
  #active = 0;
  #lost = 0;
  #silentSince: number | null = null;
  #probing: NodeJS.Timeout | undefined;

  constructor(options: PlaceOptions = {}) {
    this.#options = options;
  }

  /** Unix milliseconds; null: it answers. */
  get silentSince(): number | null {
    return this.#silentSince;
  }

  /** No call about it is going on or may return. */
  get isIdle(): boolean {
    return this.#active === 0 && this.#lost === 0;
  }

  /**
   * Makes a call, or waits until fewer are made. Rejects with Silence while the place does not answer. `onLate` gets what a
   * call gives that was given up.
   */
  async run<Value>(call: () => Promise<Value>, onLate?: (value: Value) => void): Promise<Value> {
    await this.#enter();
    const { callMs = CALL_MS, now = Date.now, probe = call } = this.#options;
    const begun = now();
    return new Promise((resolve, reject) => {
      let isLost = false;
      const timer = setTimeout(() => {
        isLost = true;
        this.#lose();
        if (this.#silentSince === null) this.#beSilent(begun, probe);
        this.#leave();
        reject(this.#toSilence());
      }, callMs);
      const settle = (act: () => void, late?: () => void): void => {
        clearTimeout(timer);
        if (isLost) {
          this.#answer();
          late?.();
        } else {
          this.#leave();
          act();
        }
      };
      // A call that fails is an answer, too.
      call().then(
        (value) =>
          settle(
            () => resolve(value),
            () => onLate?.(value),
          ),
        (error: unknown) => settle(() => reject(error as Error)),
      );
    });
  }

  async #enter(): Promise<void> {
    if (this.#silentSince !== null) throw this.#toSilence();
    if (lostInAll >= MOST_LOST_IN_ALL) throw new Silence((this.#options.now ?? Date.now)());
    if (this.#active < AT_ONCE) {
      this.#active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ begin: resolve, refuse: () => reject(this.#toSilence()) });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.begin();
    else this.#active -= 1;
  }

  #lose(): void {
    this.#lost += 1;
    lostInAll += 1;
  }

  #beSilent(since: number, probe: () => Promise<unknown>): void {
    this.#silentSince = since;
    for (const { refuse } of this.#waiting.splice(0)) refuse();
    this.#probeAfter(FIRST_PROBE_MS, probe);
  }

  /** A call that was given up has returned. */
  #answer(): void {
    this.#lost -= 1;
    lostInAll -= 1;
    this.#silentSince = null;
    clearTimeout(this.#probing);
  }

  /** The calls that were given up may be of a mount that is gone, and another one may be at its place. */
  #probeAfter(ms: number, probe: () => Promise<unknown>): void {
    this.#probing = setTimeout(() => {
      this.#probeAfter(Math.min(LONGEST_PROBE_MS, ms * 2), probe);
      if (this.#lost >= MOST_LOST || lostInAll >= MOST_LOST_IN_ALL) return;
      this.#lose();
      const end = (): void => this.#answer();
      probe().then(end, end);
    }, ms);
    this.#probing.unref();
  }

  #toSilence(): Silence {
    return new Silence(this.#silentSince ?? 0);
  }
}
