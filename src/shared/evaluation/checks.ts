// Checks of an answer against what a row expects. A check that can't be applied says so instead of failing the model.
import { parseAnswerJson } from './answerJson.ts';
import { isJsonEqual } from './jsonEqual.ts';
import { findNumbers, readOnlyNumber, type ProseNumber } from './proseNumbers.ts';
import { openSchemaCheck } from './schemaCheck.ts';
import { findCallDifference, parseToolCalls, type WrittenCall } from './toolCalls.ts';

export const CHECK_KINDS = ['exact', 'contains', 'regex', 'json-schema', 'json-equal', 'number', 'tool-calls'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export interface CheckSpec {
  readonly kind: CheckKind;
  /**
   * exact, contains, json-equal, number, tool-calls: what is expected, null: the row's own expected answer. regex: the
   * pattern. json-schema: the schema as JSON text.
   */
  readonly expected: string | null;
  readonly isCaseSensitive: boolean;
  /**
   * json-schema, json-equal: JSON in a code fence fails, as it does where a program parses the answer. Absent: it
   * passes, and says so.
   */
  readonly isStrict?: boolean;
  /** number: the greatest difference that still passes, in the unit of the answer. */
  readonly tolerance: number;
}

/** `note`: what is to be known of a pass. */
export type CheckResult =
  | { readonly state: 'pass'; readonly note?: string }
  | { readonly state: 'fail' | 'no-check'; readonly reason: string };

/** Applies one check to an answer and the tools it calls; `expected` is the row's own expected answer. */
export type Check = (answer: string, expected: string | null, calls?: readonly WrittenCall[]) => CheckResult;

export const DEFAULT_CHECK: CheckSpec = { kind: 'exact', expected: null, isCaseSensitive: true, tolerance: 0 };

const PASS: CheckResult = { state: 'pass' };
const fail = (reason: string): CheckResult => ({ state: 'fail', reason });
const FENCED = 'Valid, in a code fence: a program has to take the JSON out of it first.';
const toFenced = (isStrict: boolean): CheckResult =>
  isStrict
    ? fail('The JSON stands in a code fence, where a program that parses the answer does not find it.')
    : { state: 'pass', note: FENCED };
const noCheck = (reason: string): CheckResult => ({ state: 'no-check', reason });
const NO_TEXT = noCheck('Not checked: write the text to look for.');
const NO_PATTERN = noCheck('Not checked: write the pattern that answers must match.');
const NO_SCHEMA = noCheck('Not checked: write the JSON schema that answers must match.');
const EMPTY_EXPECTED = noCheck(
  'The row’s expected answer is empty, which counts as none. Write one, or give the check a text of its own.',
);
const NO_EXPECTED = noCheck('The row has no expected answer. Give it one, or give the check a text of its own.');
/** A pattern may take exponential time over long texts; answers beyond this are not searched. */
const MAX_REGEX_CHARACTERS = 20_000;

function openRegex(pattern: string, isCaseSensitive: boolean): Check {
  if (pattern === '') return () => NO_PATTERN;
  let regex: RegExp;
  try {
    regex = new RegExp(pattern, isCaseSensitive ? 'u' : 'iu');
  } catch (error) {
    const reason = `“${pattern}” is no regular expression: ${error instanceof Error ? error.message : String(error)}`;
    return () => noCheck(reason);
  }
  return (answer) => {
    if (answer.length > MAX_REGEX_CHARACTERS)
      return noCheck(
        `The answer is longer than the ${MAX_REGEX_CHARACTERS.toLocaleString('en')} characters that a pattern is ` +
          'searched in.',
      );
    return regex.test(answer) ? PASS : fail(`Nothing in the answer matches ${pattern}`);
  };
}

function openSchema(text: string, isStrict: boolean): Check {
  if (text.trim() === '') return () => NO_SCHEMA;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    const reason = `The schema is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return () => noCheck(reason);
  }
  const check = openSchemaCheck(schema, { canBeStopped: true });
  return (answer) => {
    const found = check(answer);
    if (found.state === 'valid') return PASS;
    if (found.state === 'fenced') return toFenced(isStrict);
    if (found.state === 'no-check') return noCheck(found.message);
    if (found.state === 'not-json') return fail(`Not JSON: ${found.message}`);
    return fail(found.violations.map(({ path, message }) => `${path || '(the whole)'}: ${message}`).join('; '));
  };
}

function compareJson(answer: string, wanted: string, isStrict: boolean): CheckResult {
  const expected = parseAnswerJson(wanted);
  if (!expected.ok) return noCheck(`The expected answer is not JSON: ${expected.message}`);
  const given = parseAnswerJson(answer);
  if (!given.ok) return fail(`Not JSON: ${given.message}`);
  if (!isJsonEqual(given.value, expected.value)) return fail('Other JSON than expected.');
  return given.isFenced ? toFenced(isStrict) : PASS;
}

/** Decimal steps such as 0.1 are not exact in binary: a difference that equals the tolerance is no greater one. */
function isNear(given: number, expected: number, tolerance: number): boolean {
  const slack = Number.EPSILON * Math.max(Math.abs(given), Math.abs(expected), tolerance) * 4;
  return Math.abs(given - expected) <= tolerance + slack;
}

const toUnitText = ({ value, isPercent }: ProseNumber): string => `${value}${isPercent ? '%' : ''}`;

/** 50% against 0.5: no wrong number, but other units. */
function toUnitReason(given: ProseNumber, expected: ProseNumber, tolerance: number): string {
  const [one, other] = [given, expected].map((each) => (each.isPercent ? each.value / 100 : each.value));
  const isSame = one !== undefined && other !== undefined && isNear(one, other, tolerance);
  const units = given.isPercent ? 'percent against a plain number' : 'a plain number against percent';
  const hint = isSame ? ` Write the expected answer as ${toUnitText(given)}, or ask for the other unit.` : '';
  return `${toUnitText(given)}, expected ${toUnitText(expected)}: the units differ, ${units}.${hint}`;
}

/**
 * The last number of an answer counts: answers state their result at the end. The expected answer is one number. A
 * match that only another reading gives is no verdict.
 */
function compareNumber(answer: string, wanted: string, tolerance: number): CheckResult {
  const expected = readOnlyNumber(wanted);
  if (expected === null) return noCheck('Not checked: the expected answer is not a number.');
  const given = findNumbers(answer).at(-1);
  if (given === undefined) return fail('The answer holds no number.');
  if (given.text === expected.text || isNear(given.value, expected.value, tolerance)) return PASS;
  const isMaybe = [given.value, ...given.others].some((one) =>
    [expected.value, ...expected.others].some((other) => isNear(one, other, tolerance)),
  );
  if (!isMaybe && given.isPercent !== expected.isPercent) return fail(toUnitReason(given, expected, tolerance));
  if (!isMaybe) return fail(`${given.value}, expected ${expected.value}${tolerance > 0 ? ` ± ${tolerance}` : ''}`);
  const [unclear, word] = given.others.length > 0 ? [given, 'The answer'] : [expected, 'The expected answer'];
  return noCheck(
    `${word} has “${unclear.text}”, which can be read as ${[unclear.value, ...unclear.others].join(' or as ')}. ` +
      'Judge it yourself, or ask for plain digits.',
  );
}

function compareCalls(calls: readonly WrittenCall[], wanted: string): CheckResult {
  const expected = parseToolCalls(wanted);
  if (!expected.ok) return noCheck(`The expected answer holds no tool call: ${expected.reason}.`);
  const difference = findCallDifference(calls, expected.value);
  return difference === null ? PASS : fail(difference);
}

/**
 * A row has an answer to compare with. An empty one is none: files have the column for all rows, also for those without
 * an answer.
 */
export const isExpected = (expected: string | null): expected is string => expected !== null && expected.trim() !== '';

/** Makes the check ready for many answers. White space around answers and expectations never counts. */
export function openCheck(spec: CheckSpec): Check {
  const { kind, isCaseSensitive, tolerance, isStrict = false } = spec;
  if (kind === 'regex') return openRegex(spec.expected ?? '', isCaseSensitive);
  if (kind === 'json-schema') return openSchema(spec.expected ?? '', isStrict);
  const fold = (text: string): string => (isCaseSensitive ? text.trim() : text.trim().toLowerCase());
  return (answer, expected, calls = []) => {
    if (spec.expected?.trim() === '') return NO_TEXT;
    const wanted = spec.expected ?? expected;
    if (wanted === null) return NO_EXPECTED;
    if (!isExpected(wanted)) return EMPTY_EXPECTED;
    if (kind === 'tool-calls') return compareCalls(calls, wanted);
    if (kind === 'json-equal') return compareJson(answer, wanted, isStrict);
    if (kind === 'number') return compareNumber(answer, wanted, tolerance);
    if (kind === 'contains')
      return fold(answer).includes(fold(wanted)) ? PASS : fail(`The answer does not contain “${wanted.trim()}”.`);
    return fold(answer) === fold(wanted) ? PASS : fail('Other text than expected.');
  };
}
