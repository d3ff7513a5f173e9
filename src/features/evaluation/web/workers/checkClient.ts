// Checks answers in a worker with a time limit per answer, because a pattern can run for ever and would block the page.
// Callers pass the worker and the timer.
import type { CheckResult, CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import { openTimedWorker, type Later, type Outcome, type WorkerReply } from '#ui/timing/timedWorker.ts';

export interface CheckJob {
  readonly answer: string;
  readonly calls: readonly WrittenCall[];
  readonly expected: string | null;
}

/** Messages to the worker: first the checks, then jobs. */
export type CheckMessage =
  | { readonly kind: 'checks'; readonly specs: readonly CheckSpec[] }
  | { readonly kind: 'jobs'; readonly jobs: readonly CheckJob[] };

export type CheckReply = WorkerReply<CheckResult>;

interface CheckWorker {
  readonly send: (message: CheckMessage) => void;
  readonly close: () => void;
}

export interface CheckClientDeps {
  readonly openWorker: (onReply: (reply: CheckReply) => void, onError: (message: string) => void) => CheckWorker;
  readonly later: Later;
}

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

export function openCheckClient(specs: readonly CheckSpec[], { openWorker, later }: CheckClientDeps): CheckClient {
  const worker = openTimedWorker<CheckJob, CheckResult>({
    openWorker(onReply, onError) {
      const opened = openWorker(onReply, onError);
      opened.send({ kind: 'checks', specs });
      return { send: (jobs) => opened.send({ kind: 'jobs', jobs }), close: opened.close };
    },
    later,
    jobMs: ANSWER_MS,
    maxSlow: MAX_SLOW,
  });
  return { check: async (jobs) => (await worker.run(jobs)).map(toResult), close: worker.close };
}
