// How often curves and runs are requested again. Pure.
import { isActiveStatus } from '#shared/contract/statuses.ts';
import { intervalOnError, type PollState } from './polling.ts';

/** A new point of a run that trains is on the page within 2 s. An answer without news is a 304, which costs little. */
const LIVE_MS = 1000;
const SETTLED_MS = 15_000;

const toInterval = (base: number, { error, failures }: PollState<unknown>): number | false =>
  error ? intervalOnError(base, failures, error) : base;

/** Milliseconds until the next request: 1 s while a run of the answer trains, else 15 s; longer after errors. */
export const curvesInterval = (state: PollState<unknown>, isLive: boolean): number | false =>
  toInterval(isLive ? LIVE_MS : SETTLED_MS, state);

export const runInterval = (state: PollState<{ readonly status: string } | null>): number | false =>
  state.data === null ? false : toInterval(isActiveStatus(state.data?.status) ? LIVE_MS : SETTLED_MS, state);
