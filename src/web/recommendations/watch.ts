// How long a recommendation has been watched while it is `processing`, and how often the service was asked. A pure fold
// over answers.

export interface Watch {
  /** Time of the first answer that said `processing`, ms since 1970. */
  readonly since: number;
  /** Answers since then, the first included. */
  readonly polls: number;
  readonly lastAt: number;
}

export interface Answer {
  readonly status: string;
  /** When the answer came, ms since 1970. */
  readonly at: number;
}

/** The same answer seen twice counts once; anything but `processing` ends the watch. */
export function reduceWatch(watch: Watch | null, answer: Answer): Watch | null {
  if (answer.status !== 'processing') return null;
  if (!watch) return { since: answer.at, polls: 1, lastAt: answer.at };
  if (answer.at <= watch.lastAt) return watch;
  return { ...watch, polls: watch.polls + 1, lastAt: answer.at };
}
