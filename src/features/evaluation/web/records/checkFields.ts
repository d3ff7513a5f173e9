// Checks of a page as the API takes them, and back. Pure.
import { toCheckContent } from '#features/evaluation/shared/checkContent.ts';
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { EvaluationCheck, JudgeMode } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toCheckSpec, toRuleCheck } from '#features/evaluation/shared/wireChecks.ts';

/** Ids are the kinds, numbered where one repeats. */
export function toEvaluationChecks(specs: readonly CheckSpec[]): readonly EvaluationCheck[] {
  const counts = new Map<string, number>();
  return specs.map((spec) => {
    const number = (counts.get(spec.kind) ?? 0) + 1;
    counts.set(spec.kind, number);
    return toRuleCheck(number === 1 ? spec.kind : `${spec.kind}-${number}`, spec);
  });
}

/** What the rules among checks do, without what they are called. */
export const toCheckSpecs = (checks: readonly EvaluationCheck[]): readonly CheckSpec[] =>
  checks.flatMap((check) => (check.kind === 'judge' || check.kind === 'http' ? [] : [toCheckSpec(check)]));

/** What a person sets of a judge. */
export interface JudgeDraft {
  readonly model: string;
  readonly rubric: string;
  readonly mode: JudgeMode;
}

/** The own evaluators among checks, by their names. */
export const toEvaluators = (checks: readonly EvaluationCheck[]): readonly string[] =>
  checks.flatMap((check) => (check.kind === 'http' ? [check.evaluator] : []));

export const toEvaluatorChecks = (names: readonly string[]): readonly EvaluationCheck[] =>
  names.map((evaluator, at) => ({
    id: at === 0 ? 'own' : `own-${at + 1}`,
    kind: 'http',
    evaluator,
    name: evaluator,
  }));

export const toJudges = (checks: readonly EvaluationCheck[]): readonly JudgeDraft[] =>
  checks.flatMap((check) => {
    if (check.kind !== 'judge') return [];
    const { model, rubric, mode = 'answers' } = check;
    return [{ model, rubric, mode }];
  });

export const toJudgeChecks = (judges: readonly JudgeDraft[]): readonly EvaluationCheck[] =>
  judges.map(({ model, rubric, mode }, at) => ({
    id: at === 0 ? 'judge' : `judge-${at + 1}`,
    kind: 'judge',
    model: model.trim(),
    rubric: rubric.trim(),
    ...(mode === 'pairs' && { mode }),
  }));

/** The page sets no threshold of an own evaluator. */
const toContent = (check: EvaluationCheck): string => (check.kind === 'http' ? check.evaluator : toCheckContent(check));

/** Checks that did not change stay as they are kept, with their ids, names, thresholds and what counts. */
export function keepUnchanged(
  checks: readonly EvaluationCheck[],
  kept: readonly EvaluationCheck[],
): readonly EvaluationCheck[] {
  const left = [...kept];
  const matched = checks.map((check) => {
    const at = left.findIndex((each) => each.kind === check.kind && toContent(each) === toContent(check));
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  });
  const taken = new Set(matched.flatMap((check) => check?.id ?? []));
  return checks.map((check, at) => {
    const same = matched[at];
    if (same) return same;
    let id = check.id;
    for (let number = 2; taken.has(id); number += 1) id = `${check.kind}-${number}`;
    taken.add(id);
    return { ...check, id };
  });
}
