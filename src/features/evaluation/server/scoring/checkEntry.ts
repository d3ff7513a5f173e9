// The thread behind checkThread.ts: applies checks to answers, and says before each which it is at.
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import { openCheck, type Check, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { loadCheckTools } from '#features/evaluation/shared/checkTools.ts';
import { openSide, readData } from '#service/threads/isolatedSide.ts';
import type { CheckBatch, CheckReply } from './checkThread.ts';

const { at } = readData<{ readonly at: Int32Array }>();
const side = openSide<CheckBatch, CheckReply>();
/** Results on their way: a message costs more than a check. */
const GATHER_MS = 50;

let specs: readonly CheckSpec[] = [];
let checks: readonly Check[] = [];

/** If a check throws on one answer, the others are still checked. */
function toResult(
  check: Check | undefined,
  { answer, expected, calls, facts }: CheckBatch['answers'][number],
): CheckResult {
  try {
    return check?.(answer, expected, calls, facts) ?? { state: 'pass' };
  } catch (error) {
    return {
      state: 'no-check',
      reason:
        `The check could not judge this answer: ${error instanceof Error ? error.message : String(error)}. Judge it ` +
        'yourself, or choose another check.',
    };
  }
}

async function work(batch: CheckBatch): Promise<void> {
  if (JSON.stringify(batch.specs) !== JSON.stringify(specs)) {
    // Loading them is no time of a check.
    Atomics.store(at, 0, -1);
    const tools = await loadCheckTools(batch.specs);
    specs = batch.specs;
    checks = specs.map((spec) => openCheck(spec, tools));
  }
  let results: CheckResult[] = [];
  let sentAt = performance.now();
  for (const [place, [check, answer]] of batch.jobs.entries()) {
    Atomics.store(at, 0, place);
    const given = batch.answers[answer];
    if (given) results.push(toResult(checks[check], given));
    if (performance.now() - sentAt < GATHER_MS) continue;
    side.post({ results, isLast: false });
    results = [];
    sentAt = performance.now();
  }
  side.post({ results, isLast: true });
}

side.receive((batch) => void work(batch));
