// What goes on in one studio does not go on in another: it is over in the file, and where a file is imported. Pure.
import { isActiveStatus, type ExperimentStatus } from '#core/contract/statuses.ts';

export const toEnded = <Status extends string>(status: Status): Status | 'stopped' =>
  isActiveStatus(status) ? 'stopped' : status;

const ELSEWHERE = 'where this file was made';

const REASONS: Readonly<Partial<Record<ExperimentStatus, string>>> = {
  pending: `It was waiting for another run ${ELSEWHERE}.`,
  queued: `It was waiting to be trained ${ELSEWHERE}.`,
  running: `It was running ${ELSEWHERE}.`,
  deploying: `It was being deployed ${ELSEWHERE}.`,
};

export const RECOMMENDATION_ENDED = `It was being computed ${ELSEWHERE}. Generate it again.`;

/** Why a run is over that goes on where the file is made; null: it does not go on. */
export const toEndedReason = (status: ExperimentStatus): string | null =>
  isActiveStatus(status) ? (REASONS[status] ?? `It was going on ${ELSEWHERE}.`) : null;
