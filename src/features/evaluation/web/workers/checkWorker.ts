// The worker behind checkClient.ts: applies checks to answers, one reply for each.
import { openCheckSet } from '#features/evaluation/shared/checkSet.ts';
import type { CheckResult } from '#features/evaluation/shared/checks.ts';
import type { CheckJob, CheckMessage, CheckReply } from './checkClient.ts';

let check = openCheckSet([]);

const reply = (message: CheckReply): void => self.postMessage(message, { transfer: [] });

/** If a check throws on one answer, the others are still checked. */
function toResult(job: CheckJob): CheckResult {
  try {
    return check(job.answer, job.expected, job.calls) ?? { state: 'pass' };
  } catch (error) {
    return {
      state: 'no-check',
      reason:
        `The check could not judge this answer: ${error instanceof Error ? error.message : String(error)}. Judge it ` +
        'yourself, or choose another check.',
    };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
  if (data.kind === 'checks') {
    check = openCheckSet(data.specs);
    return reply({ kind: 'ready' });
  }
  for (const job of data.jobs) reply({ kind: 'result', result: toResult(job) });
  return undefined;
});
