// Which answers are on their way or about to be, and the one way to stop them: an AbortController each.

interface Running {
  readonly paneId: string;
  readonly controller: AbortController;
  /** When something of it last came, in Unix milliseconds; null: nothing has come yet. */
  heardAt: number | null;
}

const running = new Map<string, Running>();
let onStops = (): void => undefined;

/** Called before answers are stopped. */
export function beforeStops(callback: () => void): void {
  onStops = callback;
}

/** Makes an answer stoppable, also before its request is sent. */
export function announceAnswer(paneId: string, answerId: string): AbortSignal {
  const known = running.get(answerId);
  if (known) return known.controller.signal;
  const controller = new AbortController();
  running.set(answerId, { paneId, controller, heardAt: null });
  return controller.signal;
}

/** Something of the answer has come. Told as it is read, not as it is shown: a hidden page shows nothing. */
export function hearAnswer(answerId: string, at: number): void {
  const known = running.get(answerId);
  if (known) known.heardAt = at;
}

/** Of the pane's answers that have begun: when each was last heard of. */
export function readHeard(paneId: string): readonly number[] {
  return [...running.values()].flatMap((each) =>
    each.paneId === paneId && each.heardAt !== null ? [each.heardAt] : [],
  );
}

/** Forgets an answer that has settled, or is not asked for after all. */
export function dropAnswer(answerId: string): void {
  running.delete(answerId);
}

/** Stops the pane's answers, those of the list, or every answer (null). What has arrived stays. */
export function stopAnswers(which: string | readonly string[] | null): void {
  onStops();
  for (const [answerId, { paneId, controller }] of running) {
    const isMeant = which === null || (typeof which === 'string' ? paneId === which : which.includes(answerId));
    if (isMeant) controller.abort();
  }
}
