// Registers answers that are on their way or about to be sent. Each has an AbortController, the only way to stop it.

interface Running {
  readonly paneId: string;
  readonly controller: AbortController;
  /** When its last data arrived, in Unix milliseconds; null: nothing has arrived yet. */
  lastArrivalAt: number | null;
}

const running = new Map<string, Running>();
let beforeStop = (): void => undefined;

/** Sets the callback that runs before answers are stopped. */
export function onBeforeStop(callback: () => void): void {
  beforeStop = callback;
}

/** Makes an answer stoppable, even before its request is sent. */
export function registerAnswer(paneId: string, answerId: string): AbortSignal {
  const known = running.get(answerId);
  if (known) return known.controller.signal;
  const controller = new AbortController();
  running.set(answerId, { paneId, controller, lastArrivalAt: null });
  return controller.signal;
}

/** Notes that data of the answer arrived. Called when it is read, not when it is shown: a hidden page shows nothing. */
export function recordArrival(answerId: string, at: number): void {
  const known = running.get(answerId);
  if (known) known.lastArrivalAt = at;
}

/** When data last arrived for each of the pane's answers that have begun. */
export function readLastArrivals(paneId: string): readonly number[] {
  return [...running.values()].flatMap((each) =>
    each.paneId === paneId && each.lastArrivalAt !== null ? [each.lastArrivalAt] : [],
  );
}

/** Removes an answer that has settled, or that won't be requested after all. */
export function dropAnswer(answerId: string): void {
  running.delete(answerId);
}

/** Stops the pane's answers, those of the list, or every answer (null). What has arrived stays. */
export function stopAnswers(which: string | readonly string[] | null): void {
  beforeStop();
  for (const [answerId, { paneId, controller }] of running) {
    const isSelected = which === null || (typeof which === 'string' ? paneId === which : which.includes(answerId));
    if (isSelected) controller.abort();
  }
}
