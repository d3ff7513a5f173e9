// What launchers write before each line of a log: the rank (`torchrun --tee`, `srun --label`), the host, the pod or the time.

/** Nothing else begins so. The number is the rank. */
const SURE: readonly RegExp[] = [
  // Of a traceback.
  /^\[rank(\d{1,5})\]: /,
  // `[default0]:`, `[trainer0]:` with a role.
  /^\[[A-Za-z_]\w*?(\d{1,5})\]:/,
  // `kubectl logs --timestamps`, `docker logs -t`.
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)[ ]/,
];
/** Also begins lines that have no launcher: it is one if what a trainer prints follows it. */
const LIKELY: readonly RegExp[] = [
  // `srun --label`.
  /^ {0,5}(\d{1,5}): /,
  // `kubectl logs --prefix`.
  /^\[pod\/[^\]]{1,300}\] /,
  // `ts`, and loggers.
  /^\[?(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2} {1,2}\d{1,2}) \d\d:\d\d:\d\d(?:[.,]\d+)?\]? /,
  // The host, as DeepSpeed's launcher writes it.
  /^[A-Za-z][\w.-]{0,100}: /,
];
/** A row, a progress bar, or the start of an error. */
const PRINTED = /^\s*(?:\{['"]|\d{1,3}%\||Traceback \(most recent call last\))/;
/** Rows and bars: of several ranks, the first one is shown. */
const PROGRESS = /^\s*(?:\{['"]|\d{1,3}%\|)/;
/** As many may stand before each other: a time, a pod and a rank. */
const MOST = 3;

/** Takes the prefix from the lines of one log. */
export class LinePrefix {
  #likely: RegExp | null = null;
  #rank: string | null = null;

  /** null: another rank says the same. */
  strip(line: string): string | null {
    let text = line;
    let rank: string | null = null;
    for (let count = 0, isLikely = false; count < MOST && !isLikely; count += 1) {
      const sure = findFirst(SURE, text);
      const found = sure ?? this.#findLikely(text);
      if (!found) break;
      isLikely = sure === null;
      rank = found[1] ?? rank;
      text = text.slice(found[0].length);
    }
    if (rank === null || !PROGRESS.test(text)) return text;
    this.#rank ??= rank;
    return rank === this.#rank ? text : null;
  }

  clear(): void {
    this.#likely = null;
    this.#rank = null;
  }

  #findLikely(text: string): RegExpExecArray | null {
    if (this.#likely) return this.#likely.exec(text);
    for (const pattern of LIKELY) {
      const found = pattern.exec(text);
      if (!found || !PRINTED.test(text.slice(found[0].length))) continue;
      this.#likely = pattern;
      return found;
    }
    return null;
  }
}

function findFirst(patterns: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found;
  }
  return null;
}
