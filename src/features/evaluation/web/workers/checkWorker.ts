// The worker behind checkClient.ts: applies checks to answers.
import { openCheckSet } from '#features/evaluation/shared/checkSet.ts';
import { loadCheckTools } from '#features/evaluation/shared/checkTools.ts';
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { CheckTools } from '#features/evaluation/shared/checks.ts';
import { serveJobs } from '#ui/timing/timedWorker.ts';
import type { CheckOrder } from './checkClient.ts';

let specs: CheckOrder['specs'] = [];
let tools: CheckTools = {};
let check = openCheckSet(specs);

async function loadTools(jobs: readonly CheckOrder[]): Promise<void> {
  tools = await loadCheckTools(jobs[0]?.specs ?? []);
}

/** If a check throws on one answer, the others are still checked. */
function toResult(job: CheckOrder): CheckResult {
  try {
    // The answers of a batch bring one and the same object.
    if (job.specs !== specs) check = openCheckSet(job.specs, tools);
    specs = job.specs;
    return check(job.answer, job.expected, job.calls, job.facts) ?? { state: 'pass' };
  } catch (error) {
    return {
      state: 'no-check',
      reason:
        `The check could not judge this answer: ${error instanceof Error ? error.message : String(error)}. Judge it ` +
        'yourself, or choose another check.',
    };
  }
}

serveJobs(toResult, loadTools);
