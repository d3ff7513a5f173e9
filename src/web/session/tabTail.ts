// A text that this tab keeps in session storage, which is written at once: what a database would lose with the page.

/** After a change the text is written this late at most, while a page has time. */
const EVERY_MS = 100;
/** Writing takes one part in so many of the time at most: a long text is written less often. */
const TIMES_COST = 25;

/** Settings of a browser can forbid it; reading it then throws. */
function findSession(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** What the page before left under `key`, or null. */
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

  /** `make` gives the text; null: there is nothing to keep; undefined: what stands there stays. */
  constructor(
    private readonly key: string,
    private readonly make: () => string | null | undefined,
  ) {}

  /** Something has changed. */
  soon(): void {
    this.timer ??= setTimeout(() => this.now(), this.gap);
  }

  /** Writes the text as it is now, as before the page goes. */
  now(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const startedAt = performance.now();
    try {
      const text = this.make();
      if (text === null) findSession()?.removeItem(this.key);
      else if (text !== undefined) findSession()?.setItem(this.key, text);
    } catch {
      // The storage is full or forbidden. The text of before stays: whoever reads it can tell how old it is.
    }
    this.gap = Math.max(EVERY_MS, (performance.now() - startedAt) * TIMES_COST);
  }
}
