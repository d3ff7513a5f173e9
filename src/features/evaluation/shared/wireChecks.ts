// Checks as the API takes them, in snake case, and what a program applies. Without schemas, which a page does not need. Pure.
import { DEFAULT_CHECK, type CheckSpec } from './checks.ts';
import type { EvaluationCheck, JudgeCheck, RuleCheck } from './contract/evaluationChecks.ts';

/** It compares answers with those of the baseline. */
export const isPairJudge = (check: EvaluationCheck): check is JudgeCheck & { readonly mode: 'pairs' } =>
  check.kind === 'judge' && check.mode === 'pairs';

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const rename = (fields: object, toName: (name: string) => string): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [toName(name), value]));

/** What the check does, without what it is called. */
export const toCheckSpec = ({ id: _id, name: _name, counts: _counts, ...fields }: RuleCheck): CheckSpec =>
  ({ ...DEFAULT_CHECK, ...rename(fields, toCamelCase) }) as CheckSpec;

const USUAL: Readonly<Record<string, unknown>> = { ...DEFAULT_CHECK };

/** Fields with their usual values are left out: not every kind takes them. */
export function toRuleCheck(id: string, { kind, ...fields }: CheckSpec): RuleCheck {
  const given = Object.entries(fields).filter(([name, value]) => value !== undefined && value !== USUAL[name]);
  return { id, kind, ...rename(Object.fromEntries(given), toSnakeCase) } as RuleCheck;
}
