// What the checks of an evaluation are called. Pure.
import { CHECK_NAMES } from './checkSet.ts';
import type { EvaluationCheck } from './contract/evaluationChecks.ts';
import { isPairJudge } from './wireChecks.ts';
import { PEOPLE } from './contract/evaluationLimits.ts';

const OTHERS = { judge: 'judge', http: 'own evaluator' } as const;
/** Characters of what tells checks of one name apart. */
const MAX_DETAIL = 30;

function toOwnName(check: EvaluationCheck): string {
  if (check.name) return check.name;
  if (isPairJudge(check)) return 'judge of pairs';
  return check.kind === 'judge' || check.kind === 'http' ? OTHERS[check.kind] : CHECK_NAMES[check.kind];
}

/** What checks of one kind mostly differ in; empty: nothing to show. */
function toDetail(check: EvaluationCheck): string {
  const text =
    check.kind === 'judge'
      ? check.model
      : check.kind === 'http'
        ? check.evaluator
        : 'expected' in check
          ? (check.expected ?? '')
          : '';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL - 1)}…` : line;
}

/** The name of each check, in their order, each another one: of equal ones with what they differ in, else with their number. */
export function toCheckNames(checks: readonly EvaluationCheck[]): readonly string[] {
  const names = checks.map(toOwnName);
  const details = checks.map(toDetail);
  const taken = new Set(names.filter((name, at) => names.indexOf(name) === at && names.lastIndexOf(name) === at));
  return checks.map((_, at) => {
    const name = names[at] ?? '';
    const same = names.flatMap((each, other) => (each === name ? [other] : []));
    if (same.length === 1) return name;
    const own = details[at] ?? '';
    const isTelling = new Set(same.map((other) => details[other])).size === same.length && own !== '';
    let [made, number] = [isTelling ? `${name}: ${own}` : `${name} ${same.indexOf(at) + 1}`, same.length];
    while (taken.has(made)) made = `${name} ${(number += 1)}`;
    taken.add(made);
    return made;
  });
}

/** Gives the name of a scorer by its id: of a check, or of people. */
export function toScorerNames(checks: readonly EvaluationCheck[]): (scorer: string) => string {
  const names = toCheckNames(checks);
  const byId = new Map(checks.map(({ id }, at) => [id, names[at] ?? id]));
  return (scorer) => byId.get(scorer) ?? (scorer === PEOPLE ? 'People' : scorer);
}
