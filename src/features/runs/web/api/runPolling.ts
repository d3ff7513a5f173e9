// How often curves and runs are requested again. Pure.
import { isActiveStatus } from '#core/contract/statuses.ts';
import { intervalOnError, type PollState } from '#ui/client/polling.ts';

/** A new point of a run that trains is on the page within 2 s. An answer without news is a 304, which costs little. */
const LIVE_MS = 1000;
/** A run that only fell silent may go on: nobody wrote down its end. */
const SILENT_MS = 2000;
const SETTLED_MS = 15_000;

const toInterval = (base: number, { error, failures }: PollState<unknown>): number | false =>
  error ? intervalOnError(base, failures, error) : base;

/** Milliseconds until the next request: 1 s while a run of the answer trains, else 15 s; longer after errors. */
export const curvesInterval = (state: PollState<unknown>, isLive: boolean): number | false =>
  toInterval(isLive ? LIVE_MS : SETTLED_MS, state);

function toRunBase(status: string | undefined): number {
  if (isActiveStatus(status)) return LIVE_MS;
  return status === 'stopped' ? SILENT_MS : SETTLED_MS;
}

/** The same for one run: 2 s when it has stopped. false: there is no such run. */
export const runInterval = (state: PollState<{ readonly status: string } | null>): number | false =>
  state.data === null ? false : toInterval(toRunBase(state.data?.status), state);
