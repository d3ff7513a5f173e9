// The thread behind checkThread.ts: applies checks to answers, and says before each which it is at.
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import { openCheck, type Check, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { loadCheckTools } from '#features/evaluation/shared/checkTools.ts';
import { openSide, readData } from '#service/threads/isolatedSide.ts';
import { addVerdicts } from '#features/evaluation/server/verdictBlocks.ts';
import { toVerdict, type CheckBatch, type CheckOrder, type CheckReply, type KeptOrder } from './checkMessages.ts';

const { at } = readData<{ readonly at: Int32Array }>();
const side = openSide<CheckOrder, CheckReply>();
/** Results on their way: a message costs more than a check. */
const GATHER_MS = 50;

let specs: readonly CheckSpec[] = [];
let checks: readonly Check[] = [];
/** The answers of one run by the keys of their blocks, and by their places in these. */
let kept = { run: '', blocks: new Map<string, Map<number, CheckBatch['answers'][number]>>() };

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

async function openChecks(wanted: readonly CheckSpec[]): Promise<void> {
  if (JSON.stringify(wanted) === JSON.stringify(specs)) return;
  // Loading them is no time of a check.
  Atomics.store(at, 0, -1);
  const tools = await loadCheckTools(wanted);
  specs = wanted;
  checks = specs.map((spec) => openCheck(spec, tools));
}

function keep({ answers, keep: place }: CheckBatch): void {
  if (place === null) return;
  if (kept.run !== place.run) kept = { run: place.run, blocks: new Map() };
  const block = kept.blocks.get(place.block) ?? new Map<number, CheckBatch['answers'][number]>();
  kept.blocks.set(place.block, block);
  for (const [order, answer] of answers.entries()) block.set(place.places[order] ?? 0, answer);
}

/** Whole blocks of verdicts, of each block and check. */
function judgeKept({ blocks, size }: KeptOrder): CheckReply {
  let count = 0;
  const judged = blocks.map((key) =>
    checks.map((check) =>
      addVerdicts(
        undefined,
        size,
        [...(kept.blocks.get(key) ?? [])].map(([place, answer]) => {
          Atomics.store(at, 0, (count += 1));
          return Object.assign({ at: place }, toVerdict(toResult(check, answer)));
        }),
      ),
    ),
  );
  return { results: [], judged, isLast: true };
}

async function work(order: CheckOrder): Promise<void> {
  await openChecks(order.specs);
  if ('blocks' in order) side.post(judgeKept(order));
  else judge(order);
}

function judge(batch: CheckBatch): void {
  keep(batch);
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

side.receive((order) => void work(order));
