// What checks and answers measure, in the form of the verdict (statistics/verdict.ts). Pure.
import { CHECK_NAMES, joinResults, type CheckOutcome } from './checkSet.ts';
import type { CheckResult } from './checkResult.ts';
import type { AnswerFacts, CheckSpec } from './checks.ts';
import type { Measure } from './statistics/verdict.ts';

export interface NamedMeasure extends Measure {
  readonly label: string;
  readonly better: 'high' | 'low';
}

const HAS_SCORE: ReadonlySet<CheckSpec['kind']> = new Set<CheckSpec['kind']>([
  'similarity',
  'json-fields',
  'tool-arguments',
  'function',
]);

/**
 * All checks together, each check and its score, latency and length. `checks`: those that were applied, in their order.
 */
export const toMeasures = (checks: readonly Pick<CheckSpec, 'kind'>[]): readonly NamedMeasure[] => [
  { id: 'passed', label: 'passed', kind: 'rate', better: 'high' },
  ...checks.flatMap(({ kind }, at): readonly NamedMeasure[] => [
    { id: `check ${at}`, label: CHECK_NAMES[kind], kind: 'rate', better: 'high' },
    ...(HAS_SCORE.has(kind)
      ? [{ id: `score ${at}`, label: `${CHECK_NAMES[kind]}: score`, kind: 'mean', better: 'high' } as const]
      : []),
  ]),
  { id: 'ms', label: 'milliseconds', kind: 'mean', better: 'low' },
  { id: 'tokens', label: 'tokens', kind: 'mean', better: 'low' },
];

const toShare = ({ state }: CheckResult): number | null => ({ pass: 1, fail: 0, 'no-check': null })[state];

/** The values of an answer by the measure's id. Without checks nothing has passed. */
export function toMeasureValues(
  outcomes: readonly CheckOutcome[],
  facts: Pick<AnswerFacts, 'ms' | 'completionTokens'>,
): Readonly<Record<string, number | null>> {
  return Object.fromEntries([
    ['passed', outcomes.length === 0 ? null : toShare(joinResults(outcomes))],
    ...outcomes.flatMap(({ result }, at) => [
      [`check ${at}`, toShare(result)],
      [`score ${at}`, result.score ?? null],
    ]),
    ['ms', facts.ms ?? null],
    ['tokens', facts.completionTokens ?? null],
  ]) as Readonly<Record<string, number | null>>;
}
