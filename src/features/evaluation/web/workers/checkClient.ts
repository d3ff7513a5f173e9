// Checks answers in a worker with a time limit per answer, because a pattern can run for ever and would block the page.
// Callers pass the worker and the timer.
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { AnswerFacts, CheckSpec } from '#features/evaluation/shared/checks.ts';
import { toFunctionFacts, type RunFunctions } from '#features/evaluation/shared/functionFacts.ts';
import type { FunctionInput } from '#features/evaluation/shared/functionValue.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import { openTimedWorker, type Outcome, type TimedWorkerDeps } from '#ui/timing/timedWorker.ts';

export interface CheckJob {
  readonly answer: string;
  readonly calls: readonly WrittenCall[];
  readonly expected: string | null;
  readonly facts: Omit<AnswerFacts, 'functions'>;
  /** The variables of its row, for an own function. */
  readonly row: FunctionInput['row'];
}

/** What the worker gets for each answer. */
export type CheckOrder = Omit<CheckJob, 'facts' | 'row'> & {
  readonly facts: AnswerFacts;
  readonly specs: readonly CheckSpec[];
};

export interface CheckClientDeps extends Pick<TimedWorkerDeps<CheckOrder, CheckResult>, 'openWorker' | 'later'> {
  readonly runFunctions: RunFunctions;
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

export function openCheckClient(specs: readonly CheckSpec[], deps: CheckClientDeps): CheckClient {
  const worker = openTimedWorker<CheckOrder, CheckResult>({ ...deps, jobMs: ANSWER_MS, maxSlow: MAX_SLOW });
  let isClosed = false;

  async function toOrders(jobs: readonly CheckJob[]): Promise<readonly CheckOrder[]> {
    const inputs = jobs.map(({ answer, expected, row }) => ({ answer, expected, row }));
    const given = await toFunctionFacts(specs, inputs, deps.runFunctions);
    return jobs.map(({ answer, calls, expected, facts }, at) => ({
      answer,
      calls,
      expected,
      facts: Object.assign({}, facts, given[at]),
      specs,
    }));
  }

  return {
    async check(jobs) {
      const orders = await toOrders(jobs);
      // Closed while the service ran functions: a worker that is opened now would never be closed.
      if (isClosed) return new Promise(() => undefined);
      return (await worker.run(orders)).map(toResult);
    },
    close() {
      isClosed = true;
      worker.close();
    },
  };
}
