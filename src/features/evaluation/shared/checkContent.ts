// What a check judges, without what it is called and whether it counts. Pure.
import { DEFAULT_THRESHOLDS } from './checks.ts';
import type { EvaluationCheck } from './contract/evaluationChecks.ts';
import { toCheckSpec } from './wireChecks.ts';

const write = (fields: object): string =>
  JSON.stringify(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Equal for checks that give the same verdicts, in whatever order their fields stand. */
export function toCheckContent({ id: _id, name: _name, counts: _counts, ...check }: EvaluationCheck): string {
  if (check.kind === 'judge') return write({ mode: 'answers', ...check });
  return check.kind === 'http'
    ? write({ threshold: DEFAULT_THRESHOLDS.http, ...check })
    : write(toCheckSpec({ id: '', ...check } as Parameters<typeof toCheckSpec>[0]));
}
