// Keeps a lease by renewing it, and says in time when it may be over. Time is this machine's monotonic clock.

/** Somebody else has the lease, or nobody any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('The lease is lost: another service may have taken over.');
  }
}

export interface HoldOptions {
  /** false: the lease is lost. Throws while the database is away. */
  readonly renew: () => Promise<boolean>;
  readonly ms: number;
  /** `performance.now()` before the lease was taken. */
  readonly askedAt: number;
  /** false: nobody else can take it, so it does not end by the clock. */
  readonly isShared: boolean;
}

export interface Hold {
  /**
   * Aborts once the lease is lost, and earlier if it could not be renewed: what must not meet another holder is ended then, while
   * a third of the lease is left, or as soon as a process goes on that slept for longer.
   */
  readonly signal: AbortSignal;
  /** Whether the database has said so. */
  isLost(): boolean;
  /** For so many milliseconds nobody else has it. */
  leftMs(): number;
  /** Throws LeaseLost if somebody else may have it by now. */
  check(): void;
  /** Ends the renewing. */
  stop(): void;
}

/** While a lease lasts it is tried to be renewed so often. */
const RENEWALS = 4;
/** Of a lease: how much is left when the database is asked for the last time, and how long the answer may take. */
const LEFT_WHEN_ASKED = 0.4;
const QUESTION = 1 / 15;

export function holdLease({ renew, ms, askedAt, isShared }: HoldOptions): Hold {
  const aborter = new AbortController();
  let renewedAt = askedAt;
  let isLost = false;
  let isStopped = false;
  let ending: NodeJS.Timeout | undefined;
  const leftMs = (): number => {
    if (isLost) return 0;
    return isShared ? Math.max(0, renewedAt + ms - performance.now()) : Number.POSITIVE_INFINITY;
  };
  function stop(): void {
    isStopped = true;
    clearInterval(renewing);
    clearTimeout(ending);
  }
  function watch(isAsked = false): void {
    clearTimeout(ending);
    const dueMs = leftMs() - ms * LEFT_WHEN_ASKED;
    if (isLost || (isAsked && dueMs <= 0)) aborter.abort(new LeaseLost());
    else if (dueMs <= 0) {
      // This process may have slept, or been busy: its renewing was late, not the database.
      ending = setTimeout(watch, ms * QUESTION, true).unref();
      void tryToRenew().catch(() => undefined);
    } else if (isShared) ending = setTimeout(watch, dueMs).unref();
  }
  async function tryToRenew(): Promise<void> {
    // It lasts from when the database gets this, which is later.
    const triedAt = performance.now();
    const isKept = await renew();
    if (isStopped) return;
    if (isKept) renewedAt = Math.max(renewedAt, triedAt);
    else {
      isLost = true;
      stop();
    }
    watch();
  }
  // Each by itself: a connection that has fallen silent does not hold up the next try on another one.
  const renewing = setInterval(() => void tryToRenew().catch(() => undefined), ms / RENEWALS).unref();
  watch();
  return {
    signal: aborter.signal,
    isLost: () => isLost,
    leftMs,
    check() {
      if (leftMs() === 0) throw new LeaseLost();
    },
    stop,
  };
}
