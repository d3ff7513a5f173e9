// Checks an answer against the expected answer of its row. A check that can't be applied says so and fails no model.
import { parseAnswerJson, toBareJson } from '#core/json/answerJson.ts';
import { parseExactJson } from '#core/json/jsonValues.ts';
import { isJsonEqual } from './jsonEqual.ts';
import { findNumbers, readOnlyNumber, type ProseNumber } from './proseNumbers.ts';
import { openSchemaCheck } from '#core/json/schemaCheck.ts';
import { findCallDifference, parseToolCalls, type WrittenCall } from './toolCalls.ts';

export const CHECK_KINDS = ['exact', 'contains', 'regex', 'json-schema', 'json-equal', 'number', 'tool-calls'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export interface CheckSpec {
  readonly kind: CheckKind;
  /**
   * exact, contains, json-equal, number, tool-calls: the expected answer; null: the expected answer of the row. regex:
   * the pattern. json-schema: the schema as JSON text.
   */
  readonly expected: string | null;
  readonly isCaseSensitive: boolean;
  /**
   * json-schema, json-equal: JSON in a code fence fails, as it would in a program. Absent: it passes with a note.
   */
  readonly isStrict?: boolean;
  /** number: the greatest difference that still passes, in the unit of the answer. */
  readonly tolerance: number;
}

/** `note`: a caveat about a pass. */
export type CheckResult =
  | { readonly state: 'pass'; readonly note?: string }
  | { readonly state: 'fail' | 'no-check'; readonly reason: string };

/** Applies one check to an answer and its tool calls. `expected` is the expected answer of the row. */
export type Check = (answer: string, expected: string | null, calls?: readonly WrittenCall[]) => CheckResult;

export const DEFAULT_CHECK: CheckSpec = { kind: 'exact', expected: null, isCaseSensitive: true, tolerance: 0 };

const PASS: CheckResult = { state: 'pass' };
const fail = (reason: string): CheckResult => ({ state: 'fail', reason });
const FENCED = 'Valid, but in a code fence: a program must take the JSON out of it first.';
const toFenced = (isStrict: boolean): CheckResult =>
  isStrict
    ? fail('The JSON is inside a code fence, so a program that parses the answer fails.')
    : { state: 'pass', note: FENCED };
const noCheck = (reason: string): CheckResult => ({ state: 'no-check', reason });
const NO_TEXT = noCheck('Not checked: write the text to look for.');
const NO_PATTERN = noCheck('Not checked: write the pattern that answers must match.');
const NO_SCHEMA = noCheck('Not checked: write the JSON schema that answers must match.');
const EMPTY_EXPECTED = noCheck(
  'The row’s expected answer is empty, which counts as none. Write one, or give the check a text of its own.',
);
const NO_EXPECTED = noCheck('The row has no expected answer. Give it one, or give the check a text of its own.');
/** A pattern may take exponential time on long texts. Longer answers are not searched. */
const MAX_REGEX_CHARACTERS = 20_000;

function openRegex(pattern: string, isCaseSensitive: boolean): Check {
  if (pattern === '') return () => NO_PATTERN;
  let regex: RegExp;
  try {
    regex = new RegExp(pattern, isCaseSensitive ? 'u' : 'iu');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const reason = `“${pattern}” is not a regular expression: ${why}`;
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

function compareJson(answer: string, expectedText: string, isStrict: boolean): CheckResult {
  const expected = parseAnswerJson(expectedText);
  if (!expected.ok) return noCheck(`The expected answer is not JSON: ${expected.message}`);
  const actual = parseAnswerJson(answer);
  if (!actual.ok) return fail(`Not JSON: ${actual.message}`);
  const [given, wanted] = [answer, expectedText].map((text) => parseExactJson(toBareJson(text).bare));
  if (!isJsonEqual(given, wanted)) return fail('The JSON differs from the expected JSON.');
  return actual.isFenced ? toFenced(isStrict) : PASS;
}

/** The slack makes a difference that equals the tolerance pass: decimals such as 0.1 are not exact in binary. */
function isNear(actual: number, expected: number, tolerance: number): boolean {
  const slack = Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected), tolerance) * 4;
  return Math.abs(actual - expected) <= tolerance + slack;
}

const toUnitText = ({ value, isPercent }: ProseNumber): string => `${value}${isPercent ? '%' : ''}`;

/** 50% against 0.5: the units differ, the number may be right. */
function toUnitReason(actual: ProseNumber, expected: ProseNumber, tolerance: number): string {
  const [one, other] = [actual, expected].map((each) => (each.isPercent ? each.value / 100 : each.value));
  const isSame = one !== undefined && other !== undefined && isNear(one, other, tolerance);
  const units = actual.isPercent
    ? 'one is a percentage, the other a plain number'
    : 'one is a plain number, the other a percentage';
  const hint = isSame ? ` Write the expected answer as ${toUnitText(actual)}, or ask for the other unit.` : '';
  return `${toUnitText(actual)}, expected ${toUnitText(expected)}: the units differ, ${units}.${hint}`;
}

/**
 * The last number of an answer counts, because answers state their result at the end. The expected answer is one
 * number. If only another reading of a number matches, there is no verdict.
 */
function compareNumber(answer: string, expectedText: string, tolerance: number): CheckResult {
  const expected = readOnlyNumber(expectedText);
  if (expected === null) return noCheck('Not checked: the expected answer is not a number.');
  const actual = findNumbers(answer).at(-1);
  if (actual === undefined) return fail('The answer holds no number.');
  if (actual.text === expected.text || isNear(actual.value, expected.value, tolerance)) return PASS;
  const isAmbiguous = [actual.value, ...actual.others].some((one) =>
    [expected.value, ...expected.others].some((other) => isNear(one, other, tolerance)),
  );
  if (!isAmbiguous && actual.isPercent !== expected.isPercent) return fail(toUnitReason(actual, expected, tolerance));
  if (!isAmbiguous) return fail(`${actual.value}, expected ${expected.value}${tolerance > 0 ? ` ± ${tolerance}` : ''}`);
  const [unclear, word] = actual.others.length > 0 ? [actual, 'The answer'] : [expected, 'The expected answer'];
  return noCheck(
    `${word} has “${unclear.text}”, which can be read as ${[unclear.value, ...unclear.others].join(' or as ')}. ` +
      'Judge it yourself, or ask for plain digits.',
  );
}

const IN_TEXT: CheckResult = {
  state: 'pass',
  note: 'The calls stand in the text: no tools were sent, so the service did not read them as calls.',
};

/** Calls that the model wrote into its text as its template does; null: none that can be read. */
function findTextCalls(answer: string): readonly WrittenCall[] | null {
  if (!answer.includes('<tool_call>')) return null;
  const read = parseToolCalls(answer);
  return read.ok ? read.value.map(({ name, arguments: value }) => ({ name, arguments: JSON.stringify(value) })) : null;
}

function compareCalls(answer: string, calls: readonly WrittenCall[], expectedText: string): CheckResult {
  const expected = parseToolCalls(expectedText);
  if (!expected.ok) return noCheck(`The expected answer holds no tool call: ${expected.reason}.`);
  const inText = calls.length === 0 ? findTextCalls(answer) : null;
  const difference = findCallDifference(inText ?? calls, expected.value);
  if (difference !== null) return fail(difference);
  return inText ? IN_TEXT : PASS;
}

/**
 * True if there is an expected answer. An empty one is none: in files, rows without an expected answer have an empty
 * field.
 */
export const isExpected = (expected: string | null): expected is string => expected !== null && expected.trim() !== '';

/** Prepares the check for many answers. White space around answers and expected answers never counts. */
export function openCheck(spec: CheckSpec): Check {
  const { kind, isCaseSensitive, tolerance, isStrict = false } = spec;
  if (kind === 'regex') return openRegex(spec.expected ?? '', isCaseSensitive);
  if (kind === 'json-schema') return openSchema(spec.expected ?? '', isStrict);
  const fold = (text: string): string => (isCaseSensitive ? text.trim() : text.trim().toLowerCase());
  return (answer, expected, calls = []) => {
    if (spec.expected?.trim() === '') return NO_TEXT;
    const expectedText = spec.expected ?? expected;
    if (expectedText === null) return NO_EXPECTED;
    if (!isExpected(expectedText)) return EMPTY_EXPECTED;
    if (kind === 'tool-calls') return compareCalls(answer, calls, expectedText);
    if (kind === 'json-equal') return compareJson(answer, expectedText, isStrict);
    if (kind === 'number') return compareNumber(answer, expectedText, tolerance);
    if (kind === 'contains')
      return fold(answer).includes(fold(expectedText))
        ? PASS
        : fail(`The answer does not contain “${expectedText.trim()}”.`);
    return fold(answer) === fold(expectedText) ? PASS : fail('The text differs from the expected text.');
  };
}
