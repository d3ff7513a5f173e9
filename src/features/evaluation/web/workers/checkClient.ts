// Checks answers in a worker with a time limit per answer, because a pattern can run for ever and would block the page.
// Callers pass the worker and the timer.
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { AnswerFacts, CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import { openTimedWorker, type Outcome, type TimedWorkerDeps } from '#ui/timing/timedWorker.ts';

export interface CheckJob {
  readonly answer: string;
  readonly calls: readonly WrittenCall[];
  readonly expected: string | null;
  readonly facts: AnswerFacts;
}

/** What the worker gets for each answer. */
export type CheckOrder = CheckJob & { readonly specs: readonly CheckSpec[] };

export type CheckClientDeps = Pick<TimedWorkerDeps<CheckOrder, CheckResult>, 'openWorker' | 'later'>;

export interface CheckClient {
  /** One batch at a time. */
  readonly check: (jobs: readonly CheckJob[]) => Promise<readonly CheckResult[]>;
  readonly close: () => void;
}

const ANSWER_MS = 1_000;
/** After this many slow answers the pattern is not tried again. */
const MAX_SLOW = 3;

export const TOO_SLOW =
  'The check took too long: its pattern may match in too many ways. Make the pattern more specific.';

function toResult(outcome: Outcome<CheckResult>): CheckResult {
  if (outcome.kind === 'done') return outcome.result;
  return {
    state: 'no-check',
    reason: outcome.kind === 'slow' ? TOO_SLOW : `Answers can't be checked: ${outcome.message} Reload the page.`,
  };
}

export function openCheckClient(specs: readonly CheckSpec[], deps: CheckClientDeps): CheckClient {
  const worker = openTimedWorker<CheckOrder, CheckResult>({ ...deps, jobMs: ANSWER_MS, maxSlow: MAX_SLOW });
  return {
    check: async (jobs) => (await worker.run(jobs.map((job) => ({ ...job, specs })))).map(toResult),
    close: worker.close,
  };
}
