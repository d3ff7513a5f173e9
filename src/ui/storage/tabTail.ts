// A text in this tab's session storage, which writes at once. It saves what a database would lose when the page closes.

/** Longest delay between a change and the write, in milliseconds. */
const EVERY_MS = 100;
/** Writing takes at most this fraction (one part in 25) of the time: a long text is written less often. */
const TIMES_COST = 25;

/** Browser settings can forbid it; reading it then throws. */
function findSession(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** The text that the previous page left under `key`, or null. */
export function readTail(key: string): string | null {
  try {
    return findSession()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

export class TabTail {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private gap = EVERY_MS;

  /** `make` returns the text; null: nothing to store; undefined: the stored text stays. */
  constructor(
    private readonly key: string,
    private readonly make: () => string | null | undefined,
  ) {}

  /** Schedules a write after a change. */
  soon(): void {
    this.timer ??= setTimeout(() => this.now(), this.gap);
  }

  /** Writes the current text at once, for example before the page closes. */
  now(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const startedAt = performance.now();
    try {
      const text = this.make();
      if (text === null) findSession()?.removeItem(this.key);
      else if (text !== undefined) findSession()?.setItem(this.key, text);
    } catch {
      // The storage is full or forbidden. The old text stays: its reader can tell its age.
    }
    this.gap = Math.max(EVERY_MS, (performance.now() - startedAt) * TIMES_COST);
  }
}
