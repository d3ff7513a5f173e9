// Which answers are on their way or about to be, and the one way to stop them: an AbortController each.

interface Running {
  readonly paneId: string;
  readonly controller: AbortController;
  /** When something of it last came, in Unix milliseconds; null: nothing has come yet. */
  lastArrivalAt: number | null;
}

const running = new Map<string, Running>();
let onStops = (): void => undefined;

/** Called before answers are stopped. */
export function onBeforeStop(callback: () => void): void {
  onStops = callback;
}

/** Makes an answer stoppable, also before its request is sent. */
export function registerAnswer(paneId: string, answerId: string): AbortSignal {
  const known = running.get(answerId);
  if (known) return known.controller.signal;
  const controller = new AbortController();
  running.set(answerId, { paneId, controller, lastArrivalAt: null });
  return controller.signal;
}

/** Something of the answer has come. Told as it is read, not as it is shown: a hidden page shows nothing. */
export function recordArrival(answerId: string, at: number): void {
  const known = running.get(answerId);
  if (known) known.lastArrivalAt = at;
}

/** Of the pane's answers that have begun: when each was last heard of. */
export function readLastArrivals(paneId: string): readonly number[] {
  return [...running.values()].flatMap((each) =>
    each.paneId === paneId && each.lastArrivalAt !== null ? [each.lastArrivalAt] : [],
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
