// Several checks as one: an answer passes when all of them pass.
import { parseAnswerJson } from '#core/json/answerJson.ts';
import type { CheckResult } from './checkResult.ts';
import { openCheck, type Check, type CheckKind, type CheckSpec, type CheckTools } from './checks.ts';
import { readOnlyNumber } from './proseNumbers.ts';
import { parseToolCalls } from './toolCalls.ts';

export const CHECK_NAMES: Readonly<Record<CheckKind, string>> = {
  exact: 'equals',
  contains: 'contains',
  regex: 'matches pattern',
  number: 'number',
  similarity: 'similar to',
  'json-schema': 'JSON schema',
  'json-equal': 'same JSON',
  'json-fields': 'JSON by field',
  'tool-calls': 'tool calls equal',
  'tool-arguments': 'tool calls by argument',
  length: 'length',
  language: 'language',
  latency: 'latency',
  function: 'own function',
};

/** What a check compares with: the row's expected answer or a text of its own, always a text of its own, or only limits. */
export const CHECK_SOURCES: Readonly<Record<CheckKind, 'row' | 'own' | 'limits'>> = {
  exact: 'row',
  contains: 'row',
  regex: 'own',
  number: 'row',
  similarity: 'row',
  'json-schema': 'own',
  'json-equal': 'row',
  'json-fields': 'row',
  'tool-calls': 'row',
  'tool-arguments': 'row',
  length: 'limits',
  language: 'row',
  latency: 'limits',
  function: 'own',
};

/** The result of one of several checks. */
export interface CheckOutcome {
  readonly kind: CheckKind;
  readonly result: CheckResult;
}

const reasonOf = (result: CheckResult): string => (result.state === 'pass' ? '' : result.reason);

/** Joins results into one: fail before "not checked" before pass. */
function joinResults(outcomes: readonly CheckOutcome[]): CheckResult {
  const [first] = outcomes;
  if (first && outcomes.length === 1) return first.result;
  const state = (['fail', 'no-check'] as const).find((each) => outcomes.some(({ result }) => result.state === each));
  if (state === undefined) {
    const notes = new Set(outcomes.flatMap(({ result }) => (result.state === 'pass' ? (result.note ?? []) : [])));
    return notes.size === 0 ? { state: 'pass' } : { state: 'pass', note: [...notes].join(' ') };
  }
  const decisive = outcomes.filter(({ result }) => result.state === state);
  return {
    state,
    reason: decisive.map(({ kind, result }) => `${CHECK_NAMES[kind]}: ${reasonOf(result)}`).join(' '),
  };
}

/** True for a check whose text or limit nobody has written yet. It checks nothing. */
export function isBlankCheck({ kind, expected, min, max }: CheckSpec): boolean {
  const source = CHECK_SOURCES[kind];
  if (source === 'limits') return max === undefined && (kind === 'latency' || min === undefined);
  if (expected === null) return source === 'own';
  return (kind === 'regex' ? expected : expected.trim()) === '';
}

/**
 * Prepares the checks for many answers, and gives the result of each. Blank checks are left out, unless all are blank.
 */
export function openCheckList(
  specs: readonly CheckSpec[],
  tools: CheckTools = {},
): (...args: Parameters<Check>) => readonly CheckOutcome[] {
  const written = specs.filter((spec) => !isBlankCheck(spec));
  const checks = (written.length > 0 ? written : specs).map((spec) => ({
    kind: spec.kind,
    check: openCheck(spec, tools),
  }));
  return (...args) => checks.map(({ kind, check }) => ({ kind, result: check(...args) }));
}

/** The same with one result for all checks; null if there are none. */
export function openCheckSet(
  specs: readonly CheckSpec[],
  tools: CheckTools = {},
): (...args: Parameters<Check>) => CheckResult | null {
  const check = openCheckList(specs, tools);
  return specs.length === 0 ? () => null : (...args) => joinResults(check(...args));
}

const isOutside = (value: number | undefined, low: number, high: number): boolean =>
  value !== undefined && !(value >= low && value <= high);

/** Of the texts of a check that compares with one of its own. */
function findTextProblem(kind: CheckKind, expected: string): string | null {
  if (kind === 'tool-calls' || kind === 'tool-arguments') {
    const read = parseToolCalls(expected);
    return read.ok
      ? null
      : `Write the calls as JSON, such as {"name": "get_order", "arguments": {"id": 7}}: ${read.reason}.`;
  }
  if (kind === 'json-fields') {
    const read = parseAnswerJson(expected);
    return read.ok ? null : `Write the expected answer as JSON: ${read.message}`;
  }
  if (kind === 'language' && !/^[a-z]{2}$/i.test(expected.trim()))
    return 'Write the language as its two letters, such as en, de or fr (ISO 639-1).';
  return kind === 'number' && readOnlyNumber(expected) === null
    ? 'Write one number; a unit, a currency or % may stand beside it.'
    : null;
}

/** Why a check can't be used with its settings; null if it can. */
export function findCheckProblem(spec: CheckSpec): string | null {
  const { kind, expected, tolerance, threshold, min, max } = spec;
  if (isBlankCheck(spec)) {
    const result = openCheck(spec)('', null);
    return result.state === 'no-check' ? result.reason : null;
  }
  if (kind === 'regex' || kind === 'json-schema') {
    const result = openCheck(spec)(kind === 'json-schema' ? 'null' : '', null);
    return result.state === 'no-check' ? result.reason : null;
  }
  if (kind === 'number' && !(tolerance >= 0)) return 'The tolerance is a number from 0.';
  if ((kind === 'similarity' || kind === 'function') && isOutside(threshold, 0, 1))
    return 'The least score is a number from 0 to 1.';
  if (CHECK_SOURCES[kind] === 'limits') {
    if (isOutside(min, 0, Infinity) || isOutside(max, 0, Infinity)) return 'A limit is a number from 0.';
    return kind === 'length' && isOutside(min, 0, max ?? Infinity) ? 'The least is more than the most.' : null;
  }
  return expected === null ? null : findTextProblem(kind, expected);
}
