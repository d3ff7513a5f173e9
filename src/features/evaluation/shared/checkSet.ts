// Several checks as one: an answer passes when all of them pass.
import { openCheck, type Check, type CheckKind, type CheckResult, type CheckSpec } from './checks.ts';
import { readOnlyNumber } from './proseNumbers.ts';
import { parseToolCalls } from './toolCalls.ts';

export const CHECK_NAMES: Readonly<Record<CheckKind, string>> = {
  exact: 'equals',
  contains: 'contains',
  regex: 'matches pattern',
  'json-schema': 'JSON schema',
  'json-equal': 'same JSON',
  number: 'number',
  'tool-calls': 'tool calls equal',
};

interface CheckPart {
  readonly kind: CheckKind;
  readonly result: CheckResult;
}

const reasonOf = (result: CheckResult): string => (result.state === 'pass' ? '' : result.reason);

/** Joins results into one: fail before "not checked" before pass. */
function joinResults(parts: readonly CheckPart[]): CheckResult {
  const state = (['fail', 'no-check'] as const).find((each) => parts.some(({ result }) => result.state === each));
  if (state === undefined) {
    const notes = new Set(parts.flatMap(({ result }) => (result.state === 'pass' ? (result.note ?? []) : [])));
    return notes.size === 0 ? { state: 'pass' } : { state: 'pass', note: [...notes].join(' ') };
  }
  const decisive = parts.filter(({ result }) => result.state === state);
  const isAlone = parts.length === 1;
  return {
    state,
    reason: decisive
      .map(({ kind, result }) => (isAlone ? reasonOf(result) : `${CHECK_NAMES[kind]}: ${reasonOf(result)}`))
      .join(' '),
  };
}

/** True for a check whose text nobody has written yet. It checks nothing. */
export function isBlankCheck({ kind, expected }: CheckSpec): boolean {
  const hasPattern = kind === 'regex' || kind === 'json-schema';
  if (expected === null) return hasPattern;
  return (kind === 'regex' ? expected : expected.trim()) === '';
}

/**
 * Prepares the checks for many answers. Blank checks are left out, unless all are blank. The result is null if there
 * are no checks.
 */
export function openCheckSet(specs: readonly CheckSpec[]): (...args: Parameters<Check>) => CheckResult | null {
  const written = specs.filter((spec) => !isBlankCheck(spec));
  const checks = (written.length > 0 ? written : specs).map((spec) => ({ kind: spec.kind, check: openCheck(spec) }));
  if (checks.length === 0) return () => null;
  return (...args) => joinResults(checks.map(({ kind, check }) => ({ kind, result: check(...args) })));
}

/** Why a check can't be used with its settings; null if it can. */
export function findCheckProblem(spec: CheckSpec): string | null {
  const { kind, expected, tolerance } = spec;
  if (kind === 'regex' || kind === 'json-schema' || isBlankCheck(spec)) {
    const result = openCheck(spec)(kind === 'json-schema' ? 'null' : '', null);
    return result.state === 'no-check' ? result.reason : null;
  }
  if (kind === 'tool-calls' && expected !== null) {
    const read = parseToolCalls(expected);
    return read.ok
      ? null
      : `Write the calls as JSON, such as {"name": "get_order", "arguments": {"id": 7}}: ${read.reason}.`;
  }
  if (kind === 'number' && expected !== null && readOnlyNumber(expected) === null)
    return 'Write one number; a unit, a currency or % may stand beside it.';
  return kind === 'number' && !(tolerance >= 0) ? 'The tolerance is a number from 0.' : null;
}
