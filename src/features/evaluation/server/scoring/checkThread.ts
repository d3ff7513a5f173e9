// Applies checks to answers in a thread with a time limit for each, because a pattern can run for ever.
import type { RuleCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toCheckSpec } from '#features/evaluation/shared/wireChecks.ts';
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { PlacedBlock, PlacedVerdict } from '#features/evaluation/server/verdicts.ts';
import { openSpares, type Spares } from '#service/threads/idleThreads.ts';
import { openThread, type Isolated } from '#service/threads/isolated.ts';
import { toFunctionFacts } from '#features/evaluation/shared/functionFacts.ts';
import { toVerdict, type CheckBatch, type CheckOrder, type CheckReply } from './checkMessages.ts';
import { KeptAnswers } from './keptAnswers.ts';
import type { ScoreOrder, Scorer, ScorerDeps } from './scorers.ts';

const JOB_MS = 1_000;
/** Loading the thread's code does not count as time of a check. */
const START_MS = 20_000;
/** After this many slow answers a check is not tried again. */
const MAX_SLOW = 3;
const MEMORY_MB = 256;
const BATCH = 2_000;

const TOO_SLOW: CheckResult = {
  state: 'no-check',
  reason: 'The check took too long: its pattern may match in too many ways. Make the pattern more specific.',
};

export interface CheckThread {
  readonly isolated: Isolated<CheckOrder>;
  /** Which job of its batch it is at. */
  readonly at: Int32Array;
  onReply: (reply: CheckReply) => void;
  /** What it has of the answers that it judged last. */
  readonly kept: KeptAnswers;
  /** It has loaded its code. */
  isWarm: boolean;
}

/** Threads that wait for more answers to check. */
export type CheckThreads = Spares<CheckThread>;

/** Changes of a check come one after another: the thread waits for them with its answers. */
const IDLE_MS = 600_000;

export const openCheckThreads = (): CheckThreads => openSpares(openOne, IDLE_MS);

function openOne(): CheckThread {
  const at = new Int32Array(new SharedArrayBuffer(4));
  const thread: CheckThread = {
    at,
    kept: new KeptAnswers(),
    isWarm: false,
    onReply: () => undefined,
    isolated: openThread<CheckOrder, CheckReply>({
      entry: new URL('./checkEntry.ts', import.meta.url),
      data: { at },
      memoryMb: MEMORY_MB,
      onMessage: (reply) => thread.onReply(reply),
    }),
  };
  thread.isolated.hold(false);
  return thread;
}

interface TimedRun {
  /** Of the first jobs, in order. */
  readonly results: readonly CheckResult[];
  readonly judged: CheckReply['judged'];
  /** The place of a job that took too long; null: none did. */
  readonly stuck: number | null;
}

/** One of the threads, which is ended when a job takes too long. */
function openTimedThread(threads: CheckThreads, jobMs: number) {
  let thread: CheckThread | null = null;

  async function endThread(): Promise<void> {
    const ending = thread;
    thread = null;
    await ending?.isolated.end();
  }

  const take = (): CheckThread => (thread ??= threads.take());

  function runUntilSlow(order: CheckOrder): Promise<TimedRun> {
    const own = take();
    const { isolated, at } = own;
    return new Promise((resolve, reject) => {
      const results: CheckResult[] = [];
      let seen = -1;
      isolated.hold(true);
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        isolated.hold(false);
        settle();
      };
      // A job is slow if the thread is still at it when the timer comes again.
      const look = (): void => {
        const place = Atomics.load(at, 0);
        if (place < 0 || place !== seen) {
          seen = place;
          timer = setTimeout(look, jobMs);
          return;
        }
        void endThread();
        finish(() => resolve({ results, judged: undefined, stuck: place }));
      };
      let timer = setTimeout(look, own.isWarm ? jobMs : START_MS);
      own.onReply = (reply) => {
        own.isWarm = true;
        results.push(...reply.results);
        if (reply.isLast) finish(() => resolve({ results, judged: reply.judged, stuck: null }));
      };
      const fail = async (): Promise<void> => {
        const { cause, error } = await isolated.ended;
        if (cause === 'asked') return;
        thread = null;
        finish(() => reject(error ?? new Error('The thread that checks answers has ended.')));
      };
      void fail();
      Atomics.store(at, 0, 0);
      isolated.post(order);
    });
  }

  return {
    runUntilSlow,
    /** What the thread still has. */
    kept: (): KeptAnswers => take().kept,
    giveBack(): void {
      if (thread !== null) threads.giveBack(thread);
      thread = null;
    },
  };
}

/** Applies the checks in one of the threads. */
export function openCheckScorer(
  checks: readonly RuleCheck[],
  { threads, functions }: ScorerDeps,
  jobMs = JOB_MS,
): Scorer {
  const specs = checks.map(toCheckSpec);
  const slow = specs.map(() => 0);
  const thread = openTimedThread(threads, jobMs);

  async function run(
    answers: CheckBatch['answers'],
    keep: CheckBatch['keep'],
  ): Promise<readonly (readonly CheckResult[])[]> {
    const all = answers.flatMap((_, answer) => specs.map((__, check) => [check, answer] as const));
    const results: CheckResult[] = [];
    let slowAt: number | null = null;
    while (results.length < all.length) {
      const from = results.length;
      const untried = all.findIndex(([check], at) => at >= from && (slow[check] ?? 0) >= MAX_SLOW);
      const end = Math.min(slowAt ?? all.length, untried === -1 ? all.length : untried);
      if (from === end) {
        const check = all[from]?.[0] ?? 0;
        if (slowAt === from) slow[check] = (slow[check] ?? 0) + 1;
        slowAt = slowAt === from ? null : slowAt;
        results.push(TOO_SLOW);
        continue;
      }
      const { results: given, stuck } = await thread.runUntilSlow({ specs, answers, jobs: all.slice(from, end), keep });
      results.push(...given);
      // Results before it may have been lost with the thread: they are made again, up to it.
      if (stuck !== null) slowAt = from + stuck;
    }
    return answers.map((_, answer) => results.slice(answer * specs.length, (answer + 1) * specs.length));
  }

  return {
    ids: checks.map(({ id }) => id),
    batch: BATCH,
    async score(orders: readonly ScoreOrder[], _signal, block) {
      const inputs = orders.map(({ row, text }) => ({
        answer: text,
        expected: row.expected ?? null,
        row: row.variables ?? {},
      }));
      const given = await toFunctionFacts(specs, inputs, functions.run);
      const answers = orders.map(({ row, text, calls, ms, completion_tokens: completionTokens }, at) => ({
        answer: text,
        expected: row.expected ?? null,
        calls,
        facts: Object.assign({ ms, completionTokens }, given[at]),
      }));
      const places = orders.map(({ at }) => at);
      const isKept = block !== undefined && thread.kept().add(block, places, answers);
      const results = await run(answers, isKept ? { run: block.run, block: block.key, places } : null);
      const toPlaced = (check: number): PlacedVerdict[] =>
        orders.map(({ row: { position }, repeat }, answer) => {
          const result = results[answer]?.[check] ?? TOO_SLOW;
          return { position, repeat, ...toVerdict(result) };
        });
      return new Map(checks.map(({ id }, check) => [id, toPlaced(check)]));
    },
    async scoreKept({ run: runId, answers, ids, size }) {
      const wanted = checks.filter(({ id }) => ids.includes(id));
      // What own functions give is not kept.
      if (wanted.some(({ kind }) => kind === 'function')) return null;
      const blocks = thread.kept().findBlocks(runId, answers);
      if (blocks === null) return null;
      const order = { specs: wanted.map(toCheckSpec), blocks: blocks.map(({ key }) => key), size };
      const { judged } = await thread.runUntilSlow(order);
      return (
        judged?.flatMap((own, at): PlacedBlock[] => {
          const block = blocks[at];
          return block
            ? own.map((verdicts, check) => {
                const { model, first } = block;
                return Object.assign({ scorer: wanted[check]?.id ?? '', model, first_position: first }, verdicts);
              })
            : [];
        }) ?? null
      );
    },
    async close() {
      thread.giveBack();
    },
  };
}
