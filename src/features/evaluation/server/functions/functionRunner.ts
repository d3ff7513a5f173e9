// Runs the functions with which people judge answers, in a thread of their own: each answer has a second and 32 MiB, and the
// function reaches nothing but what it gets.
import type { FunctionInput, FunctionOutcome } from '#features/evaluation/shared/functionValue.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { openThread } from '#service/threads/isolated.ts';
import { openAsks, type Asks } from '#service/threads/threadRequests.ts';
import type { FunctionThread } from './functionEntry.ts';

/** After so many answers in a row that took too long the others are not tried. */
const MAX_SLOW = 3;
/** A second for each answer, and some for loading and a busy machine. */
const PATIENCE_MS = 60_000;
const BATCH = 5;
/** Then the thread gives its memory back. */
const IDLE_MS = 30_000;
const MEMORY_MB = 128;

const ENDED: FunctionOutcome = {
  ok: false,
  reason: 'The function could not be run: it took too much time or memory. Make it do less.',
};

export interface FunctionRunner {
  /** One outcome for each input, in order. Never rejects. */
  run(source: string, inputs: readonly FunctionInput[]): Promise<readonly FunctionOutcome[]>;
  close(): Promise<void>;
}

export function openFunctionRunner(): FunctionRunner {
  let asks: Asks<FunctionThread> | null = null;
  let running = 0;
  let idle: NodeJS.Timeout | undefined;
  function open(): Asks<FunctionThread> {
    if (asks) return asks;
    const opened = openAsks<FunctionThread>(
      (onMessage) =>
        openThread({ entry: new URL('./functionEntry.ts', import.meta.url), memoryMb: MEMORY_MB, onMessage }),
      { onEnd: () => void (asks = asks === opened ? null : asks) },
    );
    asks = opened;
    return opened;
  }

  async function end(thread = asks): Promise<void> {
    if (asks === thread) asks = null;
    await thread?.isolated.end();
  }

  async function runBatch(source: string, inputs: readonly FunctionInput[]): Promise<readonly FunctionOutcome[]> {
    const thread = open();
    clearTimeout(idle);
    running += 1;
    const timer = setTimeout(() => void end(thread), PATIENCE_MS);
    try {
      return await thread.ask('run', source, inputs);
    } catch {
      return inputs.map(() => ENDED);
    } finally {
      clearTimeout(timer);
      running -= 1;
      if (running === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  }

  return {
    async run(source, inputs) {
      const outcomes: FunctionOutcome[] = [];
      while (outcomes.length < inputs.length) {
        const last = outcomes.slice(-MAX_SLOW);
        const slow =
          last.length === MAX_SLOW && last.every((each) => !each.ok && each.isLate === true) ? last[0] : undefined;
        if (slow) return inputs.map((_, at) => outcomes[at] ?? slow);
        const next = inputs.slice(outcomes.length, outcomes.length + BATCH);
        outcomes.push(...(await runBatch(source, next)));
      }
      return outcomes;
    },
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}

/** Throws HttpProblem 403: functions are code, and run for whoever holds the studio's own token. `who`: the token's name. */
export function checkMayUseFunctions(who: string | null): void {
  if (who === null) return;
  throw new HttpProblem(
    403,
    `A check with an own function is code that runs in the studio's service, so only the studio's own token may add or run one, not the ` +
      `token of ${who}. Ask whoever runs the studio to add it, or use another kind of check.`,
    { code: 'owner_only', param: 'checks' },
  );
}
