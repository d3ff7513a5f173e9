// Has answers checked in a worker, with a time limit for each: a pattern can take for ever, and must not take the page with it.
// The worker and the timer come in. It must not know the grid.
import type { CheckResult, CheckSpec } from '../evaluation/checks';
import type { WrittenCall } from '../evaluation/toolCalls';

export interface CheckJob {
  readonly answer: string;
  readonly calls: readonly WrittenCall[];
  readonly expected: string | null;
}

/** What the worker is sent: the checks first, then jobs. */
export type CheckMessage = { readonly kind: 'checks'; readonly specs: readonly CheckSpec[] } | { readonly kind: 'jobs'; readonly jobs: readonly CheckJob[] };

/** What it answers: once that it is ready, then a result for each job, in order. */
export type CheckReply = { readonly kind: 'ready' } | { readonly kind: 'result'; readonly result: CheckResult };

export interface CheckWorker {
  readonly send: (message: CheckMessage) => void;
  readonly close: () => void;
}

export interface CheckClientDeps {
  readonly openWorker: (onReply: (reply: CheckReply) => void, onError: (message: string) => void) => CheckWorker;
  /** Calls back after `ms`; gives the way to call it off. */
  readonly later: (ms: number, callback: () => void) => () => void;
}

export interface CheckClient {
  /** One batch at a time. */
  readonly check: (jobs: readonly CheckJob[]) => Promise<readonly CheckResult[]>;
  readonly close: () => void;
}

const START_MS = 20_000;
const ANSWER_MS = 1_000;
/** After so many answers that took too long the pattern is not tried on others. */
const MAX_SLOW = 3;

const noCheck = (reason: string): CheckResult => ({ state: 'no-check', reason });
export const TOO_SLOW = 'The check took too long: its pattern may try far too many ways to match. Write it more narrowly.';

export function openCheckClient(specs: readonly CheckSpec[], { openWorker, later }: CheckClientDeps): CheckClient {
  let worker: CheckWorker | null = null;
  let isReady = false;
  let slow = 0;
  let broken: string | null = null;
  let callOff = (): void => undefined;
  let onReply: (reply: CheckReply) => void = () => undefined;
  let onProblem: (problem: 'slow' | 'broken') => void = () => undefined;

  function watch(ms: number, problem: 'slow' | 'broken'): void {
    callOff();
    callOff = later(ms, () => onProblem(problem));
  }

  function closeWorker(): void {
    callOff();
    worker?.close();
    worker = null;
    isReady = false;
  }

  function open(): CheckWorker {
    if (worker) return worker;
    const opened = openWorker(
      (reply) => opened === worker && onReply(reply),
      (message) => {
        broken = `Answers can't be checked: ${message} Reload the page.`;
        if (opened === worker) onProblem('broken');
      },
    );
    worker = opened;
    opened.send({ kind: 'checks', specs });
    return opened;
  }

  const isGivenUp = (): boolean => broken !== null || slow >= MAX_SLOW;

  function check(jobs: readonly CheckJob[]): Promise<readonly CheckResult[]> {
    return new Promise((resolve) => {
      const results: CheckResult[] = [];
      const finish = (): void => {
        callOff();
        resolve(results);
      };
      const giveUp = (): void => {
        while (results.length < jobs.length) results.push(noCheck(broken ?? TOO_SLOW));
        finish();
      };
      const start = (): void => {
        if (results.length === jobs.length) return finish();
        if (isGivenUp()) return giveUp();
        open().send({ kind: 'jobs', jobs: jobs.slice(results.length) });
        // Loading the worker is no part of an answer's time.
        return isReady ? watch(ANSWER_MS, 'slow') : watch(START_MS, 'broken');
      };
      onReply = (reply) => {
        if (reply.kind === 'ready') isReady = true;
        else results.push(reply.result);
        if (results.length === jobs.length) finish();
        else watch(ANSWER_MS, 'slow');
      };
      onProblem = (problem) => {
        closeWorker();
        if (problem === 'broken') broken ??= "Answers can't be checked: the browser did not start the worker. Reload the page.";
        else {
          slow += 1;
          results.push(noCheck(TOO_SLOW));
        }
        start();
      };
      start();
    });
  }

  return { check, close: closeWorker };
}
