// Why a run of the studio's own has its status, from the reason that was kept.
import type { ExperimentStatus, StatusCause } from '#core/contract/statuses.ts';

/** How the reason of a run begins that was ended because its loss was lost. */
export const DIVERGED = 'The run diverged: ';

/** null: the status says it. */
export const toOwnCause = (status: ExperimentStatus, failure: string | null): StatusCause | null =>
  status === 'failed' && failure?.startsWith(DIVERGED) ? 'diverged' : null;
